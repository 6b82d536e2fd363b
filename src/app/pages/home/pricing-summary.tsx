import type { Sale } from '../../../features/billing/contract.ts';
import {
  featureTable,
  money,
  noSale,
  planLimits,
  priceTable,
  welcomeCredits,
} from '../../../features/credits/contract.ts';
import { proUnlocks } from '../parts/tool-terms.ts';

const { monthly, quarterly, yearly } = priceTable;

const freeOffers = [
  `${welcomeCredits} credits to start`,
  `${featureTable.chat.price} credit a message in chat`,
  `${planLimits.free.chatsPerDay} new chats a day`,
  'Every thread kept',
];

const proOffers = [
  'Unlimited use: no credits are taken',
  proUnlocks,
  'New chats without a daily limit',
  '7-day money-back guarantee, cancel anytime',
];

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
  /** What Pro has a UTC day. */
  fairUse: { messages: number; texts: number; pictures: number };
}

/** Free beside Pro by the year, all figures from the plan table. */
export function PricingSummary({ sale, fairUse }: PricingSummaryProps) {
  return (
    <section className="home-section" id="pricing" aria-labelledby="pricing-title">
      <h2 className="h2" id="pricing-title">
        Pricing
      </h2>
      <div className="price-panel">
        <div>
          <h3 className="font-semibold">Free</h3>
          <p className="price">$0</p>
          <Offers texts={freeOffers} />
          <a className="btn btn-secondary" href="/sign-in" data-sign-in="" data-when="out">
            Create account
          </a>
          <a className="btn btn-secondary" href="/chat" data-when="in">
            Open chat
          </a>
        </div>
        <div>
          <h3 className="font-semibold">
            Pro <span className="mark">{yearly.savings}</span>
          </h3>
          <p className="price">
            {money(yearly.priceCents)} <small>per year, {money(yearly.dailyCents)} a day</small>
          </p>
          <Offers texts={proOffers} />
          {sale.durations.length > 0 ? (
            <a className="btn btn-primary" href="/pricing">
              Choose Pro
            </a>
          ) : (
            <p className="notice">{noSale}</p>
          )}
          <p className="fine mt-4">
            Or {money(monthly.priceCents)} for {monthly.period.toLowerCase()}, {money(quarterly.priceCents)}{' '}
            for {quarterly.period.toLowerCase()}. Fair use: {fairUse.messages} messages, {fairUse.texts} texts
            and {fairUse.pictures} images a day.{' '}
            <a className="link" href="/pricing#plans">
              Compare the plans
            </a>
          </p>
        </div>
      </div>
    </section>
  );
}
