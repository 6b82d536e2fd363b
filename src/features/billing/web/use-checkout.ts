import { useCallback, useEffect, useState } from 'react';
import { json, request } from '#client/api-request.ts';
import { notifySignedOut, openSignIn } from '#client/page-events.ts';
import { ProblemError } from '#client/problem-error.ts';
import type { PlanDuration } from '#features/credits/contract.ts';
import { billingTexts } from '../contract.ts';
import { leaveForCheckout } from './leave-for-checkout.ts';

interface Checkout {
  /** Until the browser has left for the provider's page. */
  busy: boolean;
  failure: string | null;
  begin(plan: PlanDuration): void;
}

export function useCheckout(): Checkout {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  useEffect(() => {
    const back = ({ persisted }: PageTransitionEvent) => persisted && setBusy(false);
    addEventListener('pageshow', back);
    return () => removeEventListener('pageshow', back);
  }, []);
  const begin = useCallback(async (plan: PlanDuration) => {
    setBusy(true);
    setFailure(null);
    try {
      const { url } = await request<{ url: string }>('/api/checkouts', json('POST', { plan }));
      leaveForCheckout(url);
    } catch (error) {
      setBusy(false);
      const known = error instanceof ProblemError && error.body.code !== 'internal' ? error : null;
      setFailure(known?.message ?? billingTexts.startFailed());
      if (known?.body.code !== 'unauthorized') return;
      notifySignedOut();
      openSignIn({ next: `/auth/callback?subscribe=true&plan=${plan}` });
    }
  }, []);
  return { busy, failure, begin: useCallback((plan) => void begin(plan), [begin]) };
}
