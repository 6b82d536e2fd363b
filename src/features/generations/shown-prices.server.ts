import { creditTexts, planLimits, pricesVersion } from '#features/credits/contract.ts';
import { readCredits } from '#features/credits/service.server.ts';
import { database } from '#platform/database/database.server.ts';
import type { Actor } from '#platform/http/actor.server.ts';
import { Problem } from '#platform/http/problem.server.ts';
import { isKnownKey } from './store.server.ts';

/** Refuses a page that shows outdated prices, unless its key has started a run. @throws Problem prices_changed */
export async function checkShownPrices({
  actor,
  input: { shownVersion, key },
}: {
  actor: Actor;
  input: { shownVersion: string | undefined; key: string };
}): Promise<void> {
  if (shownVersion === undefined || shownVersion === pricesVersion() || actor.kind !== 'user') return;
  const { plan } = await readCredits({ actor });
  if (planLimits[plan].unlimited || (await isKnownKey(database(), actor.userId, key))) return;
  throw new Problem('prices_changed', creditTexts.pricesChanged());
}
