import { useRef } from 'react';
import type { Message } from '../state/chat-state.ts';
import type { useTextBox } from './use-text-box.ts';

export interface RecalledMessage {
  at: number;
  text: string;
}

/**
 * As in a shell, ArrowUp (`by` 1) and ArrowDown (-1) bring back the messages in `sent`, newest first. Null where the
 * key keeps its own meaning: the box holds something else, or there is nothing further.
 */
export function recallMessage(
  sent: string[],
  value: string,
  shown: RecalledMessage | null,
  by: 1 | -1,
): RecalledMessage | null {
  const untouched = shown !== null && shown.text === value;
  if (value !== '' && !untouched) return null;
  const at = (value === '' ? -1 : (shown?.at ?? -1)) + by;
  if (at === -1) return { at, text: '' };
  const text = sent[at];
  return text === undefined ? null : { at, text };
}

export function useInputHistory(
  turns: Message[],
  { box, show }: Pick<ReturnType<typeof useTextBox>, 'box' | 'show'>,
) {
  const shown = useRef<RecalledMessage | null>(null);
  return (by: 1 | -1): boolean => {
    if (!box.current) return false;
    const sent = turns.flatMap((turn) => (turn.role === 'user' ? [turn.content] : [])).reverse();
    const next = recallMessage(sent, box.current.value, shown.current, by);
    if (!next) return false;
    show(next.text);
    const { value } = box.current;
    // The box has its own ends of lines.
    shown.current = { ...next, text: value };
    box.current.setSelectionRange(value.length, value.length);
    return true;
  };
}
