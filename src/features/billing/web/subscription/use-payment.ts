import { useCallback, useEffect, useRef, useState } from 'react';
import type { BillingView, SubscriptionView } from '../../contract.ts';
import { fetchBilling, refreshBilling } from './api.ts';
import { paidPlan } from './words.ts';

/** Milliseconds between two questions: the first, and the longest. */
const FIRST_MS = 2_000;
const LONGEST_MS = 5_000;
/** Milliseconds for which the page asks by itself. */
const PATIENCE_MS = 4 * 60_000;

/** `confirming`: the server is asked; `late`: it was asked for minutes; `paid`: it knows of the payment. */
export type Payment =
  | { stage: 'none' | 'confirming' | 'late' }
  | { stage: 'paid'; subscription: SubscriptionView };

const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((done) => {
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      done();
    });
  });

/** Asks until the server knows of a payment. @returns what it answered then; null when it has been asked long enough. */
async function askUntilPaid(
  onView: (view: BillingView) => void,
  signal: AbortSignal,
): Promise<BillingView | null> {
  const until = Date.now() + PATIENCE_MS;
  // The first question lets the server ask the provider; the others hear what has come since.
  for (let ask = refreshBilling, wait = FIRST_MS; Date.now() < until; ask = fetchBilling) {
    const view = await ask(signal).catch(() => null);
    if (signal.aborted) return null;
    if (view) onView(view);
    if (view && paidPlan(view)) return view;
    await pause(wait, signal);
    if (signal.aborted) return null;
    wait = Math.min(wait * 1.1, LONGEST_MS);
  }
  return null;
}

/**
 * What a person who comes back from the checkout is told: the truth of the server, never that of the address, which
 * only says that it is worth asking.
 * @param asked whether the address says that something was paid.
 * @param onPaid when the page has heard of the payment while it was open.
 */
export function usePayment(
  asked: boolean,
  view: BillingView | null,
  onView: (view: BillingView) => void,
  onPaid: () => void,
) {
  const [payment, setPayment] = useState<Payment>(() => {
    const subscription = asked && view ? paidPlan(view) : null;
    if (subscription) return { stage: 'paid', subscription };
    return { stage: asked ? 'confirming' : 'none' };
  });
  const calls = useRef({ onView, onPaid });
  calls.current = { onView, onPaid };
  const { stage } = payment;

  useEffect(() => {
    if (stage !== 'confirming') return;
    const asking = new AbortController();
    void askUntilPaid((now) => calls.current.onView(now), asking.signal).then((now) => {
      if (asking.signal.aborted) return;
      const subscription = now && paidPlan(now);
      if (!now || !subscription) {
        setPayment({ stage: 'late' });
        return;
      }
      setPayment({ stage: 'paid', subscription });
      calls.current.onPaid();
    });
    return () => asking.abort();
  }, [stage]);

  const again = useCallback(() => setPayment({ stage: 'confirming' }), []);
  const close = useCallback(() => setPayment({ stage: 'none' }), []);
  return { payment, again, close };
}
