import { useEffect, useRef, useState } from 'react';
import { m } from '#messages';
import { type ChatState, liveMessage } from '../state/chat-state.ts';

/** Milliseconds. */
const long = 15_000;

/** Milliseconds for which the last words can be come across by a screen reader. */
const stay = 5_000;

export function Announcer({ state }: { state: ChatState }) {
  const { open, at } = state;
  const last = open.messages.at(-1);
  // Of two replies that are written together the last one stands for both.
  const live = liveMessage(state) && last;
  const [text, setText] = useState('');
  const was = useRef<string | null>(null);
  const key = live?.key ?? null;
  useEffect(() => {
    if (key === null) return;
    was.current = key;
    setText(m.chat_say_replying());
    const timer = setTimeout(() => setText(m.chat_say_still_replying()), long);
    return () => clearTimeout(timer);
  }, [key]);
  useEffect(() => {
    if (key !== null || was.current === null) return;
    const ended = last?.key === was.current ? last : undefined;
    was.current = null;
    // A refused message is gone from the page, and the notice above the composer says so itself.
    if (!ended) return setText('');
    // A reply that has begun meanwhile is what is spoken of.
    void import('./announcement-text.ts').then(
      ({ spokenEnd }) => was.current === null && setText(spokenEnd(open.messages)),
    );
  }, [key, open.messages, last]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each time that a message is asked for it is said once
  useEffect(() => {
    if (at && open.messages.some(({ id }) => id === at.id)) setText(m.chat_say_found());
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
