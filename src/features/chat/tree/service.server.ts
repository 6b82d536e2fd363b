import { validate as isUuid } from 'uuid';
import { database, transaction } from '../../../platform/database/database.server.ts';
import { notFound } from '../../../platform/http/problem.server.ts';
import { liveRuns } from '../../generations/live/service.server.ts';
import { type ChatMessage, type ChatView, chatLimits } from '../contract.ts';
import { branchPart, leafOf, lockChat, type MessageRow, type Spot, setTip, spotOf } from './store.server.ts';

/** Which part of a chat is wanted; see ChatView. */
export interface Wanted {
  at?: string;
  before?: string;
  after?: string;
}

/** The chat whose messages are wanted; `tip` ends the branch that it shows, null for the newest. */
export interface Shown {
  id: string;
  tip: string | null;
}

export type Window = Pick<ChatView, 'messages' | 'older' | 'newer'>;

const PAGE = chatLimits.messagesPerPage;
/** How many messages of a window stand above the one that it was opened at. */
const ABOVE = Math.floor(PAGE / 4);

function viewOf(row: MessageRow): ChatMessage {
  const running = row.state === 'queued' || row.state === 'running';
  const live = running && row.generation_id ? liveRuns.get(row.generation_id) : undefined;
  return {
    id: row.id,
    parentId: row.parent_id,
    role: row.role,
    content: live ? row.content + live.text : row.content,
    createdAt: row.created_at.toISOString(),
    state: row.state ?? 'done',
    generationId: row.generation_id,
    finishReason: row.finish_reason,
    error: row.error_message,
    creditsCharged: row.credits_charged ?? 0,
    model: row.model,
    takenOver: row.taken_over,
    leftOut: row.left_out,
    versions: row.versions,
    attachment: row.attachment,
  };
}

/** A window of rows of a branch whose last message has the depth `end`. */
function windowOf(rows: MessageRow[], end: number): Window {
  const [first, last] = [rows[0], rows.at(-1)];
  return {
    messages: rows.map(viewOf),
    older: first && first.depth > 1 ? first.id : null,
    newer: last && last.depth < end ? last.id : null,
  };
}

async function proven(chatId: string, id: string): Promise<Spot> {
  const spot = isUuid(id) ? await spotOf(database(), chatId, id) : null;
  if (!spot) throw notFound();
  return spot;
}

/** The end of the branch that a chat shows, with all that was said below its tip; null for an empty chat. */
const tipOf = ({ id, tip }: Shown) => leafOf(database(), id, tip);

async function endOf(chat: Shown): Promise<Window> {
  const leaf = await tipOf(chat);
  if (!leaf) return { messages: [], older: null, newer: null };
  const part = {
    sessionId: chat.id,
    leaf: leaf.id,
    from: Math.max(1, leaf.depth - PAGE + 1),
    to: leaf.depth,
  };
  return windowOf(await branchPart(database(), part), leaf.depth);
}

async function above(chat: Shown, before: string): Promise<Window> {
  const { parent_id, depth } = await proven(chat.id, before);
  if (!parent_id) return { messages: [], older: null, newer: null };
  const part = { sessionId: chat.id, leaf: parent_id, from: Math.max(1, depth - PAGE), to: depth - 1 };
  return windowOf(await branchPart(database(), part), depth);
}

/** What stands below a message: on the branch that is shown, or else on the newest one through it. */
async function below(chat: Shown, after: string): Promise<Window> {
  const spot = await proven(chat.id, after);
  const from = (leaf: Spot) =>
    branchPart(database(), {
      sessionId: chat.id,
      leaf: leaf.id,
      from: spot.depth + 1,
      to: spot.depth + PAGE,
    });
  const tip = await tipOf(chat);
  if (tip?.id === spot.id) return { messages: [], older: null, newer: null };
  const rows = tip && tip.depth > spot.depth ? await from(tip) : [];
  if (tip && rows[0]?.parent_id === spot.id) return windowOf(rows, tip.depth);
  const leaf = (await leafOf(database(), chat.id, spot.id)) ?? spot;
  return leaf.depth > spot.depth
    ? windowOf(await from(leaf), leaf.depth)
    : { messages: [], older: null, newer: null };
}

/** The part of a branch around a message; null when the message is not on it. */
async function aroundOn(chat: Shown, spot: Spot, leaf: Spot): Promise<Window | null> {
  if (leaf.depth < spot.depth) return null;
  const from = Math.max(1, Math.min(spot.depth - ABOVE, leaf.depth - PAGE + 1));
  const part = { sessionId: chat.id, leaf: leaf.id, from, to: from + PAGE - 1 };
  const rows = await branchPart(database(), part);
  return rows.some(({ id }) => id === spot.id) ? windowOf(rows, leaf.depth) : null;
}

/** Shows the newest branch through a message from now on, and gives the part around it. @throws Problem not_found. */
export async function choose(chat: Shown, messageId: string): Promise<Window> {
  const spot = await proven(chat.id, messageId);
  // What is said meanwhile waits for the lock or is seen after it, so that no choice hides it.
  const leaf = await transaction(async (tx) => {
    await lockChat(tx, chat.id);
    const end = (await leafOf(tx, chat.id, spot.id)) ?? spot;
    await setTip(tx, chat.id, end.id);
    return end;
  });
  return (await aroundOn(chat, spot, leaf)) ?? endOf(chat);
}

/** The surroundings of a message; a message of another branch chooses that one. An unknown id gives the chat's end. */
async function around(chat: Shown, at: string): Promise<Window> {
  const spot = isUuid(at) ? await spotOf(database(), chat.id, at) : null;
  if (!spot) return endOf(chat);
  const tip = await tipOf(chat);
  return (tip && (await aroundOn(chat, spot, tip))) ?? choose(chat, spot.id);
}

/**
 * A part of the branch that a chat shows: its end, or what is wanted.
 * @throws Problem not_found for a `before` or `after` that is no message of the chat.
 */
export function part(chat: Shown, { at, before, after }: Wanted): Promise<Window> {
  if (before !== undefined) return above(chat, before);
  if (after !== undefined) return below(chat, after);
  return at === undefined ? endOf(chat) : around(chat, at);
}
