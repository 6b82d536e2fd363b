import { useRef } from 'react';
import type { Turn } from '../state/chat-state.ts';
import { type Recalled, recall } from './recall.ts';
import type { useBox } from './use-box.ts';

/** Brings the messages of a chat back into the box, one by one; false where the key keeps its own meaning. */
export function useRecall(turns: Turn[], { box, show }: Pick<ReturnType<typeof useBox>, 'box' | 'show'>) {
  const shown = useRef<Recalled | null>(null);
  return (by: 1 | -1): boolean => {
    if (!box.current) return false;
    const sent = turns.flatMap((turn) => (turn.role === 'user' ? [turn.content] : [])).reverse();
    const next = recall(sent, box.current.value, shown.current, by);
    if (!next) return false;
    show(next.text);
    const { value } = box.current;
    // The box has its own ends of lines.
    shown.current = { ...next, text: value };
    box.current.setSelectionRange(value.length, value.length);
    return true;
  };
}
