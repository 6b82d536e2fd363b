import { formatMoney, priceTable } from '#features/credits/contract.ts';
import { m } from '#messages';
import { LongDate } from '#ui/long-date.tsx';
import type { ShownPromotion } from '../contract.ts';

export function PromotionLine({ promotion }: { promotion: ShownPromotion }) {
  const { text, price, lastDay, code, sample } = promotion;
  const parts = {
    text: () => <strong className="font-semibold">{text}</strong>,
    old: () => <s className="text-fg-muted">{formatMoney(price.before)}</s>,
    price: formatMoney(price.after),
    period: priceTable[price.duration].period,
    day: () => <LongDate iso={lastDay} />,
  };
  return (
    <p className="text-sm">
      {code ? m.promotion_code_until({ ...parts, code }) : m.promotion_until(parts)}
      {sample ? <span className="fine"> {m.promotion_sample()}</span> : null}
    </p>
  );
}
