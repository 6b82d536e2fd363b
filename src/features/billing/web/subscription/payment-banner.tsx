import { X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { LocalTime } from '../../../../ui/local-time.tsx';
import { priceTable, seller } from '../../../credits/contract.ts';
import { type BillingView, bannerMs, billingTexts, type SubscriptionView } from '../../contract.ts';
import type { Payment } from './use-payment.ts';
import { proFor } from './words.ts';

/** Goes by itself after its time, which does not run while it is looked at or has the focus. */
function Paid({ subscription, onClose }: { subscription: SubscriptionView; onClose: () => void }) {
  const [held, setHeld] = useState(false);
  useEffect(() => {
    if (held) return;
    const timer = setTimeout(onClose, bannerMs);
    return () => clearTimeout(timer);
  }, [held, onClose]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: what is looked at must not go away; nothing is done by it
    <div
      className="notice notice-success pay-banner"
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <p>
        <strong>{billingTexts.success}</strong>{' '}
        {`Welcome to Pro. Your plan: ${priceTable[subscription.plan].period}.`}
      </p>
      <button
        type="button"
        className="btn btn-ghost btn-icon"
        aria-label="Close this message"
        onClick={onClose}
      >
        <X size={16} strokeWidth={1.75} aria-hidden="true" />
      </button>
    </div>
  );
}

/** For somebody who began a checkout in the last hour and came back by another way than its end. */
export function OpenCheckout({
  checkout,
  onCheck,
}: {
  checkout: NonNullable<BillingView['pendingCheckout']>;
  onCheck: (checkout: NonNullable<BillingView['pendingCheckout']>) => void;
}) {
  const { plan, createdAt } = checkout;
  return (
    <div className="notice pay-banner">
      <p>
        {`A checkout for ${proFor(plan)} was begun `}
        <LocalTime iso={createdAt} />. No payment for it is known here yet.
      </p>
      <button type="button" className="btn btn-secondary" onClick={() => onCheck(checkout)}>
        I have paid
      </button>
    </div>
  );
}

interface PaymentBannerProps {
  payment: Payment;
  supportEmail: string;
  onAgain: () => void;
  onClose: () => void;
}

/** How it stands with a payment, for somebody who comes back from the checkout. */
export function PaymentBanner({ payment, supportEmail, onAgain, onClose }: PaymentBannerProps) {
  const { stage } = payment;
  return (
    <div role="status">
      {stage === 'confirming' ? (
        <div className="notice notice-info pay-banner">
          <span className="spinner" aria-hidden="true" />
          <p>
            <strong>{billingTexts.confirming}</strong>{' '}
            {`We wait for ${seller} to tell us of it. That takes a few seconds; this page turns by itself.`}
          </p>
        </div>
      ) : null}
      {stage === 'late' ? (
        <div className="notice notice-warning pay-banner">
          <p>
            <strong>No payment has reached us yet.</strong>{' '}
            {`If you paid, Pro begins as soon as ${seller} tells us, also while this page is closed; you need not pay again. If it takes longer than an hour, write to `}
            <a className="link" href={`mailto:${supportEmail}`}>
              {supportEmail}
            </a>
            .
          </p>
          <button type="button" className="btn btn-secondary" onClick={onAgain}>
            Check again
          </button>
        </div>
      ) : null}
      {payment.stage === 'paid' ? <Paid subscription={payment.subscription} onClose={onClose} /> : null}
    </div>
  );
}
