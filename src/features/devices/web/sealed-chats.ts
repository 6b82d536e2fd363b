import { type DBSchema, deleteDB, type IDBPDatabase, type OpenDBCallbacks, openDB } from 'idb';
import { type DeviceChats, type KeptContent, type KeptHead, keptDatabase, keptLimits } from '../contract.ts';

interface Lock {
  /** Not extractable, so that no script can read it. */
  key: CryptoKey;
  keyId: string;
  owner: string;
  checkedAt: number;
}

interface SealedChat {
  id: string;
  version: string;
  /** When it last changed or was opened here: the oldest one is removed first. */
  usedAt: number;
  iv: Uint8Array<ArrayBuffer>;
  sealed: ArrayBuffer;
}

interface Schema extends DBSchema {
  lock: { key: string; value: Lock };
  chats: { key: string; value: SealedChat };
}

export type KeptChat = Omit<KeptHead, 'version'> & KeptContent;

const LOCK = 'lock';

type Database = IDBPDatabase<Schema>;
type Upgrade = NonNullable<OpenDBCallbacks<Schema>['upgrade']>;

/** Closes its connection when another tab deletes the database. @throws if the browser allows no database. */
async function open<T>(upgrade: Upgrade, work: (database: Database) => Promise<T>): Promise<T> {
  const database = await openDB<Schema>(keptDatabase, 1, {
    upgrade,
    blocking: (_, __, event) => (event.target as IDBDatabase).close(),
  });
  try {
    return await work(database);
  } finally {
    database.close();
  }
}

const withDatabase = (work: (database: Database) => Promise<void>) =>
  open((database) => {
    database.createObjectStore('lock');
    database.createObjectStore('chats', { keyPath: 'id' });
  }, work);

/** Returns `fallback` if there is no database, without creating one. */
async function withExisting<T>(fallback: T, work: (database: Database) => Promise<T>): Promise<T> {
  let exists = true;
  const abortUpgrade: Upgrade = (_, __, ___, change) => {
    exists = false;
    change.done.catch(() => undefined);
    change.abort();
  };
  return open(abortUpgrade, work).catch((error: unknown) => {
    if (exists) throw error;
    return fallback;
  });
}

export const deleteKeptChats = (): Promise<void> => deleteDB(keptDatabase);

/** Additional data of the encryption: a text sealed for one user and chat cannot be opened as another. */
const bindingData = (owner: string, id: string) => new TextEncoder().encode(`${owner} ${id}`);

async function importKey(text: string): Promise<CryptoKey> {
  const bytes = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));
  return crypto.subtle.importKey('raw', bytes, 'AES-GCM', false, ['encrypt', 'decrypt']);
}

/** Stores the session's key, and deletes chats that any other session sealed. */
export async function unlock({ owner, key, keyId }: DeviceChats): Promise<void> {
  const imported = await importKey(key);
  await withDatabase(async (database) => {
    const change = database.transaction(['lock', 'chats'], 'readwrite');
    const lock = await change.objectStore('lock').get(LOCK);
    const isSame = lock?.keyId === keyId && lock.owner === owner;
    if (!isSame) await change.objectStore('chats').clear();
    const next = { key: isSame ? lock.key : imported, keyId, owner, checkedAt: Date.now() };
    await change.objectStore('lock').put(next, LOCK);
    await change.done;
  });
}

/** Does nothing if the key is gone or has changed. @throws QuotaExceededError, or if the browser allows no database. */
export async function keepChat(
  { keyId, owner }: Pick<DeviceChats, 'keyId' | 'owner'>,
  { version, ...head }: KeptHead,
  content: KeptContent,
): Promise<void> {
  await withExisting(undefined, async (database) => {
    const lock = await database.get('lock', LOCK);
    if (lock?.keyId !== keyId) return;
    const iv = crypto.getRandomValues(new Uint8Array(12));
    const text = new TextEncoder().encode(JSON.stringify({ ...head, ...content }));
    const additionalData = bindingData(owner, head.id);
    const sealed = await crypto.subtle.encrypt({ name: 'AES-GCM', iv, additionalData }, lock.key, text);
    const change = database.transaction(['lock', 'chats'], 'readwrite');
    // Signed out during the encryption.
    if ((await change.objectStore('lock').get(LOCK))?.keyId === keyId) {
      const chats = change.objectStore('chats');
      const usedAt = Math.max((await chats.get(head.id))?.usedAt ?? 0, Date.parse(head.updatedAt));
      await chats.put({ id: head.id, version, usedAt, iv, sealed });
    }
    await change.done;
  });
}

export interface KeptEntry extends Pick<SealedChat, 'id' | 'version' | 'usedAt'> {
  bytes: number;
}

/** Most recently used first. */
export const keptEntries = (): Promise<KeptEntry[]> =>
  withExisting<KeptEntry[]>([], async (database) => {
    const chats = await database.getAll('chats');
    return chats
      .map(({ id, version, usedAt, sealed }) => ({ id, version, usedAt, bytes: sealed.byteLength }))
      .sort((one, other) => other.usedAt - one.usedAt);
  });

export const removeKeptChats = (ids: readonly string[]): Promise<void> =>
  withExisting(undefined, async (database) => {
    const change = database.transaction('chats', 'readwrite');
    for (const id of ids) await change.store.delete(id);
    await change.done;
  });

export const markOpened = (id: string, now = Date.now()): Promise<void> =>
  withExisting(undefined, async (database) => {
    const change = database.transaction('chats', 'readwrite');
    const chat = await change.store.get(id);
    if (chat) await change.store.put({ ...chat, usedAt: now });
    await change.done;
  });

async function openSealed(lock: Lock, { id, iv, sealed }: SealedChat): Promise<KeptChat | null> {
  try {
    const additionalData = bindingData(lock.owner, id);
    const text = await crypto.subtle.decrypt({ name: 'AES-GCM', iv, additionalData }, lock.key, sealed);
    return JSON.parse(new TextDecoder().decode(text)) as KeptChat;
  } catch {
    return null;
  }
}

/** Most recently used first; null if nothing is kept, or the last contact with the server is too long ago. */
export async function readKeptChats(): Promise<{ owner: string; chats: KeptChat[] } | null> {
  const { lock, sealed } = await withExisting<{ lock?: Lock | undefined; sealed: SealedChat[] }>(
    { sealed: [] },
    async (database) => ({
      lock: await database.get('lock', LOCK),
      sealed: await database.getAll('chats'),
    }),
  );
  const isOld = lock && Math.abs(Date.now() - lock.checkedAt) > keptLimits.days * 24 * 60 * 60 * 1000;
  if (!lock || isOld) {
    await deleteKeptChats();
    return null;
  }
  const newest = sealed.sort((one, other) => other.usedAt - one.usedAt);
  const opened = await Promise.all(newest.map((chat) => openSealed(lock, chat)));
  return { owner: lock.owner, chats: opened.filter((chat) => chat !== null) };
}
