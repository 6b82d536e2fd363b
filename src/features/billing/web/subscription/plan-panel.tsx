import { proPromise } from '../../../credits/contract.ts';
import { type BillingView, billingTexts, type SubscriptionView } from '../../contract.ts';
import { PlanActions } from './plan-actions.tsx';
import { explanationOf, Facts, factsOf, grantFacts, MoneyBackNote } from './plan-facts.tsx';
import './plan.css';
import { RenewingPlans } from './renewing-plans.tsx';
import { amount, givesPro, mayStillCharge, planNames, proFor, stateNameOf } from './words.ts';

const HEADING = 'plan-title';

interface PlanPanelProps {
  view: BillingView;
  /** Whether Pro can be bought here. */
  forSale: boolean;
  /** Whether a payment is waited for: nobody is led to another one then. */
  waiting: boolean;
  supportEmail: string;
  onView: (view: BillingView) => void;
}

function State({ subscription }: { subscription: SubscriptionView }) {
  const { state, renewalDue, refundPending } = subscription;
  const well = state === 'active' && !renewalDue && !refundPending;
  return <span className={well ? 'mark plan-state' : 'plan-state'}>{stateNameOf(subscription)}</span>;
}

/** The sentence under the heading, in the colour of its weight. */
function Explained({ subscription }: { subscription: SubscriptionView }) {
  const text = explanationOf(subscription);
  if (!text) return null;
  const { state, refundPending } = subscription;
  const warns = state === 'past_due' || state === 'disputed' || mayStillCharge(subscription);
  return warns && !refundPending ? (
    <p className="notice notice-warning">{text}</p>
  ) : (
    <p className="muted">{text}</p>
  );
}

/** The way to Pro, for a person without it. */
const ToPricing = ({ label }: { label: string }) => (
  <a className="btn btn-primary" href="/pricing">
    {label}
  </a>
);

/** What Pro is and the way to it, for a person who never had it. */
function Free({ forSale, waiting }: Pick<PlanPanelProps, 'forSale' | 'waiting'>) {
  if (!forSale) return <p className="fine">{billingTexts.notOnSale}</p>;
  return (
    <>
      <p className="muted">{`Pro is ${proPromise.charAt(0).toLowerCase()}${proPromise.slice(1)}`}</p>
      {waiting ? null : (
        <div className="row plan-actions">
          <ToPricing label="See Pro" />
        </div>
      )}
    </>
  );
}

interface OtherPlansProps {
  subscriptions: SubscriptionView[];
  onView: (view: BillingView) => void;
}

/** The plans beside the first: what each is, what is next, what can be done. */
function OtherPlans({ subscriptions, onView }: OtherPlansProps) {
  return (
    <>
      <h3 className="eyebrow plan-others-title">Other plans</h3>
      <ul className="plan-others">
        {subscriptions.map((each) => (
          <li key={each.id} id={`plan-${each.id}`} tabIndex={-1}>
            <p className="plan-other-head">
              <strong>{proFor(each.plan)}</strong> <State subscription={each} />
              <span className="muted">{amount(each.priceCents, each.currency)}</span>
            </p>
            <Facts facts={factsOf(each)} />
            <PlanActions
              subscription={each}
              portal={false}
              focusTo={`plan-${each.id}`}
              named
              onView={onView}
            />
          </li>
        ))}
      </ul>
    </>
  );
}

/** The plan of a person: its state in words, what is next, and what can be done about it. */
export function PlanPanel({ view, forSale, waiting, supportEmail, onView }: PlanPanelProps) {
  const { plan, subscriptions, grant, portal, firstDaysOver } = view;
  const [first, ...others] = subscriptions;
  const current = first && givesPro(first) ? first : null;
  const ended = !current && !grant ? first : null;
  const shown = current ?? ended ?? null;
  const rest = shown ? others : subscriptions;
  const mayBuy = plan === 'free' && forSale && !waiting && !shown?.canResume && !shown?.canCancel;
  const noted = current && !current.moneyBackUntil && !current.refundPending && current.state !== 'trialing';
  return (
    <section className="plan" aria-labelledby={HEADING}>
      <p className="eyebrow">Plan</p>
      <h2 className="h2" id={HEADING} tabIndex={-1}>
        {current && plan !== 'business' ? proFor(current.plan) : planNames[plan]}{' '}
        {shown ? <State subscription={shown} /> : null}
      </h2>
      <RenewingPlans subscriptions={subscriptions} focusTo={HEADING} onView={onView} />
      {shown ? <Explained subscription={shown} /> : null}
      {grant ? <Facts facts={grantFacts(grant, subscriptions)} /> : null}
      {shown ? <Facts facts={factsOf(shown)} /> : null}
      {shown ? (
        <PlanActions
          key={shown.id}
          subscription={shown}
          portal={portal}
          focusTo={HEADING}
          named={false}
          onView={onView}
        >
          {mayBuy ? <ToPricing label="See the plans" /> : null}
        </PlanActions>
      ) : null}
      {shown && !portal ? <p className="fine">{billingTexts.portalByMail}</p> : null}
      {plan === 'free' && !shown ? <Free forSale={forSale} waiting={waiting} /> : null}
      {noted ? <MoneyBackNote over={firstDaysOver} email={supportEmail} /> : null}
      {ended?.state === 'disputed' ? <Disputed email={supportEmail} /> : null}
      {rest.length > 0 ? <OtherPlans subscriptions={rest} onView={onView} /> : null}
    </section>
  );
}

function Disputed({ email }: { email: string }) {
  return (
    <p className="fine">
      Not your doing? Write to{' '}
      <a className="link" href={`mailto:${email}`}>
        {email}
      </a>
      .
    </p>
  );
}
