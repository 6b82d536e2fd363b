import { offeredModel } from '#features/credits/service.server.ts';
import type { StartInput } from '#features/generations/service.server.ts';
import { m } from '#messages';
import { database } from '#platform/database/database.server.ts';
import type { ActorInput, UserActor } from '#platform/http/actor.server.ts';
import { Problem, requireFound, requireUuid } from '#platform/http/problem.server.ts';
import { chatModelOf, chatModels } from '#shared/chat-models.ts';
import { chooseCompared, chooseForChat, chooseForNextChat, sendsImage } from './chosen-model-store.server.ts';
import type { ModelChoice } from './contract.ts';
import { ownSession } from './store.server.ts';

/** Stores the model for the chat, if any, and for the person's next new chat. @throws Problem model_gone */
export async function chooseModel({
  actor,
  input: { model, chatId },
}: ActorInput<{ model: string | null; chatId?: string | undefined }>): Promise<void> {
  offeredModel(model);
  const { userId } = actor;
  if (chatId === undefined) await chooseForNextChat(database(), { userId, model });
  else requireFound(await chooseForChat(database(), { userId, model, chatId: requireUuid(chatId) }));
}

/** Stores the second model that also replies in this chat; null: none. @throws Problem model_gone */
export async function chooseComparedModel({
  actor: { userId },
  input: { compare, chatId },
}: ActorInput<{ compare: string | null; chatId: string }>): Promise<void> {
  if (compare !== null) offeredModel(compare);
  requireFound(await chooseCompared(database(), { userId, compare, chatId }));
}

interface ReplyRequest {
  choice: ModelChoice;
  chatId: string;
  /** The assistant that a new chat starts with. */
  own?: { model: string | null } | null | undefined;
  /** The question, if it is already stored. */
  messageId: string | null;
  attachmentIds: string[];
}

/** A request that names no model gets that of the chat, or of a new chat's assistant, if it is still offered. */
async function resolveModelId(
  actor: UserActor,
  { choice, chatId, own }: Pick<ReplyRequest, 'choice' | 'chatId' | 'own'>,
): Promise<string | null> {
  if (choice.model !== undefined) return choice.model;
  const session = await ownSession(database(), actor.userId, chatId);
  return chatModelOf(session ? session.model : (own?.model ?? null))?.id ?? null;
}

/** Returns the id of the model that replies; undefined if the operator offers no choice. */
export async function replyModel(
  actor: UserActor,
  request: Pick<ReplyRequest, 'choice' | 'chatId' | 'own'>,
): Promise<string | undefined> {
  return (await resolveModelId(actor, request)) ?? chatModels()[0]?.id;
}

async function rejectUnseenImage(
  { userId }: UserActor,
  { messageId, attachmentIds }: ReplyRequest,
  id: string | null,
): Promise<void> {
  const model = id === null ? chatModels()[0] : chatModelOf(id);
  if (!model || model.seesImages || (messageId === null && attachmentIds.length === 0)) return;
  if (await sendsImage(database(), { userId, messageId, attachmentIds }))
    throw new Problem('bad_request', m.chat_error_model_images({ model: model.name }));
}

/** Returns the model for starting a reply. @throws Problem if the model cannot see the question's image */
export async function startChoice(
  actor: UserActor,
  request: ReplyRequest,
): Promise<StartInput<unknown>['choice']> {
  const { model, price: shownPrice, web } = request.choice;
  if (model === undefined && chatModels().length === 0)
    return { id: null, shownPrice: web ? shownPrice : undefined };
  const id = await resolveModelId(actor, request);
  await rejectUnseenImage(actor, request, id);
  return { id, shownPrice: shownPrice };
}
