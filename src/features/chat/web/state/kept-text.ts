import { namesIn } from '../../../../client/storage.ts';
import type { Attachment } from '../../attachments/contract.ts';
import { handoverPlace } from '../../handover/contract.ts';
import type { Outgoing } from './controls.ts';
import type { Sending } from './sending.ts';

/** The part of the browser's storage that is used here; tests give a Map-like one. */
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

type Kept = Record<string, unknown> & { at: number };

const read = (shelf: Shelf, name: string) => attempt(() => parse(shelf.getItem(name)), null);

function parse(json: string | null): Kept | null {
  return attempt(() => {
    const value: unknown = JSON.parse(json ?? 'null');
    if (typeof value !== 'object' || value === null) return null;
    return typeof (value as { at?: unknown }).at === 'number' ? (value as Kept) : null;
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

const nameOf = (place: string | null) => draftPrefix + (place ?? 'new');

/** Who wrote the draft of a place, by user id; null for a guest, and where there is no draft. */
export const draftOwner = (shelf: Shelf, place: string | null): string | null =>
  textOf(read(shelf, nameOf(place))?.owner) ?? null;

/** Whether what one person (null: a guest) wrote must not be shown to, nor sent for, another. */
export const isForeign = (owner: string | null, reader: string | null) =>
  owner !== null && reader !== null && owner !== reader;

/** The draft kept at a place, blank when there is none, or none of this reader's. */
export function readDraft(shelf: Shelf, place: string | null, reader: string | null): Outgoing {
  const kept = read(shelf, nameOf(place));
  if (isForeign(textOf(kept?.owner) ?? null, reader)) return blank;
  return { text: textOf(kept?.text) ?? '', attachment: fileOf(kept?.attachment) };
}

/** Keeps the draft of a place for its writer; a blank one is removed. A guest's changes leave it to whom it belonged. */
export function keepDraft(
  shelf: Shelf,
  place: string | null,
  draft: Outgoing,
  owner: string | null,
  now = Date.now(),
): void {
  const name = nameOf(place);
  const { text, attachment } = draft;
  const written = { text, at: now, owner: owner ?? draftOwner(shelf, place) };
  const kept = attachment ? { ...written, attachment } : written;
  attempt(
    () => (isBlank(draft) ? shelf.removeItem(name) : shelf.setItem(name, JSON.stringify(kept))),
    undefined,
  );
}

/** Id of the chat that a text was left for by another page; null: a new one. */
export const handoverChat = (shelf: Shelf): string | null =>
  textOf(read(shelf, nameOf(handoverPlace))?.chat) ?? null;

/** The text of the draft of a place, where a storage event says that another tab has removed it; else null. */
export function removedDraft(
  { key, oldValue, newValue }: Pick<StorageEvent, 'key' | 'oldValue' | 'newValue'>,
  place: string | null,
): string | null {
  return key === nameOf(place) && newValue === null ? (textOf(parse(oldValue)?.text) ?? null) : null;
}

/** Forgets the draft of a place if it is what was sent; what was changed since belongs to the next message. */
export function dropDraft(
  shelf: Shelf,
  place: string | null,
  sent: Outgoing & { owner: string | null },
): void {
  const { text, attachment } = readDraft(shelf, place, sent.owner);
  if (text === sent.text && attachment?.id === sent.attachment?.id)
    keepDraft(shelf, place, blank, sent.owner);
}

/** Both texts, the refused one first; once when it is what was typed. */
export const joinTexts = (refused: string, typed: string) =>
  typed === '' || typed === refused ? refused : `${refused}\n\n${typed}`;

/** Puts a refused message into a draft that is not shown, before what was typed there since; a newer file stays. */
export function returnToDraft(
  shelf: Shelf,
  place: string | null,
  { text, attachment, owner }: Outgoing & { owner: string | null },
): void {
  const since = readDraft(shelf, place, owner);
  const both = { text: joinTexts(text, since.text), attachment: since.attachment ?? attachment };
  keepDraft(shelf, place, both, owner);
}

const draftNames = (shelf: Shelf) => namesIn(shelf).filter((name) => name.startsWith(draftPrefix));

/** Ids of the questions and chats that have a draft. */
export const draftPlaces = (shelf: Shelf): Set<string> =>
  new Set(attempt(() => draftNames(shelf).map((name) => name.slice(draftPrefix.length)), []));

/** Removes drafts older than 30 days, or all of them. */
export function sweepDrafts(shelf: Shelf, which: 'old' | 'all', now = Date.now()): void {
  attempt(() => {
    for (const name of draftNames(shelf)) {
      const at = read(shelf, name)?.at ?? 0;
      if (which === 'all' || now - at > draftLife) shelf.removeItem(name);
    }
  }, undefined);
}

/**
 * What is kept belongs to the person who has signed in: a guest's becomes theirs, and what another person typed or
 * wanted to send is removed.
 */
export function claimTexts(shelf: Shelf, person: string): void {
  attempt(() => {
    for (const name of [...draftNames(shelf), pendingName]) {
      const kept = read(shelf, name);
      if (!kept || kept.owner === person) continue;
      if (textOf(kept.owner) !== undefined) shelf.removeItem(name);
      else shelf.setItem(name, JSON.stringify({ ...kept, owner: person }));
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
    owner: textOf(value.owner) ?? null,
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
