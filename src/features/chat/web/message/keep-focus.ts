import type { MouseEvent } from 'react';

/** Moves the focus to the list before the message that contains the button is replaced. */
export const keepFocus = (event: MouseEvent<HTMLElement>) =>
  event.currentTarget.closest<HTMLElement>('.chat-scroll')?.focus({ preventScroll: true });
