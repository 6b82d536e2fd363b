import { namesIn } from '#client/storage.ts';
import type { ImageSize } from '#features/images/contract.ts';
import { type Attachment, attachmentLimits, type ComparedModel } from '../../contract.ts';
import { prefillDraftKey } from '../../prefill.ts';

export type DraftStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;

export interface DraftContent {
  text: string;
  attachments: Attachment[];
}

export interface OutgoingMessage extends DraftContent {
  key: string;
  /** User id; null: sent for whoever signs in. */
  owner: string | null;
  chatId: string;
  create: boolean;
  assistant?: string;
  temporary?: boolean;
  projectId?: string | undefined;
  replaces?: string | null;
  /** Null: the end of the shown branch. */
  parentId?: string | null;
  /** Undefined if there is no choice. */
  model?: string | null | undefined;
  price?: number | undefined;
  compare?: ComparedModel | undefined;
  /** Searches the web first. */
  web?: boolean | undefined;
  draw?: ImageSize | undefined;
}

const day = 24 * 60 * 60 * 1000;
const draftLife = 30 * day;
const pendingLife = 30 * 60 * 1000;
const draftPrefix = 'draft:';
const pendingName = 'pending-send';

const textOf = (value: unknown) => (typeof value === 'string' ? value : undefined);

type Kept = Record<string, unknown> & { at: number };

const read = (shelf: DraftStorage, name: string) => parse(shelf.getItem(name));

function parse(json: string | null): Kept | null {
  try {
    const value: unknown = JSON.parse(json ?? 'null');
    return typeof Object(value).at === 'number' ? (value as Kept) : null;
  } catch {
    return null;
  }
}

function isFile(value: unknown): value is Attachment {
  const { id, name, kind } = Object(value) as Partial<Record<keyof Attachment, unknown>>;
  return [id, name, kind].every((part) => typeof part === 'string');
}

/** `attachment` is from drafts before there could be several files. */
function filesOf(kept: Kept | null): Attachment[] {
  const { attachments, attachment } = (kept ?? {}) as Record<string, unknown>;
  return (Array.isArray(attachments) ? attachments : [attachment]).filter(isFile);
}

export const emptyDraft: DraftContent = { text: '', attachments: [] };

export const isBlank = ({ text, attachments }: DraftContent) => text === '' && attachments.length === 0;

const idsOf = (files: readonly Attachment[]) => files.map(({ id }) => id);

/** Puts the files of a returned message before those that were attached since. */
export const joinFiles = (refused: Attachment[], since: Attachment[]): Attachment[] =>
  [...refused.filter(({ id }) => !idsOf(since).includes(id)), ...since].slice(-attachmentLimits.perMessage);

/** Returns the id of the question that the message replaces, else of its chat; null for a new chat. */
export const draftKeyOf = ({
  replaces,
  create,
  chatId,
}: Pick<OutgoingMessage, 'replaces' | 'create' | 'chatId'>) => replaces ?? (create ? null : chatId);

const nameOf = (place: string | null) => draftPrefix + (place ?? 'new');

/** Returns a user id; null for a guest's draft, and if there is none. */
export const draftOwner = (shelf: DraftStorage, place: string | null): string | null =>
  textOf(read(shelf, nameOf(place))?.owner) ?? null;

/** Whether another person wrote it, so that it is neither shown nor sent; a guest's draft (null) is open to all. */
export const isForeign = (owner: string | null, reader: string | null) =>
  owner !== null && reader !== null && owner !== reader;

export function readDraft(shelf: DraftStorage, place: string | null, reader: string | null): DraftContent {
  const kept = read(shelf, nameOf(place));
  if (isForeign(textOf(kept?.owner) ?? null, reader)) return emptyDraft;
  return { text: textOf(kept?.text) ?? '', attachments: filesOf(kept) };
}

interface SentDraft {
  key: string;
  text: string;
  fileIds: string[];
}

