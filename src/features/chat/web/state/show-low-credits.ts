import { session } from '#client/storage.ts';
import type { ChatControls } from './chat-controls.ts';

/** Milliseconds, from the specification. */
const waitMs = 1_000;
const shownKey = 'low-credits-told';

const wasShown = () => !session.works || session.getItem(shownKey) !== null;

/** Shows the dialog once per tab, when no other one is open, unless it is called off before. */
export function showLowCredits(controls: ChatControls, signal: AbortSignal): void {
  if (signal.aborted || wasShown()) return;
  const timer = setInterval(() => {
    if (document.querySelector('dialog[open], :popover-open:not(#toasts)')) return;
    clearInterval(timer);
    if (wasShown()) return;
    session.setItem(shownKey, '1');
    controls.show({ kind: 'upgrade', cause: 'low' });
  }, waitMs);
  signal.addEventListener('abort', () => clearInterval(timer));
}
