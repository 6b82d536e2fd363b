import { v7 as uuid } from 'uuid';
import { isPersonal } from '#features/accounts/service.server.ts';
import { webSearchPrice } from '#features/credits/service.server.ts';
import { isRunning } from '#features/generations/contract.ts';
import { hasRunWithKey, startedRun, startRun } from '#features/generations/service.server.ts';
import { m } from '#messages';
import { database } from '#platform/database/database.server.ts';
import { sql } from '#platform/database/sql.server.ts';
import type { ActorInput, UserActor } from '#platform/http/actor.server.ts';
import { found, notFound, Problem, requireUuid } from '#platform/http/problem.server.ts';
import { cleanText } from '#shared/clean-text.ts';
import { assistantOf } from '../assistants.server.ts';
import { startChoice } from '../chosen-model.server.ts';
import {
  defaultMessageFor,
  generalAssistant,
  type ModelChoice,
  type SendMessage,
  type StartedReply,
} from '../contract.ts';
import { ownSession } from '../store.server.ts';
import { offersWebSearch } from '../web-search/web-search-settings.server.ts';
import { findMessageRef } from './branch-store.server.ts';
import type { KnownInput, ReplyPayload } from './reply-tool.server.ts';
import {
  findReply,
  ownAttachments,
  type Question,
  type SendResult,
  type SendRow,
  sendStatement,
} from './send-message-store.server.ts';

/** Bytes of a reply that can be continued: as many as one run may make. */
const MAX_REPLY_BYTES = 256 * 1024;

interface MessageAndReply
  extends Pick<SendRow, 'chatId' | 'question'>,
    Partial<Pick<SendRow, 'create' | 'continues' | 'temporary' | 'projectId'>> {
  actor: UserActor;
  key: string;
  bound: unknown[];
  choice: ModelChoice;
}

const attachmentMissing = () => new Problem('bad_request', m.chat_error_file_gone());

/** SQLSTATE of what `write_exchange` raises. */
const refusals: Record<string, () => Problem> = {
  P0002: notFound,
  '22023': () => new Problem('bad_request', m.chat_error_wrong_message()),
  '23503': attachmentMissing,
  PR404: () => new Problem('conflict', m.project_gone()),
};

/** What the first message of a chat says need not be read again, unless files are beside it. */
function initialHistory({ create, question }: MessageAndReply, isNew: boolean): KnownInput['history'] {
  if (!isNew || question.text === null || question.attachmentIds.length > 0) return;
  const first = { role: 'user' as const, content: question.text, depth: 1, attachments: [] };
  return { assistant: create ?? generalAssistant, newestFirst: [first] };
}

/** Null where the message does not ask for it. @throws Problem tool_off */
async function webSearchCredits({ actor, key, choice }: MessageAndReply): Promise<number | null> {
  if (choice.web !== true) return null;
  if (!offersWebSearch() && !(await hasRunWithKey({ actor, input: { key } })))
    throw new Problem('tool_off', m.chat_error_web_off());
  return webSearchPrice();
}

async function startReply(exchange: MessageAndReply): Promise<StartedReply> {
  const { actor, key, chatId, create = null, question, choice } = exchange;
  const { continues = null, temporary = false, projectId = null } = exchange;
  const web = continues === null ? await webSearchCredits(exchange) : null;
  const payload: ReplyPayload = {
    sessionId: chatId,
    messageId: question.id,
    continues: continues !== null,
    ...(continues === null ? {} : { continued: continues.id }),
    ...(web === null ? {} : { web: { credits: web } }),
  };
  const isNew = sql`not exists (select 1 from chat_sessions where id = ${chatId})`;
  const row = {
    userId: actor.userId,
    chatId,
    create,
    temporary,
    projectId,
    replyId: uuid(),
    question,
    continues,
    model: question.text === null ? undefined : choice.model,
  };
  const bound = [
    ...exchange.bound,
    ...(choice.model === undefined ? [] : ['model', choice.model]),
    ...(web === null ? [] : ['web']),
  ];
  const started = await startRun<SendResult>(actor, {
    key,
    fingerprint: bound,
    feature: 'chat',
    choice: await startChoice(actor, {
      choice,
      chatId,
      messageId: question.text === null ? question.id : null,
      attachmentIds: question.attachmentIds,
    }),
    extraCredits: web ?? 0,
    startsChat: create !== null && isNew,
    payload,
    write: (admission) => sendStatement(admission, row),
    knownInput: ({ is_new, instructions }): KnownInput => ({
      instructions,
      history: initialHistory(exchange, is_new),
    }),
  }).catch((error: { code?: string }) => {
    throw refusals[error.code ?? '']?.() ?? error;
  });
  const { session_id, title, is_new, message_id, content, reply_id, instructions } = started.written;
  const kept = !started.written.temporary;
  // A repeated key whose chat is erased by now.
  if (session_id === null) throw notFound();
  return {
    chat: { id: session_id, title: kept ? title : m.chat_temporary(), isNew: is_new, temporary: !kept },
    message: { id: message_id, content },
    reply: { id: reply_id },
    instructed: instructions !== null && isPersonal(instructions),
    ...startedRun(started),
  };
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
  const { chatId, key, create = false, replaces = null, model, price, web } = input;
  const attachmentIds = input.attachmentIds ?? (input.attachmentId ? [input.attachmentId] : []);
  const [attachmentId = null, ...furtherIds] = attachmentIds;
  const temporary = create && input.temporary === true;
  const projectId = create && !temporary ? (input.projectId ?? null) : null;
  requireUuid(chatId);
  const text = cleanText(input.text);
  const parentId = replaces ? null : (input.parentId ?? null);
  const assistant = create ? assistantOf(input.assistant).id : null;
  const stored = await messageText(actor, text, attachmentIds);
  const question = { id: uuid(), text: stored, parentId, replaces, attachmentIds };
  const bound = [
    'message',
    chatId,
    text,
    parentId,
    replaces,
    attachmentId,
    assistant,
    ...(temporary ? ['temporary'] : []),
    ...(projectId ? ['project', projectId] : []),
    ...furtherIds,
  ];
  const choice = { model, price, web };
  const begins = { create: assistant, temporary, projectId };
  return startReply({ actor, key, bound, chatId, ...begins, question, choice });
}

const existingQuestion = (id: string): Question => {
  return { id, text: null, parentId: null, replaces: null, attachmentIds: [] };
};

interface MessageInput {
  chatId: string;
  messageId: string;
  key: string;
  choice: ModelChoice;
}

async function requireOwnChat(actor: UserActor, chatId: string): Promise<void> {
  found(await ownSession(database(), actor.userId, requireUuid(chatId)));
}

export async function regenerate({
  actor,
  input: { chatId, messageId, key, choice },
}: ActorInput<MessageInput>): Promise<StartedReply> {
  await requireOwnChat(actor, chatId);
  const message = await findMessageRef(database(), chatId, requireUuid(messageId));
  const id = message?.role === 'assistant' ? message.parent_id : message?.id;
  if (!id) throw notFound();
  const bound = ['regenerate', chatId, messageId];
  return startReply({ actor, key, bound, chatId, question: existingQuestion(id), choice });
}

/** A reply that did not come to its end; the new version begins with the earlier text. */
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
  const bound = ['continue', chatId, messageId];
  const question = existingQuestion(reply.parent_id);
  const continues = { id: messageId, length: content.length };
  return startReply({ actor, key, bound, chatId, question, continues, choice });
}
