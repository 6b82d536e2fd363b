import { useEffect } from 'react';
import { planLimits } from '#features/credits/contract.ts';
import type { ChatControls } from './chat-controls.ts';
import { type ChatState, liveMessage } from './chat-state.ts';

export const lowCredits = 2;

export function useLowCredits(state: ChatState, controls: ChatControls) {
  const { me, dialog } = state;
  const isLow = me !== null && !planLimits[me.plan].unlimited && me.credits > 0 && me.credits <= lowCredits;
  const waiting = isLow && dialog === null && liveMessage(state) === undefined;
  useEffect(() => {
    if (!waiting) return;
    const listening = new AbortController();
    import('./show-low-credits.ts')
      .then((code) => code.showLowCredits(controls, listening.signal))
      .catch(() => undefined);
    return () => listening.abort();
  }, [waiting, controls]);
}
