import { v7 as uuid } from 'uuid';
import { me } from '#features/accounts/service.server.ts';
import type { ActorInput } from '#platform/http/actor.server.ts';
import { Problem } from '#platform/http/problem.server.ts';
import { enforceLimit } from '#platform/http/rate-limit.server.ts';
import { log } from '#platform/log.server.ts';
import { billingTexts } from '../contract.ts';
import { paymentProvider } from '../provider/configured-provider.server.ts';
import type { PaymentProvider } from '../provider/payment-provider.ts';
import { awaitOtherRequest, claimCheckout, createAtProvider } from '../purchases/claim-checkout.server.ts';
import { CHECKOUT_LIMIT } from '../purchases/open-checkout.server.ts';
import type { NewCheckoutRow } from '../purchases/purchase-store.server.ts';
import { definedPacks, readOffer } from './pack-catalog.server.ts';
import { readPack } from './read-packs.server.ts';

/** False if it was paid meanwhile: another one is then created. If the provider cannot be read, it counts as open. */
async function isStillOpen(
  port: PaymentProvider,
  checkout: { id: string; externalId: string },
): Promise<boolean> {
  const result = await readPack(port, { id: checkout.id, external_id: checkout.externalId }).catch(
    (error: unknown) => {
      log.warn({ error, checkout: checkout.externalId }, 'an open checkout could not be looked up');
      return null;
    },
  );
  return !result?.changes.length;
}

/** A repeated request within half an hour returns the same checkout, until it is paid. */
export async function openPackCheckout({
  actor: { userId, ...session },
  input,
}: ActorInput<{ pack: string }>): Promise<{ url: string }> {
  await enforceLimit(`checkout:${userId}`, CHECKOUT_LIMIT);
  const port = paymentProvider();
  const pack = definedPacks().find(({ productId }) => productId === input.pack);
  const notOnSale = () => new Problem('unavailable', billingTexts.packNotOnSale());
  if (!port || !pack) throw notOnSale();
  const { email } = await me({ actor: { userId, ...session } });
  const newRow = (): NewCheckoutRow => ({ id: uuid(), userId, plan: null, ...pack, provider: port.name });
  let checkout = newRow();
  let claimed = await claimCheckout(checkout);
  const { id, externalId, url } = claimed;
  if (url && externalId && !(await isStillOpen(port, { id, externalId }))) {
    checkout = newRow();
    claimed = await claimCheckout(checkout);
  }
  if (claimed.url) return { url: claimed.url };
  if (!claimed.isNew) return { url: await awaitOtherRequest(checkout, claimed.id) };
  const check = async () => {
    if (!(await readOffer(port, pack))) throw notOnSale();
  };
  return { url: await createAtProvider(port, checkout, { email, check }) };
}
