import { useEffect, useRef, useState } from 'react';
import { isApple } from '../shortcuts/keys.ts';
import type { ChatState } from '../state/chat-state.ts';
import type { ChatControls } from '../state/controls.ts';

const isPrintKey = (event: KeyboardEvent) =>
  event.key.toLowerCase() === 'p' &&
  (isApple() ? event.metaKey : event.ctrlKey) &&
  !event.shiftKey &&
  !event.altKey;

/** Prints the whole chat: what is not in the page is loaded first, for the browser's own key too. */
export function usePrint({ open }: ChatState, controls: ChatControls): () => void {
  const [wanted, setWanted] = useState<string | null>(null);
  const isWhole = open.older === null && open.newer === null;
  useEffect(() => {
    if (wanted === null || (wanted === open.id && !isWhole)) return;
    setWanted(null);
    if (wanted === open.id) print();
  }, [wanted, open.id, isWhole]);

  const begin = () => {
    if (wanted !== null) return;
    setWanted(open.id);
    if (!isWhole) controls.loadAll().then((done) => done || setWanted(null));
  };
  const latest = useRef({ isWhole, begin });
  latest.current = { isWhole, begin };
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!isPrintKey(event) || latest.current.isWhole) return;
      event.preventDefault();
      latest.current.begin();
    };
    addEventListener('keydown', onKey);
    return () => removeEventListener('keydown', onKey);
  }, []);
  return begin;
}
