import { type KeyboardEvent, useMemo, useRef, useState } from 'react';
import { chatLimits } from '../../contract.ts';
import type { Message } from '../state/chat-state.ts';

const touchOnly = '(pointer: coarse) and (not (any-pointer: fine))';

/** On touch alone Enter breaks lines, and a focus would raise the keyboard. */
export const isTouchOnly = () => matchMedia(touchOnly).matches;

/** Only a change of this renders. */
type TextLength = 'blank' | 'some' | { tooLong: number };

function textLengthOf({ value }: HTMLTextAreaElement): TextLength {
  if (value.length > chatLimits.messageLength) return { tooLong: value.length };
  return value.trim() === '' ? 'blank' : 'some';
}

/** What `/remember ...` is to keep. */
export const rememberCommand = (text: string) => /^\/remember\s+(\S.*)$/s.exec(text)?.[1]?.trim() ?? null;

const soughtIn = ({ value }: HTMLTextAreaElement) =>
  /^\/remember\s/.test(value) ? null : (/^\/(draw\s.*|[^/\n]{0,60})$/s.exec(value)?.[1] ?? null);

function grow(box: HTMLTextAreaElement) {
  if (CSS.supports('field-sizing', 'content')) return;
  box.style.height = 'auto';
  box.style.height = `${box.scrollHeight}px`;
}

export function useTextBox() {
  const box = useRef<HTMLTextAreaElement>(null);
  const [extent, setExtent] = useState<TextLength>('blank');
  const [sought, setSought] = useState<string | null>(null);
  /** A search that was closed stays so for as long as the text is one. */
  const closed = useRef(false);
  const verbs = useMemo(() => {
    const measure = () => {
      if (!box.current) return;
      grow(box.current);
      setExtent(textLengthOf(box.current));
      const found = soughtIn(box.current);
      if (found === null) closed.current = false;
      setSought(closed.current ? null : found);
    };
    return {
      measure,
      closeFinder() {
        closed.current = true;
        setSought(null);
      },
      text: () => box.current?.value ?? '',
      show(text: string) {
        if (box.current) box.current.value = text;
        measure();
      },
      /** Never leaves a dialog, nor raises the keyboard of a phone unless `asked`. */
      focus(asked = false) {
        if ((asked || !isTouchOnly()) && !document.querySelector('dialog[open]'))
          box.current?.focus({ preventScroll: true });
      },
    };
  }, []);
  return { box, extent, sought, ...verbs };
}

interface KeyActions {
  submit: () => void;
  recall: (by: 1 | -1) => boolean;
  removeFile: () => boolean;
}

const arrows: Record<string, 1 | -1> = { ArrowUp: 1, ArrowDown: -1 };

const atAnEnd = ({ selectionStart, selectionEnd, value }: HTMLTextAreaElement) =>
  selectionStart === selectionEnd && (selectionEnd === 0 || selectionEnd === value.length);

/** No key acts while an input method composes. */
export function onComposerKey(event: KeyboardEvent<HTMLTextAreaElement>, actions: KeyActions) {
  // Safari ends a composition before the key that ended it; its key code is then 229.
  if (event.nativeEvent.isComposing || event.keyCode === 229) return;
  const { key, currentTarget: box } = event;
  const plain = !(event.shiftKey || event.ctrlKey || event.metaKey || event.altKey);
  const arrow = plain && atAnEnd(box) ? arrows[key] : undefined;
  // Held down it emptied the box; the file is another press.
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
