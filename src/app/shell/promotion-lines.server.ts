import type { Promotion } from '#content/site.ts';
import { planDurations, priceTable } from '#features/credits/contract.ts';
import type { SettingKind } from '#platform/settings/setting-kinds.server.ts';
import {
  checkedLines,
  isProblem,
  readTranslations,
  translationParts,
} from '#platform/settings/translated-words.server.ts';
import { decimalAmount } from '#shared/decimal-amount.ts';

const textLength = 60;
/** One for the offer, one for its text, and one for each further language. */
const maxLines = 12;

export const promotionFormat = 'PLAN | OLD PRICE | LAST DAY';

const isDay = (text: string) =>
  /^\d{4}-\d{2}-\d{2}$/.test(text) && new Date(`${text}T00:00:00Z`).toJSON()?.startsWith(text);

const parseCents = (text: string): number | null =>
  /^\d{1,6}(\.\d{2})?$/.test(text) ? Math.round(Number(text) * 100) : null;

function readPromotion([offer = '', ...texts]: readonly string[]): Promotion | { problem: string } {
  const [plan, oldPrice = '', lastDay = '', code, newPrice, ...extra] = offer
    .split('|')
    .map((part) => part.trim());
  const duration = planDurations.find((each) => each === plan);
  const before = parseCents(oldPrice);
  if (!duration || before === null || !isDay(lastDay) || extra.length > 0)
    return {
      problem: `line 1 must be ${promotionFormat}, for example yearly | 139.98 | 2027-01-31; plans are ${planDurations.join(', ')}`,
    };
  const after = code === undefined ? priceTable[duration].priceCents : parseCents(newPrice ?? '');
  if (after === null || (code !== undefined && !/^[\x21-\x7b\x7d\x7e]{1,40}$/.test(code)))
    return {
      problem: 'line 1 must have a code without blanks and the price with it, for example | HALF | 69.99',
    };
  if (code !== undefined && after >= before) return { problem: 'line 1 must lower the price' };
  const text = readTranslations(texts, textLength);
  if (isProblem(text)) return { problem: `line 2 and those below: ${text.problem}` };
  return { text, price: { duration, before, after }, lastDay, code: code ?? null, sample: false };
}

/** Returns null for invalid lines. Without a code, the promotional price is the current price of the plan. */
export function parsePromotion(lines: readonly string[]): Promotion | null {
  const parsed = lines.length === 0 ? null : readPromotion(lines);
  return parsed && !isProblem(parsed) ? parsed : null;
}

/** Writes lines that `parsePromotion` can read back, without `sample`. */
export const formatPromotion = ({ text, price, lastDay, code }: Promotion): string[] => [
  [
    price.duration,
    decimalAmount(price.before),
    lastDay,
    ...(code === null ? [] : [code, decimalAmount(price.after)]),
  ].join(' | '),
  ...translationParts(text),
];

export const promotionKind = (): SettingKind => ({
  kind: 'lines',
  min: 0,
  max: maxLines,
  schema: checkedLines(maxLines, (lines) => {
    const parsed = lines.length === 0 ? null : readPromotion(lines);
    return parsed && isProblem(parsed) ? parsed.problem : null;
  }),
});
