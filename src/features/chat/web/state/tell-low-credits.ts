import { session } from '#client/storage.ts';
import type { ChatControls } from './chat-controls.ts';

/** Milliseconds, from the specification. */
const waitMs = 1_000;
const toldKey = 'low-credits-told';

const wasTold = () => !session.works || session.getItem(toldKey) !== null;

/** Shows the dialog once per tab, when no other one is open, unless it is called off before. */
export function tellLowCredits(controls: ChatControls, calledOff: AbortSignal): void {
  if (calledOff.aborted || wasTold()) return;
  const timer = setInterval(() => {
    if (document.querySelector('dialog[open], :popover-open:not(#toasts)')) return;
    clearInterval(timer);
    if (wasTold()) return;
    session.setItem(toldKey, '1');
    controls.show({ kind: 'upgrade', cause: 'low' });
  }, waitMs);
  calledOff.addEventListener('abort', () => clearInterval(timer));
}
