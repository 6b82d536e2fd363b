import type { KeyScope } from '#features/accounts/service.server.ts';
import { featureTable } from '#features/credits/contract.ts';
import { config, imageGateway } from '#platform/config/config.server.ts';
import { ApiRefusal } from './api-error.server.ts';

export interface ApiModel {
  id: string;
  object: 'model';
  created: number;
  owned_by: string;
}

const offered = (): Record<KeyScope, string | null> => ({
  chat: featureTable.completion.offered ? config().LLM_MODEL : null,
  images: featureTable.image.offered ? imageGateway(config()).model : null,
});

const viewOf = (id: string): ApiModel => ({
  id,
  object: 'model',
  // Not known; OpenAI's clients want a number.
  created: 0,
  owned_by: id.includes('/') ? (id.split('/')[0] ?? '') : 'site',
});

export function modelsFor(scopes: readonly KeyScope[]): ApiModel[] {
  const models = offered();
  const ids = scopes.flatMap((scope) => models[scope] ?? []);
  return [...new Set(ids)].map(viewOf);
}

export const modelMissing = (id: string) =>
  new ApiRefusal('not_found', `The model '${id}' does not exist or you do not have access to it.`, {
    code: 'model_not_found',
    param: 'model',
  });

/** @throws ApiRefusal for any other than the one that is configured. */
export function requireModel(scope: KeyScope, id: string): void {
  if (id !== offered()[scope]) throw modelMissing(id);
}
