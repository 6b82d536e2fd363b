import { creditTexts, planLimits, priceEdition } from '#features/credits/contract.ts';
import { creditsOf } from '#features/credits/service.server.ts';
import { database } from '#platform/database/database.server.ts';
import type { Actor } from '#platform/http/actor.server.ts';
import { Problem } from '#platform/http/problem.server.ts';
import { isKnownKey } from './store.server.ts';

/** Refuses a page that shows outdated prices, unless its key has started a run. @throws Problem prices_changed */
export async function checkToldPrices({
  actor,
  input: { told, key },
}: {
  actor: Actor;
  input: { told: string | undefined; key: string };
}): Promise<void> {
  if (told === undefined || told === priceEdition() || actor.kind !== 'user') return;
  const { plan } = await creditsOf({ actor });
  if (planLimits[plan].unlimited || (await isKnownKey(database(), actor.userId, key))) return;
  throw new Problem('prices_changed', creditTexts.pricesChanged());
}
