import type { Sending } from './sending.ts';

/** The part of localStorage that is used here; tests give a Map-like one. */
export type Shelf = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;

const day = 24 * 60 * 60 * 1000;
const draftLife = 30 * day;
const pendingLife = 30 * 60 * 1000;
const draftPrefix = 'draft:';
const pendingName = 'pending-send';

/** Storage may be full, switched off or hold a stranger's value: the page works without it. */
function attempt<T>(work: () => T, otherwise: T): T {
  try {
    return work();
  } catch {
    return otherwise;
  }
}

function read(shelf: Shelf, name: string): (Record<string, unknown> & { at: number }) | null {
  return attempt(() => {
    const value: unknown = JSON.parse(shelf.getItem(name) ?? 'null');
    if (typeof value !== 'object' || value === null) return null;
    return typeof (value as { at?: unknown }).at === 'number' ? (value as { at: number }) : null;
  }, null);
}

/** The draft of a chat, '' when there is none. `id` is null for a chat not yet begun. */
export function readDraft(shelf: Shelf, id: string | null): string {
  const text = read(shelf, draftPrefix + (id ?? 'new'))?.text;
  return typeof text === 'string' ? text : '';
}

/** Keeps the draft of a chat; an empty one is removed. */
export function keepDraft(shelf: Shelf, id: string | null, text: string, now = Date.now()): void {
  const name = draftPrefix + (id ?? 'new');
  attempt(
    () => (text === '' ? shelf.removeItem(name) : shelf.setItem(name, JSON.stringify({ text, at: now }))),
    undefined,
  );
}

/** Both texts, the refused one first; once when it is what was typed. */
export const joinTexts = (refused: string, typed: string) =>
  typed === '' || typed === refused ? refused : `${refused}\n\n${typed}`;

/** Puts a refused message into the draft of a chat that is not open, before what was typed there since. */
export function returnToDraft(shelf: Shelf, id: string | null, text: string): void {
  keepDraft(shelf, id, joinTexts(text, readDraft(shelf, id)));
}

/** Removes drafts older than 30 days, or all of them. */
export function sweepDrafts(shelf: Shelf, which: 'old' | 'all', now = Date.now()): void {
  attempt(() => {
    const names = Array.from({ length: shelf.length }, (_, at) => shelf.key(at) ?? '');
    for (const name of names.filter((known) => known.startsWith(draftPrefix))) {
      const at = read(shelf, name)?.at ?? 0;
      if (which === 'all' || now - at > draftLife) shelf.removeItem(name);
    }
  }, undefined);
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);

/** The message that waits for a sign-in; its key and chat stay, so that it is sent once. Null when there is none or it has waited more than 30 minutes. */
export function readPending(shelf: Shelf, now = Date.now()): Sending | null {
  const value = read(shelf, pendingName);
  if (!value || now - value.at > pendingLife) return null;
  const { text, key, chatId, create, attachment } = value;
  if (typeof text !== 'string' || typeof key !== 'string' || typeof chatId !== 'string') return null;
  const file = typeof attachment === 'object' ? (attachment as Sending['attachment']) : null;
  return {
    text,
    key,
    chatId,
    create: create === true,
    attachment: file,
    assistant: textOf(value.assistant),
    replaces: textOf(value.replaces),
    parentId: textOf(value.parentId),
  };
}

export function keepPending(shelf: Shelf, pending: Sending, now = Date.now()): void {
  attempt(() => shelf.setItem(pendingName, JSON.stringify({ ...pending, at: now })), undefined);
}

/** Forgets the waiting message; with a key, only when it is that one. */
export function dropPending(shelf: Shelf, key?: string): void {
  if (key === undefined || readPending(shelf)?.key === key)
    attempt(() => shelf.removeItem(pendingName), undefined);
}

/** Forgets the waiting message of a chat because its text was changed: what is sent now is what the box shows. */
export function withdrawPending(shelf: Shelf, id: string | null): void {
  const pending = readPending(shelf);
  if (pending && (pending.create ? null : pending.chatId) === id) dropPending(shelf, pending.key);
}
