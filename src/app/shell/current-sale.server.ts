import { type Promotion, site } from '#content/site.ts';
import type { Sale } from '#features/billing/contract.ts';
import { onSale } from '#features/billing/service.server.ts';
import { priceTable } from '#features/credits/contract.ts';
import { config } from '#platform/config/config.server.ts';

/** In UTC days, where it lowers a price to what is charged; a sample only in the sandbox. */
export function runningPromotion(
  promotion: Promotion | null,
  { now, sandbox }: { now: Date; sandbox: boolean },
): Promotion | null {
  if (!promotion || (promotion.sample && !sandbox)) return null;
  const { duration, before, after } = promotion.price;
  if (before <= after || (!promotion.code && after !== priceTable[duration].priceCents)) return null;
  return now.toISOString().slice(0, 10) <= promotion.lastDay ? promotion : null;
}

export function currentSale(): Sale {
  const { sandbox } = config();
  const durations = onSale();
  const promotion = runningPromotion(site.promotion, { now: new Date(), sandbox });
  return { durations, promotion: durations.length > 0 ? promotion : null };
}
