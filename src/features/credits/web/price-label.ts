import type { Me } from '#features/accounts/contract.ts';
import { m } from '#messages';
import { type Feature, featureTable, formatCredits, planLimits } from '../contract.ts';

/** Null on an unlimited plan; a guest sees the free plan's price. */
export function priceFor(me: Me | null, feature: Feature, units = 1): number | null {
  return me && planLimits[me.plan].unlimited ? null : featureTable[feature].price * units;
}

/** 'Generate · 5 credits'. */
export function priceLabel(label: string, me: Me | null, feature: Feature, units = 1): string {
  const price = priceFor(me, feature, units);
  return price === null ? label : m.credits_button({ label, credits: formatCredits(price) });
}

/** True for guests, who are asked to sign in first. */
export const canUse = (me: Me | null, feature: Feature): boolean =>
  me === null || featureTable[feature].free || planLimits[me.plan].unlimited;
