import { X } from 'lucide-react';
import { type ComponentProps, type ReactNode, useEffect, useState } from 'react';
import {
  formatCredits,
  formatMoney,
  type PlanDuration,
  priceTable,
  seller,
} from '#features/credits/contract.ts';
import { m } from '#messages';
import { sentenceSeparator } from '#shared/join-sentences.ts';
import { Button } from '#ui/button.tsx';
import { LocalTime } from '#ui/local-time.tsx';
import { Notice } from '#ui/notice.tsx';
import { type BillingView, bannerMs, billingTexts } from '../../contract.ts';
import { useCheckout } from '../use-checkout.ts';
import { mailLink } from './mail-link.tsx';
import { proLabel } from './plan-labels.ts';
import type { PaymentStatus } from './use-payment-status.ts';

function Banner({ text, children, ...rest }: ComponentProps<typeof Notice> & { text: ReactNode }) {
  return (
    <Notice
      as="div"
      className="pay-banner flex items-center gap-3 py-3 px-4 max-xs:flex-wrap [&_.btn-icon]:-my-2 [&_.btn-icon]:[color:inherit]"
      {...rest}
    >
      <p className="flex-1 min-w-0 max-xs:basis-48">{text}</p>
      {children}
    </Notice>
  );
}

const paidText = (paid: Extract<PaymentStatus, { stage: 'paid' }>): string =>
  'pack' in paid
    ? m.packs_added({ credits: formatCredits(paid.pack.credits) })
    : m.billing_welcome({ period: priceTable[paid.subscription.plan].period });

/** Closes automatically; the timer stops while the banner is hovered or focused. */
function Paid({ text, onClose }: { text: string; onClose: () => void }) {
  const [isPaused, setPaused] = useState(false);
  useEffect(() => {
    if (isPaused) return;
    const timer = setTimeout(onClose, bannerMs);
    return () => clearTimeout(timer);
  }, [isPaused, onClose]);
  return (
    <Banner
      kind="success"
      text={
        <>
          <strong>{billingTexts.success()}</strong>
          {sentenceSeparator()}
          {text}
        </>
      }
      onMouseEnter={() => setPaused(true)}
      onMouseLeave={() => setPaused(false)}
      onFocus={() => setPaused(true)}
      onBlur={() => setPaused(false)}
    >
      <Button variant="ghost" size="icon" aria-label={m.common_close()} onClick={onClose}>
        <X size={16} strokeWidth={1.75} aria-hidden="true" />
      </Button>
    </Banner>
  );
}

type PendingCheckout = NonNullable<BillingView['pendingCheckout']>;

interface OpenCheckoutProps {
  checkout: PendingCheckout;
  onCheck: (checkout: PendingCheckout) => void;
}

export function OpenCheckout({ checkout, onCheck }: OpenCheckoutProps) {
  const { plan, createdAt } = checkout;
  const when = () => <LocalTime iso={createdAt} />;
  return (
    <Banner text={m.billing_open_checkout({ plan: proLabel(plan), when })}>
      <Button onClick={() => onCheck(checkout)}>{m.billing_have_paid()}</Button>
    </Banner>
  );
}

interface PaymentBannerProps {
  payment: PaymentStatus;
  forPack: boolean;
  supportEmail: string;
  onCheckAgain: () => void;
  onClose: () => void;
}

export function PaymentBanner({ payment, forPack, supportEmail, onCheckAgain, onClose }: PaymentBannerProps) {
  const { stage } = payment;
  const late = forPack ? m.packs_late : m.billing_late;
  return (
    <div role="status">
      {stage === 'confirming' ? (
        <Notice
          as="div"
          kind="info"
          className="pay-banner flex items-center gap-3 py-3 px-4 max-xs:flex-wrap [&_.btn-icon]:-my-2 [&_.btn-icon]:[color:inherit]"
        >
          <span className="spinner flex-none" aria-hidden="true" />
          <p className="flex-1 min-w-0 max-xs:basis-48">
            <strong>{billingTexts.confirming()}</strong> {m.billing_confirming_wait({ seller })}
          </p>
        </Notice>
      ) : null}
      {stage === 'late' ? (
        <Banner
          kind="warning"
          text={
            <>
              <strong>{m.billing_late_title()}</strong>
              {sentenceSeparator()}
              {late({ seller, email: supportEmail, mail: mailLink })}
            </>
          }
        >
          <Button onClick={onCheckAgain}>{m.billing_check_again()}</Button>
        </Banner>
      ) : null}
      {payment.stage === 'paid' ? <Paid text={paidText(payment)} onClose={onClose} /> : null}
    </div>
  );
}

export function CheckoutNotice({ plan }: { plan: PlanDuration }) {
  const { busy, failure, start } = useCheckout();
  return (
    <Notice
      as="section"
      kind="info"
      className="checkout-notice grid gap-2 justify-items-start p-4"
      aria-labelledby="checkout-notice"
    >
      <h2 id="checkout-notice" className="text-md font-semibold">
        {m.billing_unfinished_title({ plan: proLabel(plan) })}
      </h2>
      <p>{m.billing_unfinished({ seller, plan, price: formatMoney(priceTable[plan].priceCents) })}</p>
      {failure ? <Notice kind="danger">{failure}</Notice> : null}
      <Button className="mt-1" variant="primary" aria-busy={busy} onClick={() => busy || start({ plan })}>
        {m.billing_continue()}
      </Button>
    </Notice>
  );
}