function sentOf(kept: Kept | null): SentDraft | undefined {
  const { key, text, fileIds, fileId } = (kept?.sent ?? {}) as Kept;
  if (typeof key !== 'string' || typeof text !== 'string') return undefined;
  const ids = Array.isArray(fileIds) ? fileIds : [fileId];
  return { key, text, fileIds: ids.filter((id) => typeof id === 'string') };
}

function writeDraft(
  shelf: DraftStorage,
  name: string,
  { text, attachments, ...rest }: DraftContent & { at: number; owner: unknown; sent: SentDraft | undefined },
): void {
  const kept = { text, ...rest, ...(attachments.length > 0 ? { attachments } : {}) };
  if (isBlank({ text, attachments })) shelf.removeItem(name);
  else shelf.setItem(name, JSON.stringify(kept));
}

export function saveDraft(
  shelf: DraftStorage,
  place: string | null,
  draft: DraftContent,
  owner: string | null,
  now = Date.now(),
): void {
  const name = nameOf(place);
  const whose = owner ?? draftOwner(shelf, place);
  writeDraft(shelf, name, { ...draft, at: now, owner: whose, sent: sentOf(read(shelf, name)) });
}

export function moveDraft(
  shelf: DraftStorage,
  [from, to]: [from: string | null, to: string | null],
  draft: DraftContent,
  owner: string | null,
  now = Date.now(),
): void {
  const whose = owner ?? draftOwner(shelf, from);
  const sent = sentOf(read(shelf, nameOf(from)));
  saveDraft(shelf, from, emptyDraft, owner);
  writeDraft(shelf, nameOf(to), { ...draft, at: now, owner: whose, sent });
}

export function markSent(
  shelf: DraftStorage,
  sending: OutgoingMessage,
  otherwise = emptyDraft,
  now = Date.now(),
): void {
  const { key, text, attachments, owner } = sending;
  const place = draftKeyOf(sending);
  const draft = readDraft(shelf, place, owner);
  writeDraft(shelf, nameOf(place), {
    ...(isBlank(draft) ? otherwise : draft),
    at: now,
    owner: owner ?? draftOwner(shelf, place),
    sent: { key, text, fileIds: idsOf(attachments) },
  });
}

function withoutSent({ text, attachments }: DraftContent, sent: SentDraft): DraftContent | null {
  if (text === sent.text) return idsOf(attachments).join() === sent.fileIds.join() ? emptyDraft : null;
  const start = joinTexts(sent.text, ' ').slice(0, -1);
  if (!text.startsWith(start)) return null;
  return {
    text: text.slice(start.length),
    attachments: attachments.filter(({ id }) => !sent.fileIds.includes(id)),
  };
}

/** Removes the messages that the server has (`taken`: request keys) from all drafts; changed ones stay whole. */
export function takeOutSent(
  shelf: DraftStorage,
  taken: ReadonlySet<string>,
): { place: string | null; before: string; now: DraftContent }[] {
  return draftNames(shelf).flatMap((name) => {
    const kept = read(shelf, name);
    const sent = sentOf(kept);
    if (!kept || !sent || !taken.has(sent.key)) return [];
    const draft = { text: textOf(kept.text) ?? '', attachments: filesOf(kept) };
    const left = withoutSent(draft, sent);
    writeDraft(shelf, name, { ...(left ?? draft), at: kept.at, owner: kept.owner, sent: undefined });
    const place = name === nameOf(null) ? null : name.slice(draftPrefix.length);
    return left ? [{ place, before: draft.text, now: left }] : [];
  });
}

export const prefillChatId = (shelf: DraftStorage): string | null =>
  textOf(read(shelf, nameOf(prefillDraftKey))?.chat) ?? null;

export function removedDraft(
  { key, oldValue, newValue }: Pick<StorageEvent, 'key' | 'oldValue' | 'newValue'>,
  place: string | null,
): string | null {
  return key === nameOf(place) && newValue === null ? (textOf(parse(oldValue)?.text) ?? null) : null;
}

