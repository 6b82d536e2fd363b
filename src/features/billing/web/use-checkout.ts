import { useCallback, useEffect, useState } from 'react';
import { json, request } from '#client/api-request.ts';
import { notifySignedOut, openSignIn } from '#client/page-events.ts';
import { ProblemError } from '#client/problem-error.ts';
import { billingTexts, type CheckoutOffer } from '../contract.ts';
import { leaveForCheckout } from './leave-for-checkout.ts';

interface Checkout {
  /** True until the browser has left for the provider's page. */
  busy: boolean;
  failure: string | null;
  start(offer: CheckoutOffer): void;
}

export function useCheckout(): Checkout {
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  useEffect(() => {
    const onPageShow = ({ persisted }: PageTransitionEvent) => persisted && setBusy(false);
    addEventListener('pageshow', onPageShow);
    return () => removeEventListener('pageshow', onPageShow);
  }, []);
  const start = useCallback(async (offer: CheckoutOffer) => {
    setBusy(true);
    setFailure(null);
    try {
      const { url } = await request<{ url: string }>('/api/checkouts', json('POST', offer));
      leaveForCheckout(url);
    } catch (error) {
      setBusy(false);
      const known = error instanceof ProblemError && error.body.code !== 'internal' ? error : null;
      const failed = 'pack' in offer ? billingTexts.packStartFailed : billingTexts.startFailed;
      setFailure(known?.message ?? failed());
      if (known?.body.code !== 'unauthorized') return;
      notifySignedOut();
      openSignIn('plan' in offer ? { next: `/auth/callback?subscribe=true&plan=${offer.plan}` } : {});
    }
  }, []);
  return { busy, failure, start: useCallback((offer) => void start(offer), [start]) };
}
