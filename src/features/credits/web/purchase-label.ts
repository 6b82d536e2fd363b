import { useSale } from '#features/billing/web/use-sale.ts';
import { m } from '#messages';

/** Label of the button next to a refusal for lack of credits. */
export const usePurchaseLabel = (): string =>
  useSale().packs.length > 0 ? m.packs_purchase() : m.upgrade_go_pro();
