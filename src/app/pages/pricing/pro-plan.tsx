import {
  choicesOnSale,
  type Feature,
  formatMoney,
  noSaleText,
  type PlanDuration,
  planLimits,
  priceTable,
  saleTermsText,
  seller,
} from '#features/credits/contract.ts';
import { m } from '#messages';
import { sentenceSeparator } from '#shared/join-sentences.ts';
import { Button } from '#ui/button.tsx';
import { LongDate } from '#ui/long-date.tsx';
import { Notice } from '#ui/notice.tsx';
import { EnhancedSlot } from '../../shell/enhanced-slot.tsx';
import { PlanTicks, proTicks } from './plan-ticks.tsx';
import type { OwnPlan } from './pricing-data.server.ts';

/** The price of one duration; pricing.css shows that of the selected one without scripts. */
function Price({ duration, ...rest }: { duration: PlanDuration; 'data-price'?: PlanDuration }) {
  const { priceCents, dailyCents } = priceTable[duration];
  return (
    <p className="price self-end" {...rest}>
      {formatMoney(priceCents)}{' '}
      <small>
        {m.pricing_for({ plan: duration })} ·{' '}
        <span className="mark">{m.plan_per_day({ price: formatMoney(dailyCents) })}</span>
      </small>
    </p>
  );
}

export interface CheckoutAttempt {
  plan: PlanDuration;
  failed: string;
}

interface ProPlanProps {
  own: OwnPlan | null;
  onSale: readonly PlanDuration[];
  attempt: CheckoutAttempt | null;
  fairUse: Partial<Record<Feature, number>>;
}

const rows = 'plan-pro grid gap-4 md:row-span-5 md:grid-rows-subgrid max-md:order-first max-md:border-t-0';

const Name = () => (
  <h2 className="h3" id="plan-pro">
    {m.plan_pro()}
  </h2>
);

function Buy({ own, onSale, attempt, fairUse }: ProPlanProps) {
  const { choices, chosen } = choicesOnSale(onSale, attempt?.plan);
  const guest = own === null;
  return (
    <form
      className={rows}
      aria-labelledby="plan-pro"
      {...(guest ? { action: '/sign-in' } : { method: 'post', action: '/pricing', 'data-checkout': '' })}
    >
      <Name />
      <fieldset className="grid grid-flow-col auto-cols-[minmax(0,1fr)] p-[3px] border border-line-strong rounded-md bg-sunken">
        <legend className="visually-hidden">{m.upgrade_billing_period()}</legend>
        {choices.map(({ value, title, badge }) => (
          <label
            className="relative grid justify-items-center py-1.5 px-1 border border-transparent rounded-sm text-sm text-center text-fg-muted has-checked:border-fg has-checked:bg-surface has-checked:text-fg has-focus-visible:[outline:2px_solid_var(--ring)] has-focus-visible:[outline-offset:2px]"
            key={value}
          >
            <input
              className="absolute inset-0 opacity-0 cursor-pointer"
              type="radio"
              name="plan"
              value={value}
              defaultChecked={value === chosen}
            />
            <span className="font-semibold">{title}</span>{' '}
            <span className="text-xs">{badge ?? m.pricing_try_out()}</span>
          </label>
        ))}
      </fieldset>
      <div className="self-end">
        {choices.map(({ value }) => (
          <Price key={value} duration={value} data-price={value} />
        ))}
      </div>
      <div className="grid gap-2 content-start">
        <EnhancedSlot
          as="p"
          data-failed=""
          role="alert"
          className="notice notice-danger"
          text={attempt?.failed}
        />
        <Button className="w-full whitespace-normal" variant="primary" size="lg" type="submit">
          {guest ? m.pricing_sign_in_checkout() : m.billing_continue_at({ seller })}
        </Button>
        <p className="fine">
          {saleTermsText()}
          {sentenceSeparator()}
          <a className="link" href="#questions">
            {m.pricing_all_terms()}
          </a>
        </p>
      </div>
      <PlanTicks ticks={proTicks(fairUse)} />
    </form>
  );
}

function Current({
  own: { duration, priceCents, renewsAt },
  fairUse,
}: { own: OwnPlan } & Pick<ProPlanProps, 'fairUse'>) {
  return (
    <section className={rows} aria-labelledby="plan-pro">
      <Name />
      <p className="text-sm font-semibold">{m.pricing_your_plan()}</p>
      {duration ? (
        <p className="price self-end">
          {formatMoney(priceCents)} <small>{m.pricing_for({ plan: duration })}</small>
        </p>
      ) : (
        <span />
      )}
      <div className="grid gap-2 content-start">
        <Button className="w-full" variant="primary" size="lg" href="/dashboard">
          {m.pricing_manage()}
        </Button>
        <p className="fine">
          {renewsAt
            ? m.pricing_next_payment({
                price: formatMoney(priceCents),
                day: () => <LongDate iso={renewsAt} />,
              })
            : m.pricing_manage_text()}
        </p>
      </div>
      <PlanTicks ticks={proTicks(fairUse)} />
    </section>
  );
}

function NotOnSale({ fairUse }: Pick<ProPlanProps, 'fairUse'>) {
  return (
    <section className={rows} aria-labelledby="plan-pro">
      <Name />
      <span />
      <span />
      <Notice className="self-start">{noSaleText()}</Notice>
      <PlanTicks ticks={proTicks(fairUse)} />
    </section>
  );
}

export function ProPlan(props: ProPlanProps) {
  const { own, onSale, fairUse } = props;
  if (own && planLimits[own.plan].unlimited) return <Current own={own} fairUse={fairUse} />;
  return onSale.length > 0 ? <Buy {...props} /> : <NotOnSale fairUse={fairUse} />;
}
