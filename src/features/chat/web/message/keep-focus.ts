import type { MouseEvent } from 'react';

/** Before the message that holds the button gives way to another. */
export const keepFocus = (event: MouseEvent<HTMLElement>) =>
  event.currentTarget.closest<HTMLElement>('.chat-scroll')?.focus({ preventScroll: true });
