import { validate as isUuid } from 'uuid';
import { isRunning } from '#features/generations/contract.ts';
import { failureText, liveRuns } from '#features/generations/service.server.ts';
import { database, transaction } from '#platform/database/database.server.ts';
import { requireFound, requireUuid } from '#platform/http/problem.server.ts';
import { attachmentView } from '../attachments/attachment-view.server.ts';
import { type ChatMessage, type ChatView, chatLimits } from '../contract.ts';
import {
  branchRange,
  findLeaf,
  findMessageRef,
  findSibling,
  lockChat,
  type MessageRef,
  type MessageRow,
  setTip,
} from './branch-store.server.ts';

export interface WindowQuery {
  at?: string;
  before?: string;
  after?: string;
  /** Most messages in a window at the end or around a message; default: `chatLimits.messagesPerPage`. */
  size?: number;
}

interface ShownChat {
  id: string;
  tip: string | null;
}

export type MessageWindow = Pick<ChatView, 'messages' | 'compared' | 'older' | 'newer'>;

const PAGE = chatLimits.messagesPerPage;
/** How much of a window is above the message that it is opened at. */
const SHARE_ABOVE = 1 / 4;

function toView(row: MessageRow): ChatMessage {
  const running = isRunning(row.state);
  const live = running && row.generation_id ? liveRuns.get(row.generation_id) : undefined;
  return {
    id: row.id,
    parentId: row.parent_id,
    role: row.role,
    // The text of an image run only describes its steps.
    content: live && !row.images ? row.content + live.shown : row.content,
    createdAt: row.created_at.toISOString(),
    state: row.state ?? 'done',
    generationId: row.generation_id,
    requestKey: row.request_key,
    finishReason: row.finish_reason,
    error: failureText(row.error_message),
    creditsCharged: row.credits_charged ?? 0,
    model: row.model,
    answeredBy: row.answered_by,
    thoughtMs: live ? live.thoughtMs : row.thought_ms,
    web: row.web,
    takenOver: row.taken_over,
    leftOut: row.left_out,
    filesLeftOut: row.files_left_out ?? [],
    assistantName: row.assistant_name,
    versions: row.versions,
    beside: row.beside,
    rating: row.rating,
    images: row.images,
    attachments: row.attachments.map(attachmentView),
  };
}

const empty: MessageWindow = { messages: [], compared: null, older: null, newer: null };

function toWindow(rows: MessageRow[], end: number): MessageWindow {
  const [first, last] = [rows[0], rows.at(-1)];
  return {
    messages: rows.map(toView),
    compared: null,
    older: first && first.depth > 1 ? first.id : null,
    newer: last && last.depth < end ? last.id : null,
  };
}

/** Adds the other reply as `compared` where the chat ends with two replies and the person has chosen neither. */
async function withCompared(chat: ShownChat, window: MessageWindow): Promise<MessageWindow> {
  const last = window.messages.at(-1);
  if (chat.tip !== null || window.newer !== null || !last?.beside || last.parentId === null) return window;
  const other = await findSibling(database(), last.parentId, last.beside.id);
  return { ...window, compared: other && toView(other) };
}

async function requireMessageRef(chatId: string, id: string): Promise<MessageRef> {
  return requireFound(await findMessageRef(database(), chatId, requireUuid(id)));
}

const findTip = ({ id, tip }: ShownChat) => findLeaf(database(), id, tip);

async function windowAtEnd(chat: ShownChat, size: number = PAGE): Promise<MessageWindow> {
  const leaf = await findTip(chat);
  if (!leaf) return empty;
  const from = Math.max(1, leaf.depth - size + 1);
  const range = { sessionId: chat.id, leaf, from, to: leaf.depth };
  return toWindow(await branchRange(database(), range), leaf.depth);
}

async function windowBefore(chat: ShownChat, before: string): Promise<MessageWindow> {
  const { parent_id, depth } = await requireMessageRef(chat.id, before);
  if (!parent_id) return empty;
  const leaf = { id: parent_id, depth: depth - 1 };
  const range = { sessionId: chat.id, leaf, from: Math.max(1, depth - PAGE), to: leaf.depth };
  return toWindow(await branchRange(database(), range), depth);
}

async function windowAfter(chat: ShownChat, after: string): Promise<MessageWindow> {
  const target = await requireMessageRef(chat.id, after);
  const range = { sessionId: chat.id, from: target.depth + 1, to: target.depth + PAGE };
  const readTo = (leaf: MessageRef) => branchRange(database(), { ...range, leaf });
  const tip = await findTip(chat);
  if (tip?.id === target.id) return empty;
  const rows = tip && tip.depth > target.depth ? await readTo(tip) : [];
  if (tip && rows[0]?.parent_id === target.id) return toWindow(rows, tip.depth);
  const leaf = (await findLeaf(database(), chat.id, target.id)) ?? target;
  return leaf.depth > target.depth ? toWindow(await readTo(leaf), leaf.depth) : empty;
}

async function windowOnBranch(
  chat: ShownChat,
  target: MessageRef,
  leaf: MessageRef,
  size: number = PAGE,
): Promise<MessageWindow | null> {
  if (leaf.depth < target.depth) return null;
  const above = Math.floor(size * SHARE_ABOVE);
  const from = Math.max(1, Math.min(target.depth - above, leaf.depth - size + 1));
  const range = { sessionId: chat.id, leaf, from, to: from + size - 1 };
  const rows = await branchRange(database(), range);
  return rows.some(({ id }) => id === target.id) ? toWindow(rows, leaf.depth) : null;
}

export async function selectBranch(
  chat: ShownChat,
  messageId: string,
  size?: number,
): Promise<MessageWindow> {
  const target = await requireMessageRef(chat.id, messageId);
  // A concurrent new message waits for this lock or is visible after it, so selecting a branch never hides it.
  const leaf = await transaction(async (tx) => {
    await lockChat(tx, chat.id);
    const end = (await findLeaf(tx, chat.id, target.id)) ?? target;
    await setTip(tx, chat.id, end.id);
    return end;
  });
  return (await windowOnBranch(chat, target, leaf, size)) ?? windowAtEnd(chat, size);
}

/** Selects the branch of message `at`, unless it is the second of two replies; an unknown id opens the chat's end. */
async function windowAround(chat: ShownChat, at: string, size?: number): Promise<MessageWindow> {
  const target = isUuid(at) ? await findMessageRef(database(), chat.id, at) : null;
  if (!target) return withCompared(chat, await windowAtEnd(chat, size));
  const tip = await findTip(chat);
  const shown = tip && (await windowOnBranch(chat, target, tip, size));
  if (shown) return withCompared(chat, shown);
  // Opening one of two compared replies does not choose it.
  const end = await withCompared(chat, await windowAtEnd(chat, size));
  return end.compared?.id === target.id ? end : selectBranch(chat, target.id, size);
}

export async function readWindow(
  chat: ShownChat,
  { at, before, after, size }: WindowQuery,
): Promise<MessageWindow> {
  if (before !== undefined) return windowBefore(chat, before);
  if (after !== undefined) return withCompared(chat, await windowAfter(chat, after));
  return at === undefined ? withCompared(chat, await windowAtEnd(chat, size)) : windowAround(chat, at, size);
}
