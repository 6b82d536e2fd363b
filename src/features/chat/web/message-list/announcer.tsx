import { useEffect, useRef, useState } from 'react';
import { m } from '#messages';
import { type ChatState, liveMessage } from '../state/chat-state.ts';

/** Milliseconds after which it says that the reply is still running. */
const stillReplyingMs = 15_000;

/** Milliseconds for which a screen reader can still find the last announcement. */
const clearMs = 5_000;

export function Announcer({ state }: { state: ChatState }) {
  const { open, at } = state;
  const last = open.messages.at(-1);
  // Of two simultaneous replies, the last one represents both.
  const live = liveMessage(state) && last;
  const [text, setText] = useState('');
  const liveKey = useRef<string | null>(null);
  const key = live?.key ?? null;
  useEffect(() => {
    if (key === null) return;
    liveKey.current = key;
    setText(m.chat_say_replying());
    const timer = setTimeout(() => setText(m.chat_say_still_replying()), stillReplyingMs);
    return () => clearTimeout(timer);
  }, [key]);
  useEffect(() => {
    if (key !== null || liveKey.current === null) return;
    const ended = last?.key === liveKey.current ? last : undefined;
    liveKey.current = null;
    // A refused message is removed from the page, and the notice above the composer announces that.
    if (!ended) return setText('');
    // Unless another reply has started meanwhile.
    void import('./announcement-text.ts').then(
      ({ endAnnouncement }) => liveKey.current === null && setText(endAnnouncement(open.messages)),
    );
  }, [key, open.messages, last]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: announced once each time a message is requested
  useEffect(() => {
    if (at && open.messages.some(({ id }) => id === at.id)) setText(m.chat_say_found());
  }, [at]);
  useEffect(() => {
    if (text === '' || key !== null) return;
    const timer = setTimeout(() => setText(''), clearMs);
    return () => clearTimeout(timer);
  }, [text, key]);
  return (
    <p className="visually-hidden" role="status" data-announcer="">
      {text}
    </p>
  );
}
