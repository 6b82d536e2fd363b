import { useCallback, useEffect, useRef, useState } from 'react';
import type { BillingView, SubscriptionView } from '../../contract.ts';
import { fetchBilling, refreshBilling } from './billing-api.ts';
import { boughtPlan, isRenewing, type PendingPayment } from './plan-labels.ts';

/** Milliseconds between two questions: the first, and the longest. */
const FIRST_MS = 2_000;
const LONGEST_MS = 5_000;
/** Milliseconds for which the page asks by itself. */
const POLL_TIMEOUT_MS = 4 * 60_000;

/** `confirming`: the server is asked; `late`: it was asked for minutes; `paid`: it knows of the payment. */
export type PaymentStatus =
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

/** What is told of an awaited payment; of a plan that was bought and ended meanwhile the panel tells. */
function paymentStatusOf(view: BillingView, awaited: PendingPayment): PaymentStatus {
  const subscription = boughtPlan(view, awaited);
  if (!subscription) return { stage: 'confirming' };
  return isRenewing(subscription) ? { stage: 'paid', subscription } : { stage: 'none' };
}

/** Asks until the server knows of the payment. @returns what it answered then; null when it has been asked long enough. */
async function pollUntilPaid(
  awaited: PendingPayment,
  onView: (view: BillingView) => void,
  signal: AbortSignal,
): Promise<BillingView | null> {
  const until = Date.now() + POLL_TIMEOUT_MS;
  // The first question lets the server ask the provider; the others hear what has come since.
  for (let ask = refreshBilling, wait = FIRST_MS; Date.now() < until; ask = fetchBilling) {
    const view = await ask(signal).catch(() => null);
    if (signal.aborted) return null;
    if (view) onView(view);
    if (view && boughtPlan(view, awaited)) return view;
    await pause(wait, signal);
    if (signal.aborted) return null;
    wait = Math.min(wait * 1.1, LONGEST_MS);
  }
  return null;
}

/**
 * What a person who comes back from the checkout is told: the truth of the server, never that of the address, which
 * only says that it is worth asking.
 * @param asked the payment that the address names; null for an address that names none.
 * @param onPaid when the page has heard of the payment while it was open.
 */
export function usePaymentStatus(
  asked: PendingPayment | null,
  view: BillingView | null,
  onView: (view: BillingView) => void,
  onPaid: () => void,
) {
  const [awaited, setAwaited] = useState(asked);
  const [payment, setPayment] = useState<PaymentStatus>(() =>
    asked && view ? paymentStatusOf(view, asked) : { stage: asked ? 'confirming' : 'none' },
  );
  const calls = useRef({ onView, onPaid });
  calls.current = { onView, onPaid };
  const { stage } = payment;

  useEffect(() => {
    if (stage !== 'confirming' || !awaited) return;
    const asking = new AbortController();
    void pollUntilPaid(awaited, (now) => calls.current.onView(now), asking.signal).then((now) => {
      if (asking.signal.aborted) return;
      setPayment(now ? paymentStatusOf(now, awaited) : { stage: 'late' });
      if (now) calls.current.onPaid();
    });
    return () => asking.abort();
  }, [stage, awaited]);

  /** Asks once more, for the same payment or for another one. */
  const again = useCallback((other?: PendingPayment) => {
    if (other) setAwaited(other);
    setPayment({ stage: 'confirming' });
  }, []);
  const close = useCallback(() => setPayment({ stage: 'none' }), []);
  return { payment, again, close };
}
