import { request } from '#client/api-request.ts';
import { ProblemError } from '#client/problem-error.ts';
import { local } from '#client/storage.ts';
import { type DeviceChats, type KeptContent, type KeptHead, keepingKey, keptLimits } from '../contract.ts';
import {
  deleteKeptChats,
  keepChat,
  keptEntries,
  markOpened,
  removeKeptChats,
  unlock,
} from './sealed-chats.ts';

const isInstalled = () => matchMedia('(display-mode: standalone)').matches;

/** An installed app keeps chats by default. */
export function isKeepingChats(): boolean {
  const keeping = local.getItem(keepingKey);
  return keeping !== 'off' && (keeping !== null || isInstalled());
}

/** The user may have signed out or switched it off during a request. */
const isAllowed = () => document.documentElement.dataset.auth === 'in' && isKeepingChats();

/** Id of the chat on this page, or null. */
const shownChat = () => /^\/chat\/([\da-f-]{36})$/.exec(location.pathname)?.[1] ?? null;

/** Returns the most recent chats, up to the maximum. */
function selectChats(chats: readonly KeptHead[], usedAt: ReadonlyMap<string, number>): KeptHead[] {
  const shown = shownChat();
  const timeOf = ({ id, updatedAt }: KeptHead) =>
    id === shown ? Date.now() : Math.max(Date.parse(updatedAt), usedAt.get(id) ?? 0);
  return chats.toSorted((one, other) => timeOf(other) - timeOf(one)).slice(0, keptLimits.chats);
}

/** Statuses for a chat that cannot be kept: it is gone, temporary or too long. */
const refusals = [404, 409, 413];

async function fetchContent(id: string): Promise<KeptContent | null> {
  try {
    return await request<KeptContent>(`/api/devices/chats/${id}`);
  } catch (error) {
    if (error instanceof ProblemError && refusals.includes(error.status)) return null;
    throw error;
  }
}

async function removeExcess(most: number): Promise<void> {
  let sum = 0;
  const excess = (await keptEntries()).filter(({ bytes }) => {
    sum += bytes;
    return sum > most;
  });
  await removeKeptChats(excess.map(({ id }) => id));
}

/** Fetches chats that have changed, one after the other. @throws errors of the network and of the browser's storage. */
async function refreshChats(): Promise<void> {
  const shown = shownChat();
  if (shown) await markOpened(shown);
  const before = new Map((await keptEntries()).map((entry) => [entry.id, entry]));
  const opened = [...new Set([...(shown ? [shown] : []), ...before.keys()])].slice(0, keptLimits.chats);
  const response = await request<DeviceChats>(`/api/devices/chats?opened=${opened.join()}`);
  if (!isAllowed()) return;
  const keptOwner = local.getItem(keepingKey);
  if (keptOwner !== null && keptOwner !== response.owner) {
    // The chats of another user, who did not sign out.
    await deleteKeptChats();
    local.removeItem(keepingKey);
    if (!isInstalled()) return;
  }
  await unlock(response);
  // Signed out while the key was being stored.
  if (!isAllowed()) return deleteKeptChats();
  // Only if there is no value: another tab may have just switched it off.
  if (local.getItem(keepingKey) === null) local.setItem(keepingKey, response.owner);
  const known = new Map((await keptEntries()).map((entry) => [entry.id, entry]));
  const usedAt = new Map([...known].map(([id, entry]) => [id, entry.usedAt]));
  const selected = selectChats(response.chats, usedAt);
  const ids = new Set(selected.map(({ id }) => id));
  await removeKeptChats([...known.keys()].filter((id) => !ids.has(id)));
  for (const head of selected) {
    if (known.get(head.id)?.version === head.version) continue;
    const content = await fetchContent(head.id);
    if (!isAllowed()) return;
    if (content) await keepChat(response, head, content);
    else await removeKeptChats([head.id]);
  }
  await removeExcess(keptLimits.bytes);
}

/** If the browser's storage is full, frees half of what is kept rather than all of it. */
async function refreshWithinQuota(): Promise<void> {
  try {
    await refreshChats();
  } catch (error) {
    if (error instanceof ProblemError && error.status === 401) await deleteKeptChats();
    const isFull = error instanceof DOMException && error.name === 'QuotaExceededError';
    if (!isFull) return;
    const bytes = (await keptEntries()).reduce((sum, entry) => sum + entry.bytes, 0);
    await removeExcess(bytes / 2);
  }
}

const keptEvent = 'offline:kept';

/** @returns a function that removes the listener. */
export function onKeptChange(run: () => void): () => void {
  document.addEventListener(keptEvent, run);
  return () => document.removeEventListener(keptEvent, run);
}

let isBusy = false;
let isPending = false;

async function update(): Promise<void> {
  if (!isAllowed() || !navigator.onLine) return;
  isPending = isBusy;
  if (isBusy) return;
  isBusy = true;
  await refreshWithinQuota().catch(() => undefined);
  isBusy = false;
  document.dispatchEvent(new CustomEvent(keptEvent));
  if (isPending) await update();
}

let isStarted = false;

/** Updates the kept chats now, and whenever a chat changes or is opened and when the page is left. */
export function startKeeping(): void {
  void update();
  if (isStarted) return;
  isStarted = true;
  new BroadcastChannel('chats').onmessage = () => void update();
  for (const event of ['page:shown', 'visibilitychange'])
    document.addEventListener(event, () => void update());
}

/** On this device, whoever is signed in. */
export async function stopKeeping(): Promise<void> {
  local.setItem(keepingKey, 'off');
  await deleteKeptChats();
}