export function dropDraft(
  shelf: DraftStorage,
  place: string | null,
  sent: DraftContent & { owner: string | null },
): void {
  const draft = readDraft(shelf, place, sent.owner);
  const same = draft.text === sent.text && idsOf(draft.attachments).join() === idsOf(sent.attachments).join();
  const at = read(shelf, nameOf(place))?.at ?? Date.now();
  const owner = sent.owner ?? draftOwner(shelf, place);
  writeDraft(shelf, nameOf(place), { ...(same ? emptyDraft : draft), at, owner, sent: undefined });
}

export const forgetDraft = (shelf: DraftStorage, place: string) => shelf.removeItem(nameOf(place));

export const joinTexts = (refused: string, typed: string) =>
  typed === '' || typed === refused ? refused : `${refused}\n\n${typed}`;

/** Puts the message before what was typed there since. */
export function returnToDraft(
  shelf: DraftStorage,
  place: string | null,
  { text, attachments, owner }: DraftContent & { owner: string | null },
): void {
  const since = readDraft(shelf, place, owner);
  const both = { text: joinTexts(text, since.text), attachments: joinFiles(attachments, since.attachments) };
  saveDraft(shelf, place, both, owner);
}

const draftNames = (shelf: DraftStorage) => namesIn(shelf).filter((name) => name.startsWith(draftPrefix));

export const draftKeys = (shelf: DraftStorage): Set<string> =>
  new Set(draftNames(shelf).map((name) => name.slice(draftPrefix.length)));

export function sweepDrafts(shelf: DraftStorage, which: 'old' | 'all', now = Date.now()): void {
  for (const name of draftNames(shelf)) {
    const at = read(shelf, name)?.at ?? 0;
    if (which === 'all' || now - at > draftLife) shelf.removeItem(name);
  }
}

/** Gives a guest's drafts to the person who has signed in; removes another person's. */
export function claimDrafts(shelf: DraftStorage, person: string): void {
  for (const name of [...draftNames(shelf), pendingName]) {
    const kept = read(shelf, name);
    if (!kept || kept.owner === person) continue;
    if (textOf(kept.owner) !== undefined) shelf.removeItem(name);
    else shelf.setItem(name, JSON.stringify({ ...kept, owner: person }));
  }
}

/** Returns the message that waits for the sign-in; its key ensures that it is sent once. Null after 30 minutes. */
export function readPending(shelf: DraftStorage, now = Date.now()): OutgoingMessage | null {
  const value = read(shelf, pendingName);
  if (!value || now - value.at > pendingLife) return null;
  const { text, key, chatId, create } = value;
  if (typeof text !== 'string' || typeof key !== 'string' || typeof chatId !== 'string') return null;
  return {
    text,
    key,
    chatId,
    owner: textOf(value.owner) ?? null,
    create: create === true,
    attachments: filesOf(value),
    assistant: textOf(value.assistant),
    ...(value.temporary === true ? { temporary: true } : {}),
    projectId: textOf(value.projectId),
    replaces: textOf(value.replaces),
    parentId: textOf(value.parentId),
    ...('model' in value ? { model: textOf(value.model) ?? null } : {}),
    ...(typeof value.price === 'number' ? { price: value.price } : {}),
    web: value.web === true || undefined,
    compare: value.compare as ComparedModel | undefined,
    draw: textOf(value.draw) as ImageSize | undefined,
  };
}

export function savePending(shelf: DraftStorage, pending: OutgoingMessage, now = Date.now()): void {
  shelf.setItem(pendingName, JSON.stringify({ ...pending, at: now }));
}

export function dropPending(shelf: DraftStorage, key?: string): void {
  if (key === undefined || readPending(shelf)?.key === key) shelf.removeItem(pendingName);
}

export function withdrawPending(shelf: DraftStorage, place: string | null): void {
  const pending = readPending(shelf);
  if (pending && draftKeyOf(pending) === place) dropPending(shelf, pending.key);
}
