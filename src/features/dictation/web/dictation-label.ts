import type { Me } from '#features/accounts/contract.ts';
import { priceFor, priceLabel } from '#features/credits/web/price-label.ts';

/** With its price, where it has one. */
export const dictationLabel = (label: string, me: Me | null): string =>
  priceFor(me, 'dictation') ? priceLabel(label, me, 'dictation') : label;
