import { expect, test } from 'vitest';
import type { Promotion } from '#content/site.ts';
import { priceTable } from '#features/credits/contract.ts';
import { runningPromotion } from './current-sale.server.ts';

const { priceCents } = priceTable.yearly;
const price = { duration: 'yearly', before: 2 * priceCents, after: priceCents } as const;
const offer: Promotion = { text: 'Half off', price, lastDay: '2027-01-31', code: null, sample: false };
const at = (time: string, sandbox = false) => ({ now: new Date(time), sandbox });

test('shows a promotion until the end of its last day', () => {
  expect(runningPromotion(offer, at('2027-01-31T23:59:59.999Z'))).toBe(offer);
  expect(runningPromotion(offer, at('2027-02-01T00:00:00Z'))).toBeNull();
  expect(runningPromotion(null, at('2026-01-01T00:00:00Z'))).toBeNull();
});

test('shows a sample only in the sandbox, and only until its last day', () => {
  const sample = { ...offer, sample: true };
  expect(runningPromotion(sample, at('2026-11-21T12:00:00Z'))).toBeNull();
  expect(runningPromotion(sample, at('2026-11-21T12:00:00Z', true))).toBe(sample);
  expect(runningPromotion(sample, at('2027-02-01T00:00:00Z', true))).toBeNull();
});

test('ignores a promotion that does not lower the price to what is charged', () => {
  const now = at('2026-11-21T12:00:00Z');
  const priced = (before: number, after: number) => ({ ...offer, price: { ...price, before, after } });
  expect(runningPromotion(priced(priceCents, priceCents), now)).toBeNull();
  expect(runningPromotion(priced(priceCents, priceCents / 2), now)).toBeNull();
  const withCode = { ...priced(priceCents, priceCents / 2), code: 'HALF' };
  expect(runningPromotion(withCode, now)).toBe(withCode);
});
