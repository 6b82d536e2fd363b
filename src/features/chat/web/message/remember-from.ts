import type { MouseEvent } from 'react';
import { memoryLimits } from '#features/accounts/contract.ts';
import type { ChatControls } from '../state/chat-controls.ts';

/** Opens the note with what is selected in the message, else with its beginning. */
export function rememberFrom(event: MouseEvent<HTMLElement>, all: string, controls: ChatControls): void {
  const message = event.currentTarget.closest('article');
  const selection = getSelection();
  const inside =
    selection !== null && message?.contains(selection.anchorNode) && message.contains(selection.focusNode);
  const selected = inside ? selection.toString().trim() : '';
  const text = (selected || all).slice(0, memoryLimits.length).replace(/[\ud800-\udbff]$/, '');
  controls.show({ kind: 'remember', text });
}
