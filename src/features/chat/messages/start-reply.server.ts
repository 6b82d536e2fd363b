import { v7 as uuid } from 'uuid';
import { isPersonal } from '#features/accounts/service.server.ts';
import { webSearchPrice } from '#features/credits/service.server.ts';
import {
  hasRunWithKey,
  type Started,
  type StartInput,
  startedRun,
  startRun,
} from '#features/generations/service.server.ts';
import { m } from '#messages';
import { sql } from '#platform/database/sql.server.ts';
import type { UserActor } from '#platform/http/actor.server.ts';
import { notFound, Problem } from '#platform/http/problem.server.ts';
import { startChoice } from '../chosen-model.server.ts';
import {
  type ComparedModel,
  generalAssistant,
  type ModelChoice,
  type OtherReply,
  type StartedReply,
} from '../contract.ts';
import { offersWebSearch } from '../web-search/web-search-settings.server.ts';
import { type Question, type SendResult, type SendRow, sendStatement } from './message-store.server.ts';
import type { KnownInput, ReplyPayload } from './reply-tool.server.ts';

export interface Exchange
  extends Pick<SendRow, 'chatId' | 'question'>,
    Partial<Pick<SendRow, 'create' | 'continues' | 'temporary' | 'projectId' | 'own'>> {
  actor: UserActor;
  key: string;
  fingerprint: unknown[];
  choice: ModelChoice;
  /** The second model, which replies too. */
  compare?: ComparedModel | undefined;
}

export const assistantMissing = () => new Problem('not_found', m.assistant_missing());
export const attachmentMissing = () => new Problem('bad_request', m.chat_error_file_gone());

/** SQLSTATEs raised by the functions that `sendStatement` calls. */
const refusals: Record<string, () => Problem> = {
  P0002: notFound,
  '22023': () => new Problem('bad_request', m.chat_error_wrong_message()),
  '23503': attachmentMissing,
  PR404: () => new Problem('conflict', m.project_gone()),
  AS404: assistantMissing,
};

export const existingQuestion = (id: string): Question => {
  return { id, text: null, parentId: null, replaces: null, attachmentIds: [] };
};

/** Returns the history for the first message of a chat, if it has no files, so that the run need not read it. */
function initialHistory({ create, question }: Exchange, isNew: boolean): KnownInput['history'] {
  if (!isNew || question.text === null || question.attachmentIds.length > 0) return;
  const first = { role: 'user' as const, content: question.text, depth: 1, attachments: [] };
  return { assistant: create ?? generalAssistant, newestFirst: [first] };
}

/** Returns null where no web search is requested. @throws Problem tool_off */
async function webSearchCredits({ actor, key, choice }: Exchange): Promise<number | null> {
  if (choice.web !== true) return null;
  if (!offersWebSearch() && !(await hasRunWithKey({ actor, input: { key } })))
    throw new Problem('tool_off', m.chat_error_web_off());
  return webSearchPrice();
}

/** One of two replies to the same question. */
interface ComparedRun {
  key: string;
  replyId: string;
  beside: OtherReply;
  /** The second reply finds the question already stored. */
  isSecond: boolean;
}

export const isNewChat = (id: string) => sql`not exists (select 1 from chat_sessions where id = ${id})`;

export async function replyRun(
  exchange: Exchange,
  choice: ModelChoice,
  compared?: ComparedRun,
): Promise<StartInput<SendResult>> {
  const { actor, key, chatId, create = null } = exchange;
  const { continues = null, temporary = false, projectId = null, own = null } = exchange;
  const web = continues === null ? await webSearchCredits(exchange) : null;
  const payload: ReplyPayload = {
    sessionId: chatId,
    messageId: exchange.question.id,
    continues: continues !== null,
    ...(continues === null ? {} : { continued: continues.id }),
    ...(web === null ? {} : { web: { credits: web } }),
    ...(compared ? { beside: compared.beside } : {}),
  };
  const isSecond = compared?.isSecond === true;
  const question = isSecond ? existingQuestion(exchange.question.id) : exchange.question;
  const chatStart = isSecond
    ? { create: null, temporary: false, projectId: null, own: null }
    : { create, temporary, projectId, own };
  const row = {
    userId: actor.userId,
    chatId,
    ...chatStart,
    replyId: compared?.replyId ?? uuid(),
    question,
    continues,
    model: question.text === null ? undefined : exchange.choice.model,
    compared: exchange.compare?.model ?? null,
  };
  const fingerprint = [
    ...exchange.fingerprint,
    ...(choice.model === undefined ? [] : ['model', choice.model]),
    ...(web === null ? [] : ['web']),
    ...(compared ? (isSecond ? ['beside', compared.beside.model] : ['compared']) : []),
  ];
  return {
    key: compared?.key ?? key,
    fingerprint,
    feature: 'chat',
    choice: await startChoice(actor, {
      choice,
      chatId,
      own,
      messageId: exchange.question.text === null ? question.id : null,
      attachmentIds: exchange.question.attachmentIds,
    }),
    extraCredits: web ?? 0,
    startsChat: chatStart.create !== null && isNewChat(chatId),
    payload,
    write: (admission) => sendStatement(admission, row),
    knownInput: ({ is_new, instructions, knowledge, assistant }): KnownInput => ({
      instructions,
      knowledge,
      own: assistant,
      history: initialHistory(exchange, is_new),
    }),
  };
}

export function startedReply(started: Started<SendResult>): StartedReply {
  const { session_id, title, is_new, message_id, content, reply_id, instructions, assistant } =
    started.written;
  const isPermanent = !started.written.temporary;
  // A repeated key whose chat has been erased.
  if (session_id === null) throw notFound();
  return {
    chat: {
      id: session_id,
      title: isPermanent ? title : m.chat_temporary(),
      isNew: is_new,
      temporary: !isPermanent,
    },
    message: { id: message_id, content },
    reply: { id: reply_id, assistantName: assistant?.name ?? null, model: started.model },
    instructed: instructions !== null && isPersonal(instructions),
    ...startedRun(started),
  };
}

export const throwRefusal = (error: { code?: string }) => {
  throw refusals[error.code ?? '']?.() ?? error;
};

export async function startReply(exchange: Exchange): Promise<StartedReply> {
  const input = await replyRun(exchange, exchange.choice);
  return startedReply(await startRun<SendResult>(exchange.actor, input).catch(throwRefusal));
}
