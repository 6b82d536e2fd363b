import type { ReactNode } from 'react';
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

/** What Pro is and the way to it, for a person without it. */
function Free({ forSale, again }: { forSale: boolean; again: boolean }) {
  return (
    <>
      {again ? null : <p className="muted">{proPromise}</p>}
      {forSale ? (
        <div className="row plan-actions">
          <a className="btn btn-primary" href="/pricing">
            {again ? 'See the plans' : 'See Pro'}
          </a>
        </div>
      ) : (
        <p className="fine">{billingTexts.notOnSale}</p>
      )}
    </>
  );
}

/** A plan beside the first: what it is, what is next, what can be done. */
function OtherPlan({ subscription, children }: { subscription: SubscriptionView; children: ReactNode }) {
  const { id, plan, priceCents, currency } = subscription;
  return (
    <li id={`plan-${id}`} tabIndex={-1}>
      <p className="plan-other-head">
        <strong>{proFor(plan)}</strong> <State subscription={subscription} />
        <span className="muted">{amount(priceCents, currency)}</span>
      </p>
      <Facts facts={factsOf(subscription)} />
      {children}
    </li>
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
        />
      ) : null}
      {plan === 'free' ? <Free forSale={forSale} again={ended !== null && ended !== undefined} /> : null}
      {current && !current.moneyBackUntil && current.state !== 'trialing' ? (
        <MoneyBackNote email={supportEmail} />
      ) : null}
      {ended?.state === 'disputed' ? <Disputed email={supportEmail} /> : null}
      {rest.length > 0 ? (
        <>
          <h3 className="eyebrow plan-others-title">Other plans</h3>
          <ul className="plan-others">
            {rest.map((each) => (
              <OtherPlan key={each.id} subscription={each}>
                <PlanActions
                  subscription={each}
                  portal={false}
                  focusTo={`plan-${each.id}`}
                  named
                  onView={onView}
                />
              </OtherPlan>
            ))}
          </ul>
        </>
      ) : null}
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
