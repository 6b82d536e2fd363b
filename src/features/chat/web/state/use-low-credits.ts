import { useEffect } from 'react';
import { session } from '#client/storage.ts';
import { planLimits } from '#features/credits/contract.ts';
import type { ChatControls } from './chat-controls.ts';
import { type ChatState, liveMessage } from './chat-state.ts';

export const fewCredits = 2;
/** Milliseconds, as the specification says. */
const waitMs = 1_000;
const toldKey = 'low-credits-told';

const wasTold = () => !session.works || session.getItem(toldKey) !== null;

export function useLowCredits(state: ChatState, controls: ChatControls) {
  const { me, dialog } = state;
  const few = me !== null && !planLimits[me.plan].unlimited && me.credits > 0 && me.credits <= fewCredits;
  const waiting = few && dialog === null && liveMessage(state) === undefined;
  useEffect(() => {
    if (!waiting || wasTold()) return;
    const timer = setInterval(() => {
      if (document.querySelector('dialog[open], :popover-open:not(#toasts)')) return;
      clearInterval(timer);
      if (wasTold()) return;
      session.setItem(toldKey, '1');
      controls.show({ kind: 'upgrade', cause: 'low' });
    }, waitMs);
    return () => clearInterval(timer);
  }, [waiting, controls]);
}
