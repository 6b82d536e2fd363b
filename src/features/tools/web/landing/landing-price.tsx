import { useSale } from '#features/billing/web/use-sale.ts';
import {
  type Feature,
  featureTable,
  formatMoney,
  priceTable,
  welcomeCredits,
} from '#features/credits/contract.ts';
import { m } from '#messages';
import { Button } from '#ui/button.tsx';

interface Figure {
  figure: string;
  note: string;
}

function freeFigures(feature: Feature, unit: string): Figure[] {
  const { free, price } = featureTable[feature];
  if (!free) return [];
  if (price === 0) return [{ figure: m.common_free(), note: unit }];
  return [
    { figure: m.common_credits({ count: price }), note: unit },
    { figure: m.pricing_free_credits({ count: welcomeCredits }), note: m.landing_price_first_note() },
  ];
}

function proFigures(feature: Feature, fairUse: string | null): Figure[] {
  const { free, price } = featureTable[feature];
  const { dailyCents, priceCents } = priceTable.yearly;
  if (price === 0 || fairUse === null) return [];
  const unlimited = { figure: m.tool_cost_none(), note: fairUse };
  if (free) return [unlimited];
  return [
    unlimited,
    {
      figure: m.plan_per_day({ price: formatMoney(dailyCents) }),
      note: m.landing_price_year({ price: formatMoney(priceCents) }),
    },
    { figure: m.landing_price_refund(), note: m.landing_price_refund_note() },
  ];
}

interface LandingPriceProps {
  feature: Feature;
  unit: string;
  /** null where nothing is counted. */
  fairUse: string | null;
}

export function LandingPrice({ feature, unit, fairUse }: LandingPriceProps) {
  const { durations } = useSale();
  const figures = [
    ...freeFigures(feature, unit),
    ...(durations.length > 0 ? proFigures(feature, fairUse) : []),
  ];
  return (
    <section className="pt-10" aria-label={m.landing_price()}>
      <div className="flex flex-wrap items-center gap-x-10 gap-y-5 border-y border-line py-6">
        {figures.map(({ figure, note }) => (
          <p key={figure} className="max-md:basis-full">
            <b className="block text-2xl font-[650] tracking-tight">{figure}</b>
            <span className="fine">{note}</span>
          </p>
        ))}
        <Button className="ms-auto max-md:ms-0 max-md:basis-full" href="/pricing">
          {m.plan_see_plans()}
        </Button>
      </div>
    </section>
  );
}
