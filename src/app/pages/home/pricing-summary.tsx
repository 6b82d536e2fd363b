import type { Sale } from '#features/billing/contract.ts';
import {
  formatMoney,
  noSaleText,
  planLimits,
  priceTable,
  welcomeCredits,
} from '#features/credits/contract.ts';
import { m } from '#messages';
import { Button } from '#ui/button.tsx';
import { Notice } from '#ui/notice.tsx';
import { proUnlocks } from '../parts/tool-terms.ts';
import '../pricing/pricing.css';

const { yearly } = priceTable;

function Offers({ texts }: { texts: string[] }) {
  return (
    <ul className="tick-list my-5">
      {texts.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  );
}

interface PricingSummaryProps {
  sale: Sale;
  fairUse: { messages: number; texts: number; pictures: number };
}

export function PricingSummary({ sale, fairUse }: PricingSummaryProps) {
  return (
    <section className="pt-24 max-md:pt-16" id="pricing" aria-labelledby="pricing-title">
      <h2 className="h1 mb-6" id="pricing-title">
        {m.home_pricing_title()}
      </h2>
      <div className="price-panel grid grid-cols-[minmax(0,1fr)_minmax(0,1.25fr)] border rounded-lg bg-surface border-line max-md:grid-cols-1">
        <div>
          <h3 className="font-semibold">{m.common_free()}</h3>
          <p className="price">{m.pricing_zero()}</p>
          <Offers
            texts={[
              m.home_pricing_credits({ count: welcomeCredits() }),
              m.home_pricing_tools(),
              m.home_pricing_chats({ count: planLimits.free.chatsPerDay ?? 0 }),
            ]}
          />
          <Button href="/sign-in" data-sign-in="" data-when="out">
            {m.pricing_create_account()}
          </Button>
          <Button href="/chat" data-when="in">
            {m.common_open_chat()}
          </Button>
        </div>
        <div>
          <h3 className="font-semibold">
            {m.home_pricing_pro()}{' '}
            {yearly.savings ? (
              <span className="ms-1 py-0.5 px-2 border border-line-strong rounded-full text-xs">
                {yearly.savings}
              </span>
            ) : null}
          </h3>
          <p className="price">
            {formatMoney(yearly.priceCents)}{' '}
            <small>{m.home_pricing_year({ day: formatMoney(yearly.dailyCents) })}</small>
          </p>
          <Offers texts={[m.home_pricing_no_credits(), proUnlocks(), m.home_pricing_refund()]} />
          {sale.durations.length > 0 ? (
            <Button variant="primary" href="/pricing">
              {m.plan_see_plans()}
            </Button>
          ) : (
            <Notice>{noSaleText()}</Notice>
          )}
          <p className="fine mt-4">
            {m.home_pricing_fair({
              messages: fairUse.messages,
              texts: fairUse.texts,
              images: fairUse.pictures,
            })}
          </p>
        </div>
      </div>
    </section>
  );
}
