import { useMutation } from '#client/use-mutation.ts';
import { m } from '#messages';
import { Button } from '#ui/button.tsx';
import { LocalTime } from '#ui/local-time.tsx';
import { Notice } from '#ui/notice.tsx';
import { type BillingView, type SubscriptionView, willCharge } from '../../contract.ts';
import { cancelPlan, refundPlan } from './billing-api.ts';
import { day, formatAmount, proLabel } from './plan-labels.ts';

interface RenewingPlansProps {
  subscriptions: SubscriptionView[];
  /** Id of the element that gets the focus when a button disappears. */
  focusTo: string;
  onView: (view: BillingView) => void;
}

const timeTag = (iso: string, format?: Intl.DateTimeFormatOptions) => () => (
  <LocalTime iso={iso} format={format} />
);

/** Ends either plan with one click, with a refund while that is possible. */
export function RenewingPlans({ subscriptions, focusTo, onView }: RenewingPlansProps) {
  const { busy, error, change } = useMutation(focusTo);
  const renewing = subscriptions.filter(willCharge);
  if (renewing.length < 2) return null;
  const end = ({ id, plan, moneyBackUntil }: SubscriptionView) =>
    change({
      key: id,
      work: () => (moneyBackUntil ? refundPlan(id) : cancelPlan(id)),
      apply: onView,
      done: moneyBackUntil ? m.plan_refund_asked() : m.plan_two_ends({ plan: proLabel(plan) }),
    });
  return (
    <Notice as="section" kind="warning" className="grid gap-2" aria-labelledby="plan-renewing">
      <h3 id="plan-renewing" className="font-semibold">
        {m.plan_two_title({ count: renewing.length })}
      </h3>
      <p>{renewing.length === 2 ? m.plan_two_which() : m.plan_many_which()}</p>
      <ul className="grid gap-2">
        {renewing.map((each) => (
          <li className="flex flex-wrap gap-y-2 gap-x-4 items-center justify-between" key={each.id}>
            <span id={`renewing-${each.id}`}>
              <strong>{proLabel(each.plan)}</strong>
              {`, ${formatAmount(each.priceCents, each.currency)}`}
              <span className="fine block">
                {each.periodStart ? m.plan_two_paid({ when: timeTag(each.periodStart) }) : null}
                {each.periodStart && each.renewsAt ? ' · ' : null}
                {each.renewsAt ? m.plan_two_renews({ when: timeTag(each.renewsAt, day) }) : null}
              </span>
            </span>
            <Button
              aria-busy={busy === each.id}
              aria-describedby={`renewing-${each.id}`}
              onClick={() => void end(each)}
            >
              {each.moneyBackUntil
                ? m.plan_two_refund({ amount: formatAmount(each.moneyBackCents, each.currency) })
                : m.plan_two_end()}
            </Button>
          </li>
        ))}
      </ul>
      {error ? <p role="alert">{error}</p> : null}
    </Notice>
  );
}
