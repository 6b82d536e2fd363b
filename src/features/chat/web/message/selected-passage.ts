import type { MouseEvent } from 'react';
import { memoryLimits } from '#features/accounts/contract.ts';
import type { ChatControls } from '../state/chat-controls.ts';

/** Returns the text selected in the message whose button was pressed, or `all` of it. */
export function selectedPassage({ currentTarget }: MouseEvent<HTMLElement>, all: string): string {
  const message = currentTarget.closest('article');
  const selection = getSelection();
  const inside =
    selection !== null && message?.contains(selection.anchorNode) && message.contains(selection.focusNode);
  return (inside && selection.toString().trim()) || all;
}

/** Opens the note dialog with the passage, cut to the length of a note. */
export function rememberFrom(event: MouseEvent<HTMLElement>, all: string, controls: ChatControls): void {
  const text = selectedPassage(event, all)
    .slice(0, memoryLimits.length)
    .replace(/[\ud800-\udbff]$/, '');
  controls.show({ kind: 'remember', text });
}
