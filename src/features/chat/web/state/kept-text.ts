import type { Attachment } from '../../attachments/contract.ts';
import type { Outgoing } from './controls.ts';
import type { Sending } from './sending.ts';

/** The part of localStorage that is used here; tests give a Map-like one. */
export type Shelf = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;

const day = 24 * 60 * 60 * 1000;
const draftLife = 30 * day;
const pendingLife = 30 * 60 * 1000;
const draftPrefix = 'draft:';
const pendingName = 'pending-send';

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);

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

/** A file as a draft or a waiting message holds it; null for what is none. */
function fileOf(value: unknown): Attachment | null {
  if (typeof value !== 'object' || value === null) return null;
  const { id, name, kind } = value as Partial<Record<keyof Attachment, unknown>>;
  const known = typeof id === 'string' && typeof name === 'string' && (kind === 'image' || kind === 'pdf');
  return known ? (value as Attachment) : null;
}

/** Nothing typed and no file. */
export const blank: Outgoing = { text: '', attachment: null };

/** Whether there is neither a text nor a file. */
export const isBlank = ({ text, attachment }: Outgoing) => text === '' && attachment === null;

/**
 * Where the draft of a message is kept: under the question that it is another version of, under its chat, or (null)
 * under the chat not yet begun.
 */
export const placeOf = ({ replaces, create, chatId }: Pick<Sending, 'replaces' | 'create' | 'chatId'>) =>
  replaces ?? (create ? null : chatId);

/** The draft kept at a place, blank when there is none. */
export function readDraft(shelf: Shelf, place: string | null): Outgoing {
  const kept = read(shelf, draftPrefix + (place ?? 'new'));
  return { text: textOf(kept?.text) ?? '', attachment: fileOf(kept?.attachment) };
}

/** Keeps the draft of a place; a blank one is removed. */
export function keepDraft(shelf: Shelf, place: string | null, draft: Outgoing, now = Date.now()): void {
  const name = draftPrefix + (place ?? 'new');
  const { text, attachment } = draft;
  const kept = attachment ? { text, attachment, at: now } : { text, at: now };
  attempt(
    () => (isBlank(draft) ? shelf.removeItem(name) : shelf.setItem(name, JSON.stringify(kept))),
    undefined,
  );
}

/** Forgets the draft of a place if it is what was sent; what was changed since belongs to the next message. */
export function dropDraft(shelf: Shelf, place: string | null, sent: Outgoing): void {
  const { text, attachment } = readDraft(shelf, place);
  if (text === sent.text && attachment?.id === sent.attachment?.id) keepDraft(shelf, place, blank);
}

/** Both texts, the refused one first; once when it is what was typed. */
export const joinTexts = (refused: string, typed: string) =>
  typed === '' || typed === refused ? refused : `${refused}\n\n${typed}`;

/** Puts a refused message into a draft that is not shown, before what was typed there since; a newer file stays. */
export function returnToDraft(shelf: Shelf, place: string | null, { text, attachment }: Outgoing): void {
  const since = readDraft(shelf, place);
  keepDraft(shelf, place, {
    text: joinTexts(text, since.text),
    attachment: since.attachment ?? attachment,
  });
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

/** The message that waits for a sign-in; its key and chat stay, so that it is sent once. Null when there is none or it has waited more than 30 minutes. */
export function readPending(shelf: Shelf, now = Date.now()): Sending | null {
  const value = read(shelf, pendingName);
  if (!value || now - value.at > pendingLife) return null;
  const { text, key, chatId, create, attachment } = value;
  if (typeof text !== 'string' || typeof key !== 'string' || typeof chatId !== 'string') return null;
  return {
    text,
    key,
    chatId,
    create: create === true,
    attachment: fileOf(attachment),
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

/** Forgets the waiting message of a place because it was changed there: what is sent now is what the box shows. */
export function withdrawPending(shelf: Shelf, place: string | null): void {
  const pending = readPending(shelf);
  if (pending && placeOf(pending) === place) dropPending(shelf, pending.key);
}
