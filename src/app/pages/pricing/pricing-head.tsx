import type { Promotion } from '../../../../content/site.ts';
import { PromotionLine } from '../../../features/billing/web/promotion-line.tsx';
import { welcomeCredits } from '../../../features/credits/contract.ts';

/** What the page is about in two lines, with a promotion as long as there is one. */
export function PricingHead({ promotion }: { promotion: Promotion | null }) {
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
