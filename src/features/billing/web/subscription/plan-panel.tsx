import { m } from '#messages';
import { Button } from '#ui/button.tsx';
import { Notice } from '#ui/notice.tsx';
import { type BillingView, billingTexts, type SubscriptionView } from '../../contract.ts';
import { mailLink } from './mail-link.tsx';
import { PlanActions } from './plan-actions.tsx';
import { explanationOf, grantDetails, MoneyBackNote, PlanDetails, planDetailsOf } from './plan-details.tsx';
import { formatAmount, givesPro, mayStillCharge, planNames, proLabel, stateNameOf } from './plan-labels.ts';
import { RenewingPlans } from './renewing-plans.tsx';

const HEADING = 'plan-title';

interface PlanPanelProps {
  view: BillingView;
  forSale: boolean;
  /** A payment is being confirmed: meanwhile no button leads to another one. */
  waiting: boolean;
  supportEmail: string;
  onView: (view: BillingView) => void;
}

function PlanState({ subscription }: { subscription: SubscriptionView }) {
  return (
    <span className="ms-1 text-sm font-normal tracking-[0] align-[0.2em] text-fg-muted">
      {stateNameOf(subscription)}
    </span>
  );
}

function Explanation({ subscription }: { subscription: SubscriptionView }) {
  const text = explanationOf(subscription);
  if (!text) return null;
  const { state, refundPending } = subscription;
  const isWarning = state === 'past_due' || state === 'disputed' || mayStillCharge(subscription);
  return isWarning && !refundPending ? (
    <Notice kind="warning">{text}</Notice>
  ) : (
    <p className="muted">{text}</p>
  );
}

const PricingLink = ({ label }: { label: string }) => (
  <Button variant="primary" href="/pricing">
    {label}
  </Button>
);

function FreePlan({ forSale, waiting }: Pick<PlanPanelProps, 'forSale' | 'waiting'>) {
  if (!forSale) return <p className="fine">{billingTexts.notOnSale()}</p>;
  return (
    <>
      <p className="muted">{m.plan_free_promise()}</p>
      {waiting ? null : (
        <div className="row plan-actions gap-2 [&_.btn-ghost]:underline [&_.btn-ghost]:decoration-1 [&_.btn-ghost]:underline-offset-[0.2em]">
          <PricingLink label={m.plan_see_plans()} />
        </div>
      )}
    </>
  );
}

interface OtherPlansProps {
  subscriptions: SubscriptionView[];
  hasOtherPro: (without: SubscriptionView) => boolean;
  onView: (view: BillingView) => void;
}

function OtherPlans({ subscriptions, hasOtherPro, onView }: OtherPlansProps) {
  return (
    <>
      <h3 className="eyebrow mt-4">{m.plan_other()}</h3>
      <ul>
        {subscriptions.map((each) => (
          <li key={each.id} id={`plan-${each.id}`} className="grid gap-2 py-3" tabIndex={-1}>
            <p className="flex flex-wrap items-baseline gap-2 text-sm [&>:last-child]:ms-auto">
              <strong>{proLabel(each.plan)}</strong> <PlanState subscription={each} />
              <span className="muted">{formatAmount(each.priceCents, each.currency)}</span>
            </p>
            <PlanDetails facts={planDetailsOf(each)} />
            <PlanActions
              subscription={each}
              hasOtherPro={hasOtherPro(each)}
              portal={false}
              focusTo={`plan-${each.id}`}
              showsName
              onView={onView}
            />
          </li>
        ))}
      </ul>
    </>
  );
}

export function PlanPanel({ view, forSale, waiting, supportEmail, onView }: PlanPanelProps) {
  const { plan, subscriptions, grant, portal, firstDaysOver } = view;
  const [first, ...others] = subscriptions;
  const current = first && givesPro(first) ? first : null;
  const ended = !current && !grant ? first : null;
  const shown = current ?? ended ?? null;
  const rest = shown ? others : subscriptions;
  const mayBuy = plan === 'free' && forSale && !waiting && !shown?.canResume && !shown?.canCancel;
  const hasOtherPro = ({ id }: SubscriptionView) =>
    grant !== null ||
    subscriptions.some((other) => other.id !== id && givesPro(other) && !other.refundPending);
  const showsMoneyBackNote =
    current && !current.moneyBackUntil && !current.refundPending && current.state !== 'trialing';
  return (
    <section className="plan grid grid-cols-1 gap-4 content-start min-w-0" aria-labelledby={HEADING}>
      <p className="eyebrow -mb-3">{m.plan_heading()}</p>
      <h2 className="h2 focus-visible:[outline-offset:4px]" id={HEADING} tabIndex={-1}>
        {current && plan !== 'business' ? proLabel(current.plan) : planNames[plan]()}{' '}
        {shown ? <PlanState subscription={shown} /> : null}
      </h2>
      <RenewingPlans subscriptions={subscriptions} focusTo={HEADING} onView={onView} />
      {shown ? <Explanation subscription={shown} /> : null}
      {grant ? <PlanDetails facts={grantDetails(grant, subscriptions)} /> : null}
      {shown ? <PlanDetails facts={planDetailsOf(shown)} /> : null}
      {shown ? (
        <PlanActions
          key={shown.id}
          subscription={shown}
          hasOtherPro={hasOtherPro(shown)}
          portal={portal}
          focusTo={HEADING}
          showsName={false}
          onView={onView}
        >
          {mayBuy ? <PricingLink label={m.plan_see_plans()} /> : null}
        </PlanActions>
      ) : null}
      {shown && !portal ? <p className="fine">{billingTexts.portalByMail()}</p> : null}
      {plan === 'free' && !shown ? <FreePlan forSale={forSale} waiting={waiting} /> : null}
      {showsMoneyBackNote ? <MoneyBackNote isOver={firstDaysOver} email={supportEmail} /> : null}
      {ended?.state === 'disputed' ? (
        <p className="fine">{m.plan_not_you({ email: supportEmail, mail: mailLink })}</p>
      ) : null}
      {rest.length > 0 ? <OtherPlans subscriptions={rest} hasOtherPro={hasOtherPro} onView={onView} /> : null}
    </section>
  );
}
