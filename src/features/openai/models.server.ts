import type { KeyScope } from '#features/accounts/service.server.ts';
import { featureTable } from '#features/credits/contract.ts';
import { config, imageGateway } from '#platform/config/config.server.ts';
import { chatModels } from '#shared/chat-models.ts';
import { ApiRefusal } from './api-error.server.ts';

export interface ApiModel {
  id: string;
  object: 'model';
  created: number;
  owned_by: string;
}

function chatModelIds(): string[] {
  const ids = chatModels().map(({ id }) => id);
  return ids.length > 0 ? ids : [config().LLM_MODEL];
}

const offered = (): Record<KeyScope, string[]> => ({
  chat: featureTable.completion.offered ? chatModelIds() : [],
  images: featureTable.image.offered ? [imageGateway(config()).model] : [],
});

const viewOf = (id: string): ApiModel => ({
  id,
  object: 'model',
  // Unknown, but OpenAI's clients require a number.
  created: 0,
  owned_by: id.includes('/') ? (id.split('/')[0] ?? '') : 'site',
});

export function modelsFor(scopes: readonly KeyScope[]): ApiModel[] {
  const models = offered();
  const ids = scopes.flatMap((scope) => models[scope]);
  return [...new Set(ids)].map(viewOf);
}

export const modelNotFound = (id: string) =>
  new ApiRefusal('not_found', `The model '${id}' does not exist or you do not have access to it.`, {
    code: 'model_not_found',
    param: 'model',
  });

/** @throws ApiRefusal for a model that is not configured. */
export function requireModel(scope: KeyScope, id: string): void {
  if (!offered()[scope].includes(id)) throw modelNotFound(id);
}
