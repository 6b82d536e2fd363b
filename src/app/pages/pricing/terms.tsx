import { moneyBackDays } from '../../../features/billing/contract.ts';
import { money, type PlanDuration, priceTable, seller } from '../../../features/credits/contract.ts';

const every: Record<PlanDuration, string> = {
  monthly: 'month',
  quarterly: 'three months',
  yearly: 'year',
};

/** What the button leads to, in plain words: renewal, taxes and the way to the money back. */
export function Terms({ among }: { among: readonly PlanDuration[] }) {
  return (
    <dl className="plan-terms">
      <div>
        <dt>Renewal</dt>
        <dd>
          {among.map((duration) => (
            <span key={duration} data-price={duration}>
              {money(priceTable[duration].priceCents)} every {every[duration]}
            </span>
          ))}{' '}
          until you cancel. Cancelling takes two steps on the dashboard, and Pro goes on to the end of what is
          paid.
        </dd>
      </div>
      <div>
        <dt>Taxes</dt>
        <dd>Taxes of your country are included. {seller} sells Pro and sees to them.</dd>
      </div>
      <div>
        <dt>Refund</dt>
        <dd>
          The whole first payment back within {moneyBackDays} days, once per person, by a button on the
          dashboard. Pro then ends at once.
        </dd>
      </div>
    </dl>
  );
}
