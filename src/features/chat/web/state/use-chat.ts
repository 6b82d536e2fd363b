import { useEffect, useMemo, useReducer, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { newId } from '../../../../client/uuid.ts';
import { planLimits } from '../../../credits/contract.ts';
import { fetchMe } from '../run/api.ts';
import { Runs } from '../run/runs.ts';
import { type ChatPageData, type ChatState, firstState, isLive } from './chat-state.ts';
import { type ChatControls, makeControls, type Outgoing } from './controls.ts';
import { reduce } from './reduce.ts';
import { awaitTitle } from './titles.ts';

/**
 * The chat page's state and its verbs. `giveBack` puts a refused message into the composer again.
 * Sending changes the state without asking the loader; a new chat takes its address once the server has made it.
 */
export function useChat(
  data: ChatPageData,
  giveBack: (message: Outgoing) => void,
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
      if (row && !row.provisional) return;
      awaitTitle(chatId, titles.current.signal, (page) => dispatch({ type: 'newest', ...page })).catch(
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

  useEffect(() => {
    const onLost = () => dispatch({ type: 'lost' });
    document.addEventListener('auth:lost', onLost);
    return () => document.removeEventListener('auth:lost', onLost);
  }, []);

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
        void runs.follow(open.id, { ...turn, generationId: turn.generationId });
      }
    }
  }, [open, runs]);
}
