import { validate as isUuid, v7 as uuid } from 'uuid';
import { isRunning } from '#features/generations/contract.ts';
import { hasRunWithKey } from '#features/generations/service.server.ts';
import { m } from '#messages';
import { database } from '#platform/database/database.server.ts';
import type { ActorInput, UserActor } from '#platform/http/actor.server.ts';
import { notFound, Problem, requireFound, requireUuid } from '#platform/http/problem.server.ts';
import { chatModelOf } from '#shared/chat-models.ts';
import { cleanText } from '#shared/clean-text.ts';
import { assistantOf } from '../assistants.server.ts';
import { defaultMessageFor } from '../attachments/default-message.ts';
import type { ModelChoice, SendMessage, StartedReply } from '../contract.ts';
import { assistantOrNone } from '../own-assistants/own-assistants.server.ts';
import { ownSession } from '../store.server.ts';
import { findMessageRef } from './branch-store.server.ts';
import { startTwoReplies } from './compare-replies.server.ts';
import { cannotDrawFiles, drawReply } from './draw-reply.server.ts';
import { findReply, type InitialAssistant, ownAttachments, storedQuestion } from './message-store.server.ts';
import { assistantMissing, attachmentMissing, existingQuestion, startReply } from './start-reply.server.ts';

/** Bytes of a reply that can be continued: the most that one run may write. */
const MAX_REPLY_BYTES = 256 * 1024;

/** Returns a new chat's own assistant; a deleted one only for a repeated request. @throws Problem not_found */
async function initialAssistant(
  actor: UserActor,
  { id, key }: { id: string; key: string },
): Promise<InitialAssistant> {
  const own = await assistantOrNone({ actor, input: { id } });
  if (!own && !(await hasRunWithKey({ actor, input: { key } }))) throw assistantMissing();
  return { id, model: chatModelOf(own?.model ?? null)?.id ?? null };
}

async function messageText(actor: UserActor, text: string, attachmentIds: string[]): Promise<string> {
  if (text.trim() !== '') return text;
  if (attachmentIds.length === 0) throw new Problem('bad_request', m.chat_error_empty());
  const files = await ownAttachments(database(), actor.userId, attachmentIds);
  if (files.length < attachmentIds.length) throw attachmentMissing();
  return defaultMessageFor(files);
}

export async function sendMessage({
  actor,
  input,
}: ActorInput<Omit<SendMessage, 'by'> & { chatId: string; key: string }>): Promise<StartedReply> {
  const { chatId, key, create = false, replaces = null, model, price, web, draw } = input;
  const attachmentIds = input.attachmentIds ?? (input.attachmentId ? [input.attachmentId] : []);
  const [attachmentId = null, ...furtherIds] = attachmentIds;
  const temporary = create && input.temporary === true;
  const projectId = create && !temporary ? (input.projectId ?? null) : null;
  requireUuid(chatId);
  const text = cleanText(input.text);
  const parentId = replaces ? null : (input.parentId ?? null);
  const own =
    create && input.assistant !== undefined && isUuid(input.assistant)
      ? await initialAssistant(actor, { id: input.assistant, key })
      : null;
  const assistant = create ? assistantOf(own ? undefined : input.assistant).id : null;
  const storedText = await messageText(actor, text, attachmentIds);
  const question = { id: uuid(), text: storedText, parentId, replaces, attachmentIds };
  const fingerprint = [
    'message',
    chatId,
    text,
    parentId,
    replaces,
    attachmentId,
    own?.id ?? assistant,
    ...(temporary ? ['temporary'] : []),
    ...(projectId ? ['project', projectId] : []),
    ...furtherIds,
  ];
  const choice = { model, price, web, draw };
  const chatStart = { create: assistant, temporary, projectId, own };
  const exchange = {
    actor,
    key,
    fingerprint,
    chatId,
    ...chatStart,
    question,
    choice,
    compare: input.compare,
  };
  if (draw) return drawReply({ ...exchange, prompt: storedText, size: draw });
  return input.compare ? startTwoReplies(exchange, input.compare) : startReply(exchange);
}

interface MessageInput {
  chatId: string;
  messageId: string;
  key: string;
  choice: ModelChoice;
}

async function requireOwnChat(actor: UserActor, chatId: string): Promise<void> {
  requireFound(await ownSession(database(), actor.userId, requireUuid(chatId)));
}

export async function regenerate({
  actor,
  input: { chatId, messageId, key, choice },
}: ActorInput<MessageInput>): Promise<StartedReply> {
  await requireOwnChat(actor, chatId);
  const message = await findMessageRef(database(), chatId, requireUuid(messageId));
  const id = message?.role === 'assistant' ? message.parent_id : message?.id;
  if (!id) throw notFound();
  const fingerprint = ['regenerate', chatId, messageId];
  const exchange = { actor, key, fingerprint, chatId, question: existingQuestion(id), choice };
  if (!choice.draw) return startReply(exchange);
  const question = requireFound(await storedQuestion(database(), id));
  if (question.files) throw cannotDrawFiles();
  return drawReply({ ...exchange, prompt: question.content, size: choice.draw });
}

/** Continues an interrupted or cut-off reply; the new version starts with the text of the old one. */
export async function continueReply({
  actor,
  input: { chatId, messageId, key, choice },
}: ActorInput<MessageInput>): Promise<StartedReply> {
  await requireOwnChat(actor, chatId);
  const reply = await findReply(database(), chatId, requireUuid(messageId));
  if (!reply?.parent_id) throw notFound();
  const { content, state, finish_reason } = reply;
  if (isRunning(state)) throw new Problem('conflict', m.chat_error_still_writing());
  if (content === '') throw new Problem('conflict', m.chat_error_no_text());
  if (state === 'done' && finish_reason !== 'length') throw new Problem('conflict', m.chat_error_complete());
  if (Buffer.byteLength(content) > MAX_REPLY_BYTES) throw new Problem('conflict', m.chat_error_longest());
  const fingerprint = ['continue', chatId, messageId];
  const question = existingQuestion(reply.parent_id);
  const continues = { id: messageId, length: content.length };
  return startReply({ actor, key, fingerprint, chatId, question, continues, choice });
}
