import type { Me } from '#features/accounts/contract.ts';
import { priceFor, priceLabel } from '#features/credits/web/price-label.ts';

/** Adds the price, if there is one. */
export const dictationLabel = (label: string, me: Me | null): string =>
  priceFor(me, 'dictation') ? priceLabel(label, me, 'dictation') : label;
