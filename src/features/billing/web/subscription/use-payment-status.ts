import { useCallback, useEffect, useRef, useState } from 'react';
import type { BillingView, PaidPack, SubscriptionView } from '../../contract.ts';
import { fetchBilling, refreshBilling } from './billing-api.ts';
import { boughtPlan, isRenewing, type PendingPayment } from './plan-labels.ts';

/** Pause between two polls: the first one, and the longest. */
const FIRST_MS = 2_000;
const LONGEST_MS = 5_000;
const POLL_TIMEOUT_MS = 4 * 60_000;

/** `late`: not confirmed after minutes of polling. */
export type PaymentStatus =
  | { stage: 'none' | 'confirming' | 'late' }
  | { stage: 'paid'; subscription: SubscriptionView }
  | { stage: 'paid'; pack: PaidPack };

const pause = (ms: number, signal: AbortSignal) =>
  new Promise<void>((done) => {
    const timer = setTimeout(done, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      done();
    });
  });

/** A plan that was bought and has ended meanwhile gives `none`: the plan panel shows it. */
function paymentStatusOf(view: BillingView, awaited: PendingPayment): PaymentStatus {
  if (awaited.plan === null) {
    const pack = view.packs.find(({ checkoutId }) => checkoutId === awaited.checkoutId);
    return pack ? { stage: 'paid', pack } : { stage: 'confirming' };
  }
  const subscription = boughtPlan(view, awaited);
  if (!subscription) return { stage: 'confirming' };
  return isRenewing(subscription) ? { stage: 'paid', subscription } : { stage: 'none' };
}

/** @returns null when it gives up, or is aborted. */
async function pollUntilPaid(
  awaited: PendingPayment,
  onView: (view: BillingView) => void,
  signal: AbortSignal,
): Promise<BillingView | null> {
  const until = Date.now() + POLL_TIMEOUT_MS;
  // The first poll makes the server read the provider; the others return what has arrived since.
  for (let ask = refreshBilling, wait = FIRST_MS; Date.now() < until; ask = fetchBilling) {
    const view = await ask(signal).catch(() => null);
    if (signal.aborted) return null;
    if (view) onView(view);
    if (view && paymentStatusOf(view, awaited).stage !== 'confirming') return view;
    await pause(wait, signal);
    if (signal.aborted) return null;
    wait = Math.min(wait * 1.1, LONGEST_MS);
  }
  return null;
}

/**
 * The server's state decides; the address only says that polling is worthwhile. @param asked the payment that the
 * address names. @param onPaid called when the payment is confirmed while the page is open.
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

  const again = useCallback((other?: PendingPayment) => {
    if (other) setAwaited(other);
    setPayment({ stage: 'confirming' });
  }, []);
  const close = useCallback(() => setPayment({ stage: 'none' }), []);
  return { payment, forPack: awaited?.plan === null, again, close };
}
