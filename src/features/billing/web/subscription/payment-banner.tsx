import { X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { priceTable, seller } from '#features/credits/contract.ts';
import { m } from '#messages';
import { Button } from '#ui/button.tsx';
import { LocalTime } from '#ui/local-time.tsx';
import { Notice } from '#ui/notice.tsx';
import { type BillingView, bannerMs, billingTexts, type SubscriptionView } from '../../contract.ts';
import { mailLink } from './mail-link.tsx';
import { proLabel } from './plan-labels.ts';
import type { PaymentStatus } from './use-payment-status.ts';

/** Closes by itself; the time does not run while it is looked at or has the focus. */
function Paid({ subscription, onClose }: { subscription: SubscriptionView; onClose: () => void }) {
  const [held, setHeld] = useState(false);
  useEffect(() => {
    if (held) return;
    const timer = setTimeout(onClose, bannerMs);
    return () => clearTimeout(timer);
  }, [held, onClose]);
  return (
    <Notice
      as="div"
      kind="success"
      className="pay-banner flex items-center gap-3 py-3 px-4 max-xs:flex-wrap"
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <p className="flex-1 min-w-0 max-xs:basis-48">
        <strong>{billingTexts.success()}</strong>{' '}
        {m.billing_welcome({ period: priceTable[subscription.plan].period })}
      </p>
      <Button look="ghost" size="icon" aria-label={m.common_close()} onClick={onClose}>
        <X size={16} strokeWidth={1.75} aria-hidden="true" />
      </Button>
    </Notice>
  );
}

/** Begun in the last hour, and left by another way than its end. */
export function OpenCheckout({
  checkout,
  onCheck,
}: {
  checkout: NonNullable<BillingView['pendingCheckout']>;
  onCheck: (checkout: NonNullable<BillingView['pendingCheckout']>) => void;
}) {
  const { plan, createdAt } = checkout;
  return (
    <Notice as="div" className="pay-banner flex items-center gap-3 py-3 px-4 max-xs:flex-wrap">
      <p className="flex-1 min-w-0 max-xs:basis-48">
        {m.billing_open_checkout({ plan: proLabel(plan), when: () => <LocalTime iso={createdAt} /> })}
      </p>
      <Button onClick={() => onCheck(checkout)}>{m.billing_have_paid()}</Button>
    </Notice>
  );
}

interface PaymentBannerProps {
  payment: PaymentStatus;
  supportEmail: string;
  onAgain: () => void;
  onClose: () => void;
}

export function PaymentBanner({ payment, supportEmail, onAgain, onClose }: PaymentBannerProps) {
  const { stage } = payment;
  return (
    <div role="status">
      {stage === 'confirming' ? (
        <Notice
          as="div"
          kind="info"
          className="pay-banner flex items-center gap-3 py-3 px-4 max-xs:flex-wrap"
        >
          <span className="spinner flex-none" aria-hidden="true" />
          <p className="flex-1 min-w-0 max-xs:basis-48">
            <strong>{billingTexts.confirming()}</strong> {m.billing_confirming_wait({ seller })}
          </p>
        </Notice>
      ) : null}
      {stage === 'late' ? (
        <Notice
          as="div"
          kind="warning"
          className="pay-banner flex items-center gap-3 py-3 px-4 max-xs:flex-wrap"
        >
          <p className="flex-1 min-w-0 max-xs:basis-48">
            <strong>{m.billing_late_title()}</strong>{' '}
            {m.billing_late({ seller, email: supportEmail, mail: mailLink })}
          </p>
          <Button onClick={onAgain}>{m.billing_check_again()}</Button>
        </Notice>
      ) : null}
      {payment.stage === 'paid' ? <Paid subscription={payment.subscription} onClose={onClose} /> : null}
    </div>
  );
}
