import { useEffect, useMemo, useReducer, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { planLimits } from '../../../credits/contract.ts';
import { defaultTitle } from '../../contract.ts';
import { fetchChats, fetchMe, fetchOlder } from '../run/api.ts';
import { LiveText } from '../run/live-text.ts';
import { ProblemError } from '../run/problem-error.ts';
import { Runs } from '../run/runs.ts';
import { newId } from '../run/uuid.ts';
import { adopt } from './adopted.ts';
import {
  type ChatPageData,
  type ChatState,
  firstState,
  isLive,
  liveTurn,
  reduce,
  type Turn,
} from './chat-state.ts';
import {
  dropPending,
  keepDraft,
  keepPending,
  type PendingSend,
  readDraft,
  returnToDraft,
} from './kept-text.ts';
import { noticeOf } from './notices.ts';
import { awaitTitle } from './titles.ts';

export interface ChatControls {
  /** Sends a message, or asks a guest to sign in first. False when it must wait for the running reply. */
  send(text: string): boolean;
  /** Sends a message that was kept over a sign-in, in its chat and under its key. */
  sendKept(pending: PendingSend): void;
  stop(): void;
  /** Another reply in place of the given one. */
  again(turn: Turn): void;
  loadOlder(): void;
  loadChats(): void;
  dismiss(): void;
}

/** Opens the sign-in dialog of the page's shell; `next` is where its link leads. */
export function openSignIn(next: string, reason?: string) {
  document.dispatchEvent(new CustomEvent('sign-in:open', { detail: { next, reason } }));
}

/** The session is over: the shell shows a guest, and the dialog offers the way back. */
function signInAgain(next: string) {
  document.dispatchEvent(new CustomEvent('auth:lost'));
  openSignIn(next);
}

interface Sending {
  text: string;
  key: string;
  chatId: string;
  create: boolean;
}

/**
 * The chat page's state and its verbs. `giveBack` puts the text of a refused message into the composer again.
 * Sending changes the state without asking the loader; a new chat takes its address once the server has made it.
 */
export function useChat(
  data: ChatPageData,
  giveBack: (text: string) => void,
): { state: ChatState; controls: ChatControls } {
  const [firstId] = useState(newId);
  const [state, dispatch] = useReducer(reduce, data, (first) => firstState(first, firstId));
  const [seen, setSeen] = useState(data);
  if (seen !== data) {
    setSeen(data);
    dispatch({ type: 'loaded', data, newId: newId() });
  }
  const latest = useRef(state);
  latest.current = state;
  const navigate = useNavigate();
  const titles = useRef(new AbortController());

  const runs = useMemo(() => {
    const onEnd = (chatId: string, credits: number | null) => {
      const { me, chats } = latest.current;
      // A run that ended with its server does not tell the balance.
      if (credits === null && me && !planLimits[me.plan].unlimited) {
        fetchMe().then(
          (now) => dispatch({ type: 'me', me: now }),
          () => undefined,
        );
      }
      const row = chats.find((known) => known.id === chatId);
      if (row && row.title !== defaultTitle) return;
      awaitTitle(chatId, titles.current.signal, (rows) => dispatch({ type: 'newest', chats: rows })).catch(
        () => undefined,
      );
    };
    return new Runs(dispatch, onEnd);
  }, []);

  useEffect(() => {
    runs.reopen();
    titles.current = new AbortController();
    return () => {
      runs.close();
      titles.current.abort();
    };
  }, [runs]);

  useFollowing(state, runs);
  const controls = useMemo(
    () => makeControls({ latest, dispatch, runs, navigate, giveBack }),
    [runs, navigate, giveBack],
  );
  return { state, controls };
}

/** Reads the replies that were already running when the chat was opened. */
function useFollowing({ open }: ChatState, runs: Runs) {
  useEffect(() => {
    for (const turn of open.turns) {
      if (isLive(turn) && !turn.live && turn.generationId) {
        void runs.follow(open.id, turn.key, turn.generationId, turn.content);
      }
    }
  }, [open, runs]);
}

interface Parts {
  latest: { readonly current: ChatState };
  dispatch: (action: Parameters<typeof reduce>[1]) => void;
  runs: Runs;
  navigate: ReturnType<typeof useNavigate>;
  giveBack: (text: string) => void;
}

function makeControls(parts: Parts): ChatControls {
  const { latest, dispatch, runs } = parts;
  const report = (error: unknown) => dispatch({ type: 'notice', notice: noticeOf(error, latest.current.me) });
  return {
    send(text) {
      const { open, me } = latest.current;
      if (liveTurn(latest.current)) return false;
      const sending = { text, key: newId(), chatId: open.id, create: !open.stored };
      if (me) {
        sendMessage(parts, sending);
        return true;
      }
      keepPending(localStorage, sending);
      openSignIn('/chat/new', 'Your message is kept and sent after you sign in.');
      return false;
    },
    sendKept(pending) {
      // The kept message holds the text until the server has it.
      if (readDraft(localStorage, null) === pending.text) keepDraft(localStorage, null, '');
      if (pending.create && latest.current.open.id !== pending.chatId)
        dispatch({ type: 'fresh', id: pending.chatId });
      sendMessage(parts, pending);
    },
    stop() {
      const turn = liveTurn(latest.current);
      if (turn) runs.stop(turn.key);
    },
    again: (turn) => replaceReply(parts, turn),
    loadOlder() {
      const { id, older } = latest.current.open;
      if (older)
        fetchOlder(id, older).then((view) => dispatch({ type: 'older', before: older, view }), report);
    },
    loadChats() {
      const before = latest.current.next;
      fetchChats(before).then((page) => dispatch({ type: 'page', before, ...page }), report);
    },
    dismiss: () => dispatch({ type: 'notice', notice: null }),
  };
}

function sendMessage({ latest, dispatch, runs, navigate, giveBack }: Parts, sending: Sending) {
  const { text, key, chatId, create } = sending;
  const keys = { question: newId(), reply: newId() };
  const live = new LiveText();
  dispatch({ type: 'sending', text, keys, live, now: new Date().toISOString() });
  const request = {
    path: `/api/chats/${chatId}/messages`,
    body: create ? { text, create } : { text },
    key,
  };
  void runs.begin(
    { request, chatId, ...keys, live },
    {
      accepted() {
        const draftOf = create ? null : chatId;
        // What was typed since belongs to the next message.
        if (readDraft(localStorage, draftOf) === text) keepDraft(localStorage, draftOf, '');
        dropPending(localStorage, key);
        if (create && latest.current.open.id === chatId) adopt(chatId, navigate);
      },
      refused(error) {
        const expired = error instanceof ProblemError && error.status === 401;
        if (expired) keepPending(localStorage, sending);
        else dropPending(localStorage, key);
        dispatch({ type: 'refused', ...keys, notice: noticeOf(error, latest.current.me) });
        if (latest.current.open.id === chatId) giveBack(text);
        else returnToDraft(localStorage, create ? null : chatId, text);
        if (expired) signInAgain(create ? '/chat/new' : `/chat/${chatId}`);
      },
    },
  );
}

function replaceReply({ latest, dispatch, runs }: Parts, turn: Turn) {
  const { open, me } = latest.current;
  if (liveTurn(latest.current) || !me) return;
  const reply = newId();
  const live = new LiveText();
  dispatch({ type: 'replacing', key: turn.key, reply, live, now: new Date().toISOString() });
  const path = `/api/chats/${open.id}/messages/${turn.id}/regenerate`;
  void runs.begin(
    { request: { path, body: {}, key: newId() }, chatId: open.id, reply, question: null, live },
    {
      accepted: () => undefined,
      refused(error) {
        dispatch({ type: 'refused', reply, question: null, notice: noticeOf(error, latest.current.me) });
        if (error instanceof ProblemError && error.status === 401) signInAgain(`/chat/${open.id}`);
      },
    },
  );
}
