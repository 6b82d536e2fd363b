import { useCallback, useEffect, useRef } from 'react';
import { useNavigate } from 'react-router';
import type { ChatRow } from '../../contract.ts';
import type { ChatState } from '../state/chat-state.ts';
import { shortTitle } from '../state/titles.ts';

/** Milliseconds that a toast about a finished reply shows. */
const toastTime = 10_000;

/** Milliseconds for which the news of a first reply waits for the title that the server is making. */
const titleTime = 3_000;

const runningIn = (chats: ChatRow[]) => new Set(chats.filter(({ running }) => running).map(({ id }) => id));

const isShown = () => document.visibilityState === 'visible';

/** Shows a toast, after one that waits for an answer (Undo) has gone; null says then that it is not wanted any more. */
function toastInTurn(detailNow: () => object | null) {
  const region = document.getElementById('toasts');
  const taken = () => region?.querySelector('.toast .btn-secondary') != null;
  const show = () => {
    const detail = detailNow();
    if (detail) document.dispatchEvent(new CustomEvent('toast', { detail }));
  };
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

/**
 * Tells the person what ended in a chat that is not open, by the chat's title. A page that nobody sees keeps the news
 * until it is looked at.
 */
export function useReplyToasts(state: ChatState) {
  const navigate = useNavigate();
  const { chats, open } = state;
  const latest = useRef(state);
  latest.current = state;
  const seen = useRef(new Set<string>());
  /** Chats whose news is still to be told, and whether it has waited long enough for their title. */
  const news = useRef(new Map<string, boolean>());

  const tell = useCallback(() => {
    if (!isShown()) return;
    for (const [id, due] of news.current) {
      const row = latest.current.chats.find((known) => known.id === id);
      if (row?.provisional && !due) continue;
      news.current.delete(id);
      toastInTurn(() => {
        const now = latest.current;
        const title = now.chats.find((known) => known.id === id)?.title;
        if (title === undefined || now.open.id === id) return null;
        const action = { label: 'Open', run: () => void navigate(`/chat/${id}`) };
        return { text: `“${shortTitle(title)}” has a reply.`, action, lasts: toastTime };
      });
    }
  }, [navigate]);

  useEffect(() => {
    if (!isShown()) return;
    const before = seen.current;
    seen.current = runningIn(chats);
    for (const { id, running } of chats) {
      if (running || !before.has(id) || id === open.id) continue;
      news.current.set(id, false);
      setTimeout(() => {
        if (news.current.has(id)) news.current.set(id, true);
        tell();
      }, titleTime);
    }
    tell();
  }, [chats, open.id, tell]);
  useEffect(() => () => news.current.clear(), []);
}
