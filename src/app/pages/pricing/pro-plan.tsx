import {
  choicesAmong,
  money,
  noSale,
  type PlanDuration,
  planLimits,
  priceTable,
  savingOf,
  seller,
} from '../../../features/credits/contract.ts';
import { ChoiceCards } from '../../../ui/choice-cards.tsx';
import { Slot } from '../../shell/slot.tsx';
import { proUnlocks } from '../parts/tool-terms.ts';
import { PlanName } from './plan-name.tsx';
import type { OwnPlan } from './pricing-facts.server.ts';
import { Terms } from './terms.tsx';

const offers = [
  'Every tool without credits, within fair use',
  proUnlocks,
  'New conversations without a daily limit, and all prompts',
];

/** Each duration's saving against the months one by one, with the sum. */
function detailOf(duration: PlanDuration): string {
  const daily = `${money(priceTable[duration].dailyCents)} a day`;
  const { month, months, byMonth, saved, percent } = savingOf(duration);
  if (saved <= 0) return daily;
  return `${daily}. Saves ${money(saved)} (${percent}%): ${months} × ${money(month)} is ${money(byMonth)}`;
}

/** The price of the duration that is chosen; a style sheet shows it, so that no script is needed. */
function Prices({ among }: { among: readonly PlanDuration[] }) {
  return among.map((duration) => {
    const { priceCents, period, dailyCents } = priceTable[duration];
    return (
      <p key={duration} className="price" data-price={duration}>
        {money(priceCents)}{' '}
        <small>
          for {period.toLowerCase()}, <span className="mark">{money(dailyCents)} a day</span>
        </small>
      </p>
    );
  });
}

/** What was tried by the form without scripts, and why it failed. */
export interface Tried {
  plan: PlanDuration;
  failed: string;
}

interface ProPlanProps {
  own: OwnPlan | null;
  onSale: readonly PlanDuration[];
  tried: Tried | null;
}

function Buy({ own, onSale, tried }: ProPlanProps) {
  const { choices, chosen } = choicesAmong(onSale, tried?.plan);
  const guest = own === null;
  return (
    <form
      className="plan-choice"
      {...(guest ? { action: '/sign-in' } : { method: 'post', action: '/pricing', 'data-checkout': '' })}
    >
      <ChoiceCards
        name="plan"
        legend="Duration of Pro"
        choices={choices.map((choice) => ({ ...choice, detail: detailOf(choice.value) }))}
        chosen={chosen}
      />
      <Slot
        as="p"
        data-failed=""
        role="alert"
        className="notice notice-danger plan-failed"
        text={tried?.failed}
      />
      <button className="btn btn-primary btn-lg" type="submit">
        {guest ? 'Sign in, then checkout at' : 'Continue to checkout at'} {seller}
      </button>
      <Terms among={onSale} />
    </form>
  );
}

function Having({ own: { plan, duration } }: { own: OwnPlan }) {
  return (
    <div className="plan-choice">
      <p>
        {plan === 'business'
          ? 'Your account has the Business plan, which is treated like Pro.'
          : `You are on Pro already${duration ? `: ${priceTable[duration].period}` : ''}.`}{' '}
        The dashboard shows until when, the payments and the way to the invoices, and the ways to change or
        cancel it.
      </p>
      <a className="btn btn-primary btn-lg" href="/dashboard">
        Open the dashboard
      </a>
    </div>
  );
}

/** The half of the panel that is paid: durations, prices and the way to the checkout. */
export function ProPlan({ own, onSale, tried }: ProPlanProps) {
  const having = own !== null && planLimits[own.plan].unlimited;
  const { choices } = choicesAmong(onSale);
  const shown = having ? [] : choices.map(({ value }) => value);
  return (
    <section className="plan-pro" aria-labelledby="plan-pro">
      <PlanName id="plan-pro" name="Pro" own={having} />
      <Prices among={shown} />
      <ul className="tick-list my-5">
        {offers.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
      {having ? <Having own={own} /> : null}
      {!having && shown.length > 0 ? <Buy own={own} onSale={shown} tried={tried} /> : null}
      {!having && shown.length === 0 ? <p className="notice">{noSale}</p> : null}
    </section>
  );
}
