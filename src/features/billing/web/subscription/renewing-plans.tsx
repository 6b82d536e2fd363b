import { LocalTime } from '../../../../ui/local-time.tsx';
import { type BillingView, type SubscriptionView, willCharge } from '../../contract.ts';
import { cancelPlan, takeMoneyBack } from './api.ts';
import { useChange } from './use-change.ts';
import { amount, day, proFor } from './words.ts';

interface RenewingPlansProps {
  subscriptions: SubscriptionView[];
  /** Id of what takes the focus of a button that went away. */
  focusTo: string;
  onView: (view: BillingView) => void;
}

/** For somebody who pays for two plans: one press ends either, with its money back while that is open. */
export function RenewingPlans({ subscriptions, focusTo, onView }: RenewingPlansProps) {
  const { busy, error, change } = useChange(focusTo);
  const renewing = subscriptions.filter(willCharge);
  if (renewing.length < 2) return null;
  const end = ({ id, plan, moneyBackUntil }: SubscriptionView) =>
    change({
      which: id,
      work: () => (moneyBackUntil ? takeMoneyBack(id) : cancelPlan(id)),
      apply: onView,
      done: moneyBackUntil ? 'Your money is on its way back.' : `${proFor(plan)} ends with its period.`,
    });
  return (
    <section className="notice notice-warning plan-renewing" aria-labelledby="plan-renewing">
      <h3 id="plan-renewing" className="font-semibold">
        {`You pay for ${renewing.length} plans`}
      </h3>
      <p>
        {renewing.length === 2
          ? 'Both renew, and one is enough. Which one do you want to end? The other keeps you on Pro.'
          : 'They all renew, and one is enough. Which ones do you want to end? The one that is left keeps you on Pro.'}
      </p>
      <ul>
        {renewing.map((each) => (
          <li key={each.id}>
            <span id={`renewing-${each.id}`}>
              <strong>{proFor(each.plan)}</strong>
              {`, ${amount(each.priceCents, each.currency)}`}
              {each.periodStart ? (
                <>
                  , paid on <LocalTime iso={each.periodStart} />
                </>
              ) : null}
              {each.renewsAt ? (
                <>
                  , renews on <LocalTime iso={each.renewsAt} format={day} />
                </>
              ) : null}
            </span>
            <button
              type="button"
              className="btn btn-secondary"
              aria-busy={busy === each.id}
              aria-describedby={`renewing-${each.id}`}
              onClick={() => void end(each)}
            >
              {each.moneyBackUntil
                ? `Refund ${amount(each.moneyBackCents, each.currency)} and end it`
                : 'End it with its period'}
            </button>
          </li>
        ))}
      </ul>
      {error ? <p role="alert">{error}</p> : null}
    </section>
  );
}
