import { type KeyboardEvent, useMemo, useRef, useState } from 'react';
import { chatLimits } from '../../contract.ts';
import type { Message } from '../state/chat-state.ts';

const touchOnly = '(pointer: coarse) and (not (any-pointer: fine))';

/** On touch-only devices Enter breaks lines, and focusing would raise the keyboard. */
export const isTouchOnly = () => matchMedia(touchOnly).matches;

/** Only a change of this value renders. */
type TextLength = 'blank' | 'some' | { tooLong: number };

function textLengthOf({ value }: HTMLTextAreaElement): TextLength {
  if (value.length > chatLimits.messageLength) return { tooLong: value.length };
  return value.trim() === '' ? 'blank' : 'some';
}

/** Returns the text after `/remember`, or null if there is none. */
export const rememberCommand = (text: string) => /^\/remember\s+(\S.*)$/s.exec(text)?.[1]?.trim() ?? null;

const searchIn = ({ value }: HTMLTextAreaElement) =>
  /^\/remember\s/.test(value) ? null : (/^\/(draw\s.*|[^/\n]{0,60})$/s.exec(value)?.[1] ?? null);

function grow(box: HTMLTextAreaElement) {
  if (CSS.supports('field-sizing', 'content')) return;
  box.style.height = 'auto';
  box.style.height = `${box.scrollHeight}px`;
}

export function useTextBox() {
  const box = useRef<HTMLTextAreaElement>(null);
  const [textLength, setTextLength] = useState<TextLength>('blank');
  const [searchWords, setSearchWords] = useState<string | null>(null);
  /** A closed search stays closed as long as the text is still a search. */
  const closed = useRef(false);
  const actions = useMemo(() => {
    const measure = () => {
      if (!box.current) return;
      grow(box.current);
      setTextLength(textLengthOf(box.current));
      const found = searchIn(box.current);
      if (found === null) closed.current = false;
      setSearchWords(closed.current ? null : found);
    };
    return {
      measure,
      closeFinder() {
        closed.current = true;
        setSearchWords(null);
      },
      text: () => box.current?.value ?? '',
      show(text: string) {
        if (box.current) box.current.value = text;
        measure();
      },
      /** Never takes the focus from a dialog, and raises the keyboard of a phone only if `force`. */
      focus(force = false) {
        if ((force || !isTouchOnly()) && !document.querySelector('dialog[open]'))
          box.current?.focus({ preventScroll: true });
      },
    };
  }, []);
  return { box, textLength, searchWords, ...actions };
}

interface KeyActions {
  submit: () => void;
  recall: (by: 1 | -1) => boolean;
  removeFile: () => boolean;
}

const arrows: Record<string, 1 | -1> = { ArrowUp: 1, ArrowDown: -1 };

const isAtEdge = ({ selectionStart, selectionEnd, value }: HTMLTextAreaElement) =>
  selectionStart === selectionEnd && (selectionEnd === 0 || selectionEnd === value.length);

/** Ignores all keys while an input method composes. */
export function onComposerKey(event: KeyboardEvent<HTMLTextAreaElement>, actions: KeyActions) {
  // Safari ends a composition before the key event that ended it, whose key code is then 229.
  if (event.nativeEvent.isComposing || event.keyCode === 229) return;
  const { key, currentTarget: box } = event;
  const plain = !(event.shiftKey || event.ctrlKey || event.metaKey || event.altKey);
  const arrow = plain && isAtEdge(box) ? arrows[key] : undefined;
  // A Backspace held down to empty the box must not remove a file.
  const erases = key === 'Backspace' && box.value === '' && !event.repeat;
  if (key === 'Enter' && !event.shiftKey && !isTouchOnly()) {
    event.preventDefault();
    actions.submit();
  } else if ((arrow !== undefined && actions.recall(arrow)) || (erases && actions.removeFile())) {
    event.preventDefault();
  }
}

export interface RecalledMessage {
  at: number;
  text: string;
}

/**
 * Like a shell, ArrowUp (`by` 1) and ArrowDown (-1) recall the messages in `sent`, newest first. Returns null if the
 * key keeps its usual meaning: the box holds other text, or there is nothing further.
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
    // The box normalizes line breaks.
    shown.current = { ...next, text: value };
    box.current.setSelectionRange(value.length, value.length);
    return true;
  };
}
