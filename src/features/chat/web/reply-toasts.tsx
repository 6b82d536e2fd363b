import { useCallback, useEffect, useRef } from 'react';
import { useNavigate } from 'react-router';
import { queueToast } from '#features/tools/web/queue-toast.ts';
import { m } from '#messages';
import type { ChatRow } from '../contract.ts';
import type { ChatProps } from './state/chat-controls.ts';
import { shortTitle } from './state/short-title.ts';
import { isShown } from './state/use-cross-tab-sync.ts';

/** Milliseconds that the toast for a first reply waits for the chat's title. */
const titleWait = 3_000;

const runningIn = (chats: ChatRow[]) => new Set(chats.filter(({ running }) => running).map(({ id }) => id));

/** Toasts for replies in chats that are not open; a hidden page shows them once it is visible. */
export default function ReplyToasts({ first, state }: Pick<ChatProps, 'state'> & { first: ChatRow[] }) {
  const navigate = useNavigate();
  const { chats, open } = state;
  const latest = useRef(state);
  latest.current = state;
  // A reply may have ended while this code was loading.
  const runningBefore = useRef(runningIn(first));
  /** Chat ids, and whether they have waited long enough for a title. */
  const endedChats = useRef(new Map<string, boolean>());

  const showToasts = useCallback(() => {
    if (!isShown()) return;
    for (const [id, due] of endedChats.current) {
      const row = latest.current.chats.find((chat) => chat.id === id);
      if (row?.provisional && !due) continue;
      endedChats.current.delete(id);
      queueToast(() => {
        const now = latest.current;
        const title = now.chats.find((chat) => chat.id === id)?.title;
        if (title === undefined || now.open.id === id) return null;
        const action = { label: m.common_open(), run: () => void navigate(`/chat/${id}`) };
        return { text: m.chat_has_reply({ title: shortTitle(title) }), action };
      });
    }
  }, [navigate]);

  useEffect(() => {
    if (!isShown()) return;
    const before = runningBefore.current;
    runningBefore.current = runningIn(chats);
    for (const { id, running } of chats) {
      if (running || !before.has(id) || id === open.id) continue;
      endedChats.current.set(id, false);
      setTimeout(() => {
        if (endedChats.current.has(id)) endedChats.current.set(id, true);
        showToasts();
      }, titleWait);
    }
    showToasts();
  }, [chats, open.id, showToasts]);
  useEffect(() => () => endedChats.current.clear(), []);
  return null;
}
