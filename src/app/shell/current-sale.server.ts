import { type Promotion, promotion } from '#content/site.ts';
import type { Sale } from '#features/billing/contract.ts';
import { offeredPacks, onSale } from '#features/billing/service.server.ts';
import { priceTable } from '#features/credits/contract.ts';
import { config } from '#platform/config/config.server.ts';
import { localizedWords } from '#shared/operator-words.ts';
import { settingOr } from '#shared/settings.ts';
import { parsePromotion } from './promotion-lines.server.ts';

export const promotionSetting = 'promotion';

/** Returns the offer until the end of its last day (UTC), if it really lowers the price. Samples need a sandbox. */
export function runningPromotion(
  offer: Promotion | null,
  { now, sandbox }: { now: Date; sandbox: boolean },
): Promotion | null {
  if (!offer || (offer.sample && !sandbox)) return null;
  const { duration, before, after } = offer.price;
  if (before <= after || (!offer.code && after !== priceTable[duration].priceCents)) return null;
  return now.toISOString().slice(0, 10) <= offer.lastDay ? offer : null;
}

/** Returns the operator's promotion, or that of content/site.ts if the operator has not set one. */
export function currentPromotion(): Promotion | null {
  const lines = settingOr<readonly string[] | null>(promotionSetting, null);
  return lines === null ? promotion : parsePromotion(lines);
}

export function currentSale(): Sale {
  const { sandbox } = config();
  const durations = onSale();
  const running =
    durations.length > 0 ? runningPromotion(currentPromotion(), { now: new Date(), sandbox }) : null;
  return {
    durations,
    packs: offeredPacks(),
    promotion: running && { ...running, text: localizedWords(running.text) },
  };
}
