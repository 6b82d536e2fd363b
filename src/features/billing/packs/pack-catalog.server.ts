import { config } from '#platform/config/config.server.ts';
import type { PackDefinition } from '#platform/config/variable-kinds.server.ts';
import { log } from '#platform/log.server.ts';
import type { PackOffer } from '../contract.ts';
import { creemAccess, paymentProvider } from '../provider/configured-provider.server.ts';
import type { PaymentProvider, ProviderProduct } from '../provider/payment-provider.ts';

export const definedPacks = (): readonly PackDefinition[] =>
  creemAccess() ? (config().CREEM_PACKS ?? []) : [];

/** How long prices are cached; less if the provider did not answer. */
const FRESH_MS = 5 * 60_000;
const RETRY_MS = 30_000;

const cache = { packs: [] as readonly PackDefinition[], offers: [] as PackOffer[], version: 0, readUntil: 0 };
let reading: Promise<void> | null = null;

/** Returns why a product cannot be sold as a pack, or null. */
export function unsellableReason(
  product: ProviderProduct | null,
  live: boolean,
): 'unknown' | 'mode' | 'recurring' | 'price' | null {
  if (!product) return 'unknown';
  if (product.live !== live) return 'mode';
  if (!product.isPaidOnce) return 'recurring';
  return product.priceCents > 0 && /^[A-Z]{3}$/.test(product.currency) ? null : 'price';
}

/** Reads the price from the provider. Null if the pack cannot be sold. @throws ProviderError */
export async function readOffer(port: PaymentProvider, pack: PackDefinition): Promise<PackOffer | null> {
  const product = await port.product(pack.productId);
  const fault = unsellableReason(product, port.live);
  if (fault)
    log.error({ product: pack.productId, fault }, 'a pack is not for sale; run npm run doctor for details');
  if (!product || fault) return null;
  const { priceCents, currency } = product;
  return { id: pack.productId, credits: pack.credits, priceCents, currency };
}

async function readOffers(): Promise<void> {
  const port = paymentProvider();
  const packs = definedPacks();
  const results = port ? await Promise.allSettled(packs.map((pack) => readOffer(port, pack))) : [];
  const offers = results.flatMap((each, index): PackOffer[] => {
    if (each.status === 'fulfilled') return each.value ? [each.value] : [];
    log.warn(
      { error: each.reason, product: packs[index]?.productId },
      'the price of a pack could not be read',
    );
    const cached = cache.offers.find(
      ({ id, credits }) => id === packs[index]?.productId && credits === packs[index]?.credits,
    );
    return cached ? [cached] : [];
  });
  offers.sort((a, b) => a.credits - b.credits);
  const failed = results.some(({ status }) => status === 'rejected');
  if (JSON.stringify(offers) !== JSON.stringify(cache.offers)) cache.version += 1;
  Object.assign(cache, { packs, offers, readUntil: Date.now() + (failed ? RETRY_MS : FRESH_MS) });
}

/** Reads the prices; at startup this runs before pages are shown. */
export function readPacks(): Promise<void> {
  reading ??= readOffers().finally(() => {
    reading = null;
  });
  return reading;
}

/** Packs with a known price. Prices that are old, or of other settings, are reloaded in the background. */
export function offeredPacks(): readonly PackOffer[] {
  const packs = definedPacks();
  if (packs.length === 0) return [];
  if (Date.now() > cache.readUntil || packs !== cache.packs)
    void readPacks().catch((error: unknown) => log.error({ error }, 'the packs could not be read'));
  return cache.offers.filter(({ id, credits }) =>
    packs.some((pack) => pack.productId === id && pack.credits === credits),
  );
}

/** A number that changes whenever the packs on the site's pages change. */
export function packsVersion(): number {
  offeredPacks();
  return cache.version;
}
