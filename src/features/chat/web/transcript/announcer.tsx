import { useEffect, useRef, useState } from 'react';
import { type ChatState, liveTurn, type Turn } from '../state/chat-state.ts';

function outcome(turn: Turn | undefined): string {
  if (turn?.role !== 'assistant' || turn.cutOff) return '';
  if (turn.state === 'done') return `Reply ready, ${turn.content.split(/\s+/).filter(Boolean).length} words.`;
  if (turn.state === 'stopped') return 'Stopped.';
  return 'The reply failed. You can retry.';
}

/** Tells screen readers, politely and in one place, that a reply is being written and how it ended. */
export function Announcer({ state }: { state: ChatState }) {
  const live = liveTurn(state);
  const last = state.open.turns.at(-1);
  const [text, setText] = useState('');
  const was = useRef<string | null>(null);
  const key = live?.key ?? null;
  useEffect(() => {
    if (key === null) return;
    was.current = key;
    setText('Assistant is replying.');
    const timer = setTimeout(() => setText('Assistant is still replying.'), 15_000);
    return () => clearTimeout(timer);
  }, [key]);
  useEffect(() => {
    if (key !== null || was.current === null) return;
    if (last?.key === was.current) setText(outcome(last));
    else setText('');
    was.current = null;
  }, [key, last]);
  return (
    <p className="visually-hidden" role="status">
      {text}
    </p>
  );
}
