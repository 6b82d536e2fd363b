import { proPromise } from '../../../credits/contract.ts';
import { type BillingView, billingTexts, type SubscriptionView } from '../../contract.ts';
import { PlanActions } from './plan-actions.tsx';
import { explanationOf, Facts, factsOf, grantFacts, MoneyBackNote } from './plan-facts.tsx';
import './plan.css';
import { amount, givesPro, planNames, proFor, stateNames } from './words.ts';

const HEADING = 'plan-title';

interface PlanPanelProps {
  view: BillingView;
  /** Whether Pro can be bought here. */
  forSale: boolean;
  supportEmail: string;
  onView: (view: BillingView) => void;
}

function State({ subscription }: { subscription: SubscriptionView }) {
  const { state } = subscription;
  return <span className={state === 'active' ? 'mark plan-state' : 'plan-state'}>{stateNames[state]}</span>;
}

/** The sentence under the heading, in the colour of its weight. */
function Explained({ subscription }: { subscription: SubscriptionView }) {
  const text = explanationOf(subscription);
  if (!text) return null;
  return subscription.state === 'past_due' || subscription.state === 'disputed' ? (
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
function Free({ forSale }: { forSale: boolean }) {
  if (!forSale) return <p className="fine">{billingTexts.notOnSale}</p>;
  return (
    <>
      <p className="muted">{`Pro is ${proPromise.charAt(0).toLowerCase()}${proPromise.slice(1)}`}</p>
      <div className="row plan-actions">
        <ToPricing label="See Pro" />
      </div>
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
export function PlanPanel({ view, forSale, supportEmail, onView }: PlanPanelProps) {
  const { plan, subscriptions, grant, portal } = view;
  const [first, ...others] = subscriptions;
  const current = first && givesPro(first) ? first : null;
  const ended = !current && !grant ? first : null;
  const shown = current ?? ended ?? null;
  const rest = shown ? others : subscriptions;
  const paying = subscriptions.filter(({ renewsAt }) => renewsAt !== null).length;
  return (
    <section className="plan" aria-labelledby={HEADING}>
      <p className="eyebrow">Plan</p>
      <h2 className="h2" id={HEADING} tabIndex={-1}>
        {current && plan !== 'business' ? proFor(current.plan) : planNames[plan]}{' '}
        {shown ? <State subscription={shown} /> : null}
      </h2>
      {paying > 1 ? (
        <p className="notice notice-warning">
          {`You pay for ${paying} plans at once. One is enough: cancel the others below.`}
        </p>
      ) : null}
      {shown ? <Explained subscription={shown} /> : null}
      {grant ? <Facts facts={grantFacts(grant)} /> : null}
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
          {plan === 'free' && forSale && !shown.canResume ? <ToPricing label="See the plans" /> : null}
        </PlanActions>
      ) : null}
      {shown && !portal ? <p className="fine">{billingTexts.portalByMail}</p> : null}
      {plan === 'free' && !shown ? <Free forSale={forSale} /> : null}
      {current && !current.moneyBackUntil && current.state !== 'trialing' ? (
        <MoneyBackNote email={supportEmail} />
      ) : null}
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
