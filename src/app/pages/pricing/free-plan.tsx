import { formatCredits, planLimits, welcomeCredits } from '#features/credits/contract.ts';
import { m } from '#messages';
import { Button } from '#ui/button.tsx';
import { freeTicks, PlanTicks } from './plan-ticks.tsx';
import type { OwnPlan } from './pricing-data.server.ts';

function Action({ own }: { own: OwnPlan | null }) {
  if (!own)
    return (
      <>
        <Button className="w-full" size="lg" href="/sign-in" data-sign-in="">
          {m.pricing_create_account()}
        </Button>
        <p className="fine">{m.pricing_no_card()}</p>
      </>
    );
  if (planLimits[own.plan].unlimited) return <p className="fine">{m.pricing_credits_kept()}</p>;
  return (
    <>
      <Button className="w-full" size="lg" href="/chat">
        {m.common_open_chat()}
      </Button>
      <p className="text-sm font-semibold">
        {m.pricing_your_credits({ credits: formatCredits(own.credits) })}
      </p>
    </>
  );
}

export function FreePlan({ own }: { own: OwnPlan | null }) {
  return (
    <section
      className="grid gap-4 md:row-span-5 md:grid-rows-subgrid max-md:border-t border-line"
      aria-labelledby="plan-free"
    >
      <h2 className="h3" id="plan-free">
        {m.common_free()}
      </h2>
      <p className="muted text-sm">{m.pricing_free_once({ count: welcomeCredits() })}</p>
      <p className="price self-end">{m.pricing_zero()}</p>
      <div className="grid gap-2 content-start">
        <Action own={own} />
      </div>
      <PlanTicks ticks={freeTicks()} />
    </section>
  );
}
