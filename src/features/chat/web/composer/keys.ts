import type { KeyboardEvent } from 'react';
import { isTouchOnly } from './touch.ts';

interface KeyActions {
  submit: () => void;
  /** Shows a message sent before (1) or after (-1) the one shown; false where the key keeps its own meaning. */
  recall: (by: 1 | -1) => boolean;
  /** Takes the attached file out; false when there is none. */
  removeFile: () => boolean;
}

const arrows: Record<string, 1 | -1> = { ArrowUp: 1, ArrowDown: -1 };

/** Whether the caret stands at the beginning or the end, with nothing selected. */
const atAnEnd = ({ selectionStart, selectionEnd, value }: HTMLTextAreaElement) =>
  selectionStart === selectionEnd && (selectionEnd === 0 || selectionEnd === value.length);

/** Enter sends and Shift+Enter breaks; neither on devices with touch alone. No key acts while an input method composes. */
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
