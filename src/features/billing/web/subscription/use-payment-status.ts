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
  new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
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
  const deadline = Date.now() + POLL_TIMEOUT_MS;
  // The first poll makes the server read the provider; the others return what has arrived since.
  for (let fetchView = refreshBilling, delay = FIRST_MS; Date.now() < deadline; fetchView = fetchBilling) {
    const view = await fetchView(signal).catch(() => null);
    if (signal.aborted) return null;
    if (view) onView(view);
    if (view && paymentStatusOf(view, awaited).stage !== 'confirming') return view;
    await pause(delay, signal);
    if (signal.aborted) return null;
    delay = Math.min(delay * 1.1, LONGEST_MS);
  }
  return null;
}

/**
 * The server's state decides; the address only says that polling is worthwhile. @param requested the payment that the
 * address names. @param onPaid called when the payment is confirmed while the page is open.
 */
export function usePaymentStatus(
  requested: PendingPayment | null,
  view: BillingView | null,
  onView: (view: BillingView) => void,
  onPaid: () => void,
) {
  const [awaited, setAwaited] = useState(requested);
  const [payment, setPayment] = useState<PaymentStatus>(() =>
    requested && view ? paymentStatusOf(view, requested) : { stage: requested ? 'confirming' : 'none' },
  );
  const callbacks = useRef({ onView, onPaid });
  callbacks.current = { onView, onPaid };
  const { stage } = payment;

  useEffect(() => {
    if (stage !== 'confirming' || !awaited) return;
    const controller = new AbortController();
    void pollUntilPaid(awaited, (latest) => callbacks.current.onView(latest), controller.signal).then(
      (latest) => {
        if (controller.signal.aborted) return;
        setPayment(latest ? paymentStatusOf(latest, awaited) : { stage: 'late' });
        if (latest) callbacks.current.onPaid();
      },
    );
    return () => controller.abort();
  }, [stage, awaited]);

  const checkAgain = useCallback((other?: PendingPayment) => {
    if (other) setAwaited(other);
    setPayment({ stage: 'confirming' });
  }, []);
  const close = useCallback(() => setPayment({ stage: 'none' }), []);
  return { payment, forPack: awaited?.plan === null, checkAgain, close };
}
