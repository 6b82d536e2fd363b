import { useEffect, useRef, useState } from 'react';
import { type ChatState, liveTurn } from '../state/chat-state.ts';

/** Milliseconds after which a reply that is still being written is spoken of again. */
const long = 15_000;

/** Milliseconds for which the last words stay where a screen reader can come across them. */
const stay = 5_000;

/** Tells screen readers, politely and in one place, that a reply is being written and how it ended. */
export function Announcer({ state }: { state: ChatState }) {
  const { open, at } = state;
  const live = liveTurn(state);
  const last = open.turns.at(-1);
  const [text, setText] = useState('');
  const was = useRef<string | null>(null);
  const key = live?.key ?? null;
  useEffect(() => {
    if (key === null) return;
    was.current = key;
    setText('Assistant is replying.');
    const timer = setTimeout(() => setText('Assistant is still replying.'), long);
    return () => clearTimeout(timer);
  }, [key]);
  useEffect(() => {
    if (key !== null || was.current === null) return;
    const ended = last?.key === was.current ? last : undefined;
    was.current = null;
    // A refused message is gone from the page, and the notice above the composer says so itself.
    if (!ended) return setText('');
    // A reply that has begun meanwhile is what is spoken of.
    void import('./spoken.ts').then(
      ({ spokenOutcome }) => was.current === null && setText(spokenOutcome(ended)),
    );
  }, [key, last]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each time that a message is asked for it is said once
  useEffect(() => {
    if (at && open.turns.some(({ id }) => id === at.id)) setText('The message that you looked for is shown.');
  }, [at]);
  useEffect(() => {
    if (text === '' || key !== null) return;
    const timer = setTimeout(() => setText(''), stay);
    return () => clearTimeout(timer);
  }, [text, key]);
  return (
    <p className="visually-hidden" role="status" data-announcer="">
      {text}
    </p>
  );
}
