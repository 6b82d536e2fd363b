import type { ReactNode } from 'react';
import type { ShownPromotion } from '#features/billing/contract.ts';
import { PromotionLine } from '#features/billing/web/promotion-line.tsx';
import { planLimits, priceTable, welcomeCredits } from '#features/credits/contract.ts';
import { m } from '#messages';
import { LongDate } from '#ui/long-date.tsx';
import type { OwnPlan } from './pricing-data.server.ts';

interface PricingHeadProps {
  own: OwnPlan | null;
  promotion: ShownPromotion | null;
}

function ownLead({ duration, renewsAt, endsAt }: OwnPlan): ReactNode {
  if (!duration) return m.pricing_lead_pro();
  const plan = priceTable[duration].period;
  if (renewsAt) return m.pricing_lead_renews({ plan, day: () => <LongDate iso={renewsAt} /> });
  return endsAt ? m.pricing_lead_ends({ plan, day: () => <LongDate iso={endsAt} /> }) : plan;
}

function headTexts(own: OwnPlan | null): [title: string, lead: ReactNode] {
  if (!own)
    return [
      m.pricing_title(),
      m.pricing_lead({ credits: m.pricing_free_credits({ count: welcomeCredits() }) }),
    ];
  if (planLimits[own.plan].unlimited)
    return [own.plan === 'business' ? m.pricing_title_business() : m.pricing_title_pro(), ownLead(own)];
  return [m.pricing_title_free({ count: own.credits }), m.pricing_lead_free()];
}

export function PricingHead({ own, promotion }: PricingHeadProps) {
  const [title, lead] = headTexts(own);
  return (
    <div className="grid gap-3 pt-12 pb-8 max-md:pt-10 max-md:pb-5">
      <h1
        className="text-3xl font-[650] tracking-tighter text-balance focus-visible:[outline:none]"
        tabIndex={-1}
      >
        {title}
      </h1>
      <p className="lead max-w-none">{lead}</p>
      {promotion && !(own && planLimits[own.plan].unlimited) ? <PromotionLine promotion={promotion} /> : null}
    </div>
  );
}
