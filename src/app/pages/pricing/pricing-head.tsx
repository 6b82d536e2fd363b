import type { Promotion } from '../../../../content/site.ts';
import { PromotionLine } from '../../../features/billing/web/promotion-line.tsx';
import { planLimits, priceTable, welcomeCredits } from '../../../features/credits/contract.ts';
import type { OwnPlan } from './pricing-facts.server.ts';

/** For somebody who has bought already: what they have. */
function OwnHead({ own: { plan, duration } }: { own: OwnPlan }) {
  return (
    <div className="page-head">
      <h1 className="h1" tabIndex={-1}>
        Your plan is{' '}
        <span className="mark">
          {plan === 'business' ? 'Business' : `Pro${duration ? `, ${priceTable[duration].period}` : ''}`}
        </span>
      </h1>
      <p className="lead">No credits, within fair use. See below what each plan includes.</p>
    </div>
  );
}

/** What the page is about in two lines, with a promotion as long as there is one; `own`: who looks at it has. */
export function PricingHead({ own, promotion }: { own: OwnPlan | null; promotion: Promotion | null }) {
  if (own && planLimits[own.plan].unlimited) return <OwnHead own={own} />;
  return (
    <div className="page-head">
      <h1 className="h1" tabIndex={-1}>
        Start free, go <span className="mark">unlimited</span> when you need it
      </h1>
      <div>
        <p className="lead">
          {welcomeCredits} credits to find out what it does. Pro takes no credits at all.
        </p>
        {promotion ? <PromotionLine promotion={promotion} /> : null}
      </div>
    </div>
  );
}
