import { useEffect, useRef } from 'react';
import type { ChatRow } from '../../contract.ts';
import type { ChatControls } from './chat-controls.ts';
import type { ChatState } from './chat-state.ts';

interface TabMessage {
  chatId: string;
  running: boolean;
  titled: boolean;
  gone: boolean;
  pinned: boolean;
}

/** Milliseconds between two checks; `waiting` while a reply or a title is generated elsewhere. */
const intervals = { idle: 20_000, waiting: 3_000 };

/** Milliseconds within which a title may still arrive. */
const titleTime = 30_000;

export const isShown = () => document.visibilityState === 'visible';

function oneAtATime(check: () => Promise<void>): () => void {
  let busy = false;
  let again = false;
  return async function run() {
    again = busy;
    if (busy) return;
    busy = true;
    await check();
    busy = false;
    if (again) void run();
  };
}

const isPinned = (row: ChatRow | undefined) => typeof row?.pinnedAt === 'string';

function useBroadcast(chats: ChatRow[], broadcast: (message: TabMessage) => void) {
  const previousRows = useRef<Map<string, ChatRow> | null>(null);
  useEffect(() => {
    const before = previousRows.current;
    const rows = new Map(chats.map((row) => [row.id, row]));
    previousRows.current = rows;
    if (!before) return;
    for (const chatId of new Set([...rows.keys(), ...before.keys()])) {
      const [old, row] = [before.get(chatId), rows.get(chatId)];
      const running = row?.running ?? false;
      const titled = row !== undefined && !row.provisional;
      const named = titled && old?.provisional === true;
      const gone = row === undefined;
      const pinned = isPinned(row);
      // A restored or unarchived chat may be neither running nor pinned.
      const isNew = old === undefined;
      if (isNew || gone || running !== old.running || named || pinned !== isPinned(old))
        broadcast({ chatId, running, titled, gone, pinned });
    }
  }, [chats, broadcast]);
}

const awaitsTitle = ({ running, provisional, updatedAt }: ChatRow, now: number) =>
  !running && provisional && Math.abs(now - Date.parse(updatedAt)) < titleTime;

/** Refreshes when the page becomes visible, the network returns, another tab reports a change, and at intervals. */
export function useCrossTabSync(state: ChatState, controls: ChatControls) {
  const channel = useRef<BroadcastChannel | null>(null);
  const broadcast = useRef((message: TabMessage) => channel.current?.postMessage(message)).current;
  const latest = useRef(state);
  latest.current = state;
  useBroadcast(state.chats, broadcast);
  const checkRef = useRef<() => void>(() => undefined);

  useEffect(() => {
    const refresh = oneAtATime(controls.refresh);
    checkRef.current = () => {
      if (isShown() && navigator.onLine) refresh();
    };
    const checkNow = () => checkRef.current();
    const tabs = new BroadcastChannel('chats');
    channel.current = tabs;
    tabs.onmessage = ({ data }: MessageEvent<TabMessage>) => {
      const row = latest.current.chats.find(({ id }) => id === data.chatId);
      const isListed = row !== undefined;
      const hasNewTitle = data.titled && row?.provisional === true;
      const moved = isPinned(row) !== data.pinned;
      if (isListed ? row.running !== data.running || hasNewTitle || moved || data.gone : !data.gone)
        checkNow();
    };
    document.addEventListener('visibilitychange', checkNow);
    addEventListener('online', checkNow);
    return () => {
      tabs.close();
      channel.current = null;
      document.removeEventListener('visibilitychange', checkNow);
      removeEventListener('online', checkNow);
    };
  }, [controls]);

  const signedIn = state.me !== null;
  // A guest cannot load anything: load now what other tabs have reported since the page's data was read.
  const wasGuest = useRef(false);
  useEffect(() => {
    if (signedIn && wasGuest.current) checkRef.current();
    wasGuest.current = !signedIn;
  }, [signedIn]);
  // The clocks of browser and server may differ.
  const clockOffset = useRef(0);
  useEffect(() => {
    clockOffset.current = Date.parse(state.now) - Date.now();
  }, [state.now]);
  const serverTime = Date.now() + clockOffset.current;
  const waiting = state.chats.some(
    (row) => (row.running && !controls.isReading(row.id)) || awaitsTitle(row, serverTime),
  );
  useEffect(() => {
    if (!signedIn) return;
    const timer = setInterval(() => checkRef.current(), waiting ? intervals.waiting : intervals.idle);
    return () => clearInterval(timer);
  }, [signedIn, waiting]);
}
