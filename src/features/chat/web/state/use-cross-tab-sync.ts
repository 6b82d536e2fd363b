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
const looks = { calm: 20_000, waiting: 3_000 };

/** Milliseconds within which a title may still arrive. */
const titleTime = 30_000;

export const isShown = () => document.visibilityState === 'visible';

function oneAtATime(look: () => Promise<void>): () => void {
  let busy = false;
  let again = false;
  return async function go() {
    again = busy;
    if (busy) return;
    busy = true;
    await look();
    busy = false;
    if (again) void go();
  };
}

const isPinned = (row: ChatRow | undefined) => typeof row?.pinnedAt === 'string';

function useBroadcast(chats: ChatRow[], tell: (told: TabMessage) => void) {
  const known = useRef<Map<string, ChatRow> | null>(null);
  useEffect(() => {
    const before = known.current;
    const rows = new Map(chats.map((row) => [row.id, row]));
    known.current = rows;
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
        tell({ chatId, running, titled, gone, pinned });
    }
  }, [chats, tell]);
}

const awaitsTitle = ({ running, provisional, updatedAt }: ChatRow, now: number) =>
  !running && provisional && Math.abs(now - Date.parse(updatedAt)) < titleTime;

/** Refreshes when the page becomes visible, the network returns, another tab reports a change, and at intervals. */
export function useCrossTabSync(state: ChatState, controls: ChatControls) {
  const channel = useRef<BroadcastChannel | null>(null);
  const tell = useRef((told: TabMessage) => channel.current?.postMessage(told)).current;
  const latest = useRef(state);
  latest.current = state;
  useBroadcast(state.chats, tell);
  const look = useRef<() => void>(() => undefined);

  useEffect(() => {
    const refresh = oneAtATime(controls.refresh);
    look.current = () => {
      if (isShown() && navigator.onLine) refresh();
    };
    const now = () => look.current();
    const tabs = new BroadcastChannel('chats');
    channel.current = tabs;
    tabs.onmessage = ({ data }: MessageEvent<TabMessage>) => {
      const row = latest.current.chats.find(({ id }) => id === data.chatId);
      const known = row !== undefined;
      const news = data.titled && row?.provisional === true;
      const moved = isPinned(row) !== data.pinned;
      if (known ? row.running !== data.running || news || moved || data.gone : !data.gone) now();
    };
    document.addEventListener('visibilitychange', now);
    addEventListener('online', now);
    return () => {
      tabs.close();
      channel.current = null;
      document.removeEventListener('visibilitychange', now);
      removeEventListener('online', now);
    };
  }, [controls]);

  const signedIn = state.me !== null;
  // A guest cannot load anything: load now what other tabs have reported since the page's data was read.
  const wasGuest = useRef(false);
  useEffect(() => {
    if (signedIn && wasGuest.current) look.current();
    wasGuest.current = !signedIn;
  }, [signedIn]);
  // The clocks of browser and server may differ.
  const ahead = useRef(0);
  useEffect(() => {
    ahead.current = Date.parse(state.now) - Date.now();
  }, [state.now]);
  const serverTime = Date.now() + ahead.current;
  const waiting = state.chats.some(
    (row) => (row.running && !controls.reads(row.id)) || awaitsTitle(row, serverTime),
  );
  useEffect(() => {
    if (!signedIn) return;
    const timer = setInterval(() => look.current(), waiting ? looks.waiting : looks.calm);
    return () => clearInterval(timer);
  }, [signedIn, waiting]);
}
