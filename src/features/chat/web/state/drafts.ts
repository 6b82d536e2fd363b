import { storageKeys } from '#client/storage.ts';
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
const draftLifetime = 30 * day;
const pendingLifetime = 30 * 60 * 1000;
const draftPrefix = 'draft:';
const pendingName = 'pending-send';

const asText = (value: unknown) => (typeof value === 'string' ? value : undefined);

type StoredValue = Record<string, unknown> & { at: number };

const readValue = (storage: DraftStorage, name: string) => parse(storage.getItem(name));

function parse(json: string | null): StoredValue | null {
  try {
    const value: unknown = JSON.parse(json ?? 'null');
    return typeof Object(value).at === 'number' ? (value as StoredValue) : null;
  } catch {
    return null;
  }
}

function isFile(value: unknown): value is Attachment {
  const { id, name, kind } = Object(value) as Partial<Record<keyof Attachment, unknown>>;
  return [id, name, kind].every((part) => typeof part === 'string');
}

/** `attachment` is from drafts before there could be several files. */
function filesOf(stored: StoredValue | null): Attachment[] {
  const { attachments, attachment } = (stored ?? {}) as Record<string, unknown>;
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

const storageName = (place: string | null) => draftPrefix + (place ?? 'new');

/** Returns a user id; null for a guest's draft, and if there is none. */
export const draftOwner = (storage: DraftStorage, place: string | null): string | null =>
  asText(readValue(storage, storageName(place))?.owner) ?? null;

/** Whether another person wrote it, so that it is neither shown nor sent; a guest's draft (null) is open to all. */
export const isForeign = (owner: string | null, reader: string | null) =>
  owner !== null && reader !== null && owner !== reader;

export function readDraft(storage: DraftStorage, place: string | null, reader: string | null): DraftContent {
  const stored = readValue(storage, storageName(place));
  if (isForeign(asText(stored?.owner) ?? null, reader)) return emptyDraft;
  return { text: asText(stored?.text) ?? '', attachments: filesOf(stored) };
}

interface SentDraft {
  key: string;
  text: string;
  fileIds: string[];
}

function readSent(stored: StoredValue | null): SentDraft | undefined {
  const { key, text, fileIds, fileId } = (stored?.sent ?? {}) as StoredValue;
  if (typeof key !== 'string' || typeof text !== 'string') return undefined;
  const ids = Array.isArray(fileIds) ? fileIds : [fileId];
  return { key, text, fileIds: ids.filter((id) => typeof id === 'string') };
}

function writeDraft(
  storage: DraftStorage,
  name: string,
  { text, attachments, ...rest }: DraftContent & { at: number; owner: unknown; sent: SentDraft | undefined },
): void {
  const value = { text, ...rest, ...(attachments.length > 0 ? { attachments } : {}) };
  if (isBlank({ text, attachments })) storage.removeItem(name);
  else storage.setItem(name, JSON.stringify(value));
}

export function saveDraft(
  storage: DraftStorage,
  place: string | null,
  draft: DraftContent,
  owner: string | null,
  now = Date.now(),
): void {
  const name = storageName(place);
  const savedOwner = owner ?? draftOwner(storage, place);
  writeDraft(storage, name, {
    ...draft,
    at: now,
    owner: savedOwner,
    sent: readSent(readValue(storage, name)),
  });
}

export function moveDraft(
  storage: DraftStorage,
  [from, to]: [from: string | null, to: string | null],
  draft: DraftContent,
  owner: string | null,
  now = Date.now(),
): void {
  const savedOwner = owner ?? draftOwner(storage, from);
  const sent = readSent(readValue(storage, storageName(from)));
  saveDraft(storage, from, emptyDraft, owner);
  writeDraft(storage, storageName(to), { ...draft, at: now, owner: savedOwner, sent });
}

export function markSent(
  storage: DraftStorage,
  sending: OutgoingMessage,
  fallback = emptyDraft,
  now = Date.now(),
): void {
  const { key, text, attachments, owner } = sending;
  const place = draftKeyOf(sending);
  const draft = readDraft(storage, place, owner);
  writeDraft(storage, storageName(place), {
    ...(isBlank(draft) ? fallback : draft),
    at: now,
    owner: owner ?? draftOwner(storage, place),
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

/** Removes the messages that the server has (`acceptedKeys`: request keys) from all drafts; changed ones stay whole. */
export function removeSent(
  storage: DraftStorage,
  acceptedKeys: ReadonlySet<string>,
): { place: string | null; before: string; now: DraftContent }[] {
  return draftNames(storage).flatMap((name) => {
    const stored = readValue(storage, name);
    const sent = readSent(stored);
    if (!stored || !sent || !acceptedKeys.has(sent.key)) return [];
    const draft = { text: asText(stored.text) ?? '', attachments: filesOf(stored) };
    const rest = withoutSent(draft, sent);
    writeDraft(storage, name, { ...(rest ?? draft), at: stored.at, owner: stored.owner, sent: undefined });
    const place = name === storageName(null) ? null : name.slice(draftPrefix.length);
    return rest ? [{ place, before: draft.text, now: rest }] : [];
  });
}

export const prefillChatId = (storage: DraftStorage): string | null =>
  asText(readValue(storage, storageName(prefillDraftKey))?.chat) ?? null;

export function removedDraft(
  { key, oldValue, newValue }: Pick<StorageEvent, 'key' | 'oldValue' | 'newValue'>,
  place: string | null,
): string | null {
  return key === storageName(place) && newValue === null ? (asText(parse(oldValue)?.text) ?? null) : null;
}

export function dropDraft(
  storage: DraftStorage,
  place: string | null,
  sent: DraftContent & { owner: string | null },
): void {
  const draft = readDraft(storage, place, sent.owner);
  const isSame =
    draft.text === sent.text && idsOf(draft.attachments).join() === idsOf(sent.attachments).join();
  const at = readValue(storage, storageName(place))?.at ?? Date.now();
  const owner = sent.owner ?? draftOwner(storage, place);
  writeDraft(storage, storageName(place), { ...(isSame ? emptyDraft : draft), at, owner, sent: undefined });
}

export const forgetDraft = (storage: DraftStorage, place: string) => storage.removeItem(storageName(place));

export const joinTexts = (refused: string, typed: string) =>
  typed === '' || typed === refused ? refused : `${refused}\n\n${typed}`;

/** Puts the message before what was typed there since. */
export function returnToDraft(
  storage: DraftStorage,
  place: string | null,
  { text, attachments, owner }: DraftContent & { owner: string | null },
): void {
  const since = readDraft(storage, place, owner);
  const both = { text: joinTexts(text, since.text), attachments: joinFiles(attachments, since.attachments) };
  saveDraft(storage, place, both, owner);
}

const draftNames = (storage: DraftStorage) =>
  storageKeys(storage).filter((name) => name.startsWith(draftPrefix));

export const draftKeys = (storage: DraftStorage): Set<string> =>
  new Set(draftNames(storage).map((name) => name.slice(draftPrefix.length)));

export function sweepDrafts(storage: DraftStorage, which: 'old' | 'all', now = Date.now()): void {
  for (const name of draftNames(storage)) {
    const at = readValue(storage, name)?.at ?? 0;
    if (which === 'all' || now - at > draftLifetime) storage.removeItem(name);
  }
}

/** Gives a guest's drafts to the person who has signed in; removes another person's. */
export function claimDrafts(storage: DraftStorage, person: string): void {
  for (const name of [...draftNames(storage), pendingName]) {
    const stored = readValue(storage, name);
    if (!stored || stored.owner === person) continue;
    if (asText(stored.owner) !== undefined) storage.removeItem(name);
    else storage.setItem(name, JSON.stringify({ ...stored, owner: person }));
  }
}

/** Returns the message that waits for the sign-in; its key ensures that it is sent once. Null after 30 minutes. */
export function readPending(storage: DraftStorage, now = Date.now()): OutgoingMessage | null {
  const value = readValue(storage, pendingName);
  if (!value || now - value.at > pendingLifetime) return null;
  const { text, key, chatId, create } = value;
  if (typeof text !== 'string' || typeof key !== 'string' || typeof chatId !== 'string') return null;
  return {
    text,
    key,
    chatId,
    owner: asText(value.owner) ?? null,
    create: create === true,
    attachments: filesOf(value),
    assistant: asText(value.assistant),
    ...(value.temporary === true ? { temporary: true } : {}),
    projectId: asText(value.projectId),
    replaces: asText(value.replaces),
    parentId: asText(value.parentId),
    ...('model' in value ? { model: asText(value.model) ?? null } : {}),
    ...(typeof value.price === 'number' ? { price: value.price } : {}),
    web: value.web === true || undefined,
    compare: value.compare as ComparedModel | undefined,
    draw: asText(value.draw) as ImageSize | undefined,
  };
}

export function savePending(storage: DraftStorage, pending: OutgoingMessage, now = Date.now()): void {
  storage.setItem(pendingName, JSON.stringify({ ...pending, at: now }));
}

export function dropPending(storage: DraftStorage, key?: string): void {
  if (key === undefined || readPending(storage)?.key === key) storage.removeItem(pendingName);
}

export function withdrawPending(storage: DraftStorage, place: string | null): void {
  const pending = readPending(storage);
  if (pending && draftKeyOf(pending) === place) dropPending(storage, pending.key);
}
