import { type Promotion, promotion } from '#content/site.ts';
import type { Sale } from '#features/billing/contract.ts';
import { offeredPacks, onSale } from '#features/billing/service.server.ts';
import { priceTable } from '#features/credits/contract.ts';
import { config } from '#platform/config/config.server.ts';
import { spoken } from '#shared/operator-words.ts';

/** In UTC days, where it lowers a price to what is charged; a sample only in the sandbox. */
export function runningPromotion(
  offer: Promotion | null,
  { now, sandbox }: { now: Date; sandbox: boolean },
): Promotion | null {
  if (!offer || (offer.sample && !sandbox)) return null;
  const { duration, before, after } = offer.price;
  if (before <= after || (!offer.code && after !== priceTable[duration].priceCents)) return null;
  return now.toISOString().slice(0, 10) <= offer.lastDay ? offer : null;
}

export function currentSale(): Sale {
  const { sandbox } = config();
  const durations = onSale();
  const running = durations.length > 0 ? runningPromotion(promotion, { now: new Date(), sandbox }) : null;
  return {
    durations,
    packs: offeredPacks(),
    promotion: running && { ...running, text: spoken(running.text) },
  };
}
