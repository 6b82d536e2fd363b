import { useEffect, useMemo, useReducer, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { newUuid } from '#client/uuid.ts';
import { planLimits } from '#features/credits/contract.ts';
import { fetchMe } from './chat-api.ts';
import { type ChatControls, createControls } from './chat-controls.ts';
import { type ChatPageData, type ChatState, firstState, isLive } from './chat-state.ts';
import { reduce } from './reducer.ts';
import { ReplyStreams } from './reply-streams.ts';
import type { ControlParts } from './send-message.ts';
import { useTemporaryChat } from './use-temporary-chat.ts';

export function useChat(
  data: ChatPageData,
  { returnMessage, quote }: Pick<ControlParts, 'returnMessage' | 'quote'>,
): { state: ChatState; controls: ChatControls } {
  const [firstId] = useState(newUuid);
  const [state, dispatch] = useReducer(reduce, data, (first) => firstState(first, firstId));
  const [seen, setSeen] = useState(data);
  if (seen !== data) {
    setSeen(data);
    dispatch({ type: 'loaded', data, newId: newUuid() });
  }
  const latest = useRef(state);
  latest.current = state;
  const navigate = useNavigate();
  const titles = useRef(new AbortController());

  const runs = useMemo(() => {
    const onEnd = (chatId: string, credits: number | null) => {
      const { me, chats, open } = latest.current;
      // A run that ended with its server does not report the balance.
      if (credits === null && me && !planLimits[me.plan].unlimited) {
        fetchMe().then(
          (now) => dispatch({ type: 'me', me: now }),
          () => undefined,
        );
      }
      import('./refresh-chats.ts')
        .then((code) => code.showLeftOut({ latest, dispatch }, chatId))
        .catch(() => undefined);
      const row = chats.find((chat) => chat.id === chatId);
      if (row ? !row.provisional : open.temporary) return;
      const { signal } = titles.current;
      import('./poll-for-title.ts')
        .then((code) => code.pollForTitle(chatId, signal, (page) => dispatch({ type: 'newest', ...page })))
        .catch(() => undefined);
    };
    return new ReplyStreams(dispatch, onEnd);
  }, []);

  useEffect(() => {
    runs.reopen();
    titles.current = new AbortController();
    return () => {
      runs.close();
      titles.current.abort();
    };
  }, [runs]);

  useEffect(() => {
    const onLost = () => dispatch({ type: 'lost' });
    document.addEventListener('auth:lost', onLost);
    return () => document.removeEventListener('auth:lost', onLost);
  }, []);

  useFollowing(state, runs);
  useTemporaryChat(state.open);
  const controls = useMemo(
    () => createControls({ latest, dispatch, runs, navigate, returnMessage, quote }),
    [runs, navigate, returnMessage, quote],
  );
  return { state, controls };
}

function useFollowing({ open }: ChatState, runs: ReplyStreams) {
  useEffect(() => {
    for (const turn of open.messages) {
      if (isLive(turn) && !turn.live && turn.generationId) {
        void runs.follow(open.id, { ...turn, generationId: turn.generationId });
      }
    }
  }, [open, runs]);
}
