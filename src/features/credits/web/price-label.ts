import type { Me } from '#features/accounts/contract.ts';
import { m } from '#messages';
import { type Feature, featureTable, formatCredits, planLimits } from '../contract.ts';

/** What so many units cost this person in credits; null where the plan is unlimited. A guest is told the free price. */
export function priceFor(me: Me | null, feature: Feature, units = 1): number | null {
  return me && planLimits[me.plan].unlimited ? null : featureTable[feature].price * units;
}

/** What stands on a button: its label, and what the press costs: 'Generate · 5 credits'. */
export function priceLabel(label: string, me: Me | null, feature: Feature, units = 1): string {
  const price = priceFor(me, feature, units);
  return price === null ? label : m.credits_button({ label, credits: formatCredits(price) });
}

/** Whether the plan of this person has the tool; a guest is asked to sign in first. */
export const canUse = (me: Me | null, feature: Feature): boolean =>
  me === null || featureTable[feature].free || planLimits[me.plan].unlimited;
