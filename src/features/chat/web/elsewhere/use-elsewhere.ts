import { useEffect, useRef } from 'react';
import { useNavigate } from 'react-router';
import type { ChatRow } from '../../contract.ts';
import type { ChatState } from '../state/chat-state.ts';
import type { ChatControls } from '../state/controls.ts';

/** What tabs tell each other: that a reply of a chat began or ended. */
interface Told {
  chatId: string;
  running: boolean;
}

/** Milliseconds between two looks at the server: as a rule, and while a reply runs that this page does not read. */
const looks = { calm: 20_000, waiting: 3_000 };

/** Milliseconds that a toast about a finished reply shows. */
const toastTime = 10_000;

const runningIn = (chats: ChatRow[]) => new Set(chats.filter(({ running }) => running).map(({ id }) => id));

const isShown = () => document.visibilityState === 'visible';

/** Looks once at a time; a look that is asked for during another one follows it. */
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

/** Shows a toast, after one that waits for an answer (Undo) has gone; `still` says then whether it is wanted yet. */
function toastInTurn(detail: object, still: () => boolean) {
  const region = document.getElementById('toasts');
  const taken = () => region?.querySelector('.toast .btn-secondary') != null;
  const show = () => still() && document.dispatchEvent(new CustomEvent('toast', { detail }));
  if (!region || !taken()) {
    show();
    return;
  }
  const watch = new MutationObserver(() => {
    if (taken()) return;
    watch.disconnect();
    show();
  });
  watch.observe(region, { childList: true });
}

/** Tells other tabs what began and ended here, and the person what ended in a chat that is not open. */
function useChanges(state: ChatState, tell: (told: Told) => void) {
  const navigate = useNavigate();
  const told = useRef<Set<string> | null>(null);
  const seen = useRef(new Set<string>());
  const { chats, open } = state;
  const shown = useRef(open.id);
  shown.current = open.id;
  useEffect(() => {
    const running = runningIn(chats);
    const before = told.current;
    told.current = running;
    if (!before) return;
    for (const chatId of running) if (!before.has(chatId)) tell({ chatId, running: true });
    for (const chatId of before) if (!running.has(chatId)) tell({ chatId, running: false });
  }, [chats, tell]);
  useEffect(() => {
    // A page that nobody sees keeps the news until it is looked at.
    if (!isShown()) return;
    const before = seen.current;
    seen.current = runningIn(chats);
    const ended = chats.filter((row) => before.has(row.id) && !row.running && row.id !== open.id);
    for (const { id, title } of ended) {
      const action = { label: 'Open', run: () => void navigate(`/chat/${id}`) };
      const detail = { text: `“${title}” has a reply.`, action, lasts: toastTime };
      toastInTurn(detail, () => shown.current !== id);
    }
  }, [chats, open.id, navigate]);
}

/**
 * What happens on other tabs and devices: the page asks for it when it is looked at, when the network comes back, when
 * another tab tells of it, and from time to time.
 */
export function useElsewhere(state: ChatState, controls: ChatControls) {
  const channel = useRef<BroadcastChannel | null>(null);
  const tell = useRef((told: Told) => channel.current?.postMessage(told)).current;
  const latest = useRef(state);
  latest.current = state;
  useChanges(state, tell);
  const look = useRef<() => void>(() => undefined);

  useEffect(() => {
    const refresh = oneAtATime(controls.refresh);
    look.current = () => {
      if (isShown() && navigator.onLine) refresh();
    };
    const now = () => look.current();
    const tabs = new BroadcastChannel('chats');
    channel.current = tabs;
    tabs.onmessage = ({ data }: MessageEvent<Told>) => {
      const known = latest.current.chats.find((row) => row.id === data.chatId)?.running ?? false;
      if (known !== data.running) now();
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
  const waiting = state.chats.some((row) => row.running && !controls.reads(row.id));
  useEffect(() => {
    if (!signedIn) return;
    const timer = setInterval(() => look.current(), waiting ? looks.waiting : looks.calm);
    return () => clearInterval(timer);
  }, [signedIn, waiting]);
}
