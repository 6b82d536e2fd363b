import { expect, test } from 'vitest';
import type { Promotion } from '../../../content/site.ts';
import { runningPromotion } from './sale.server.ts';

const offer: Promotion = { text: 'Half off', lastDay: '2027-01-31', code: null, sample: false };
const at = (time: string, sandbox = false) => ({ now: new Date(time), sandbox });

test('a promotion holds to the end of its last day, and is gone after it', () => {
  expect(runningPromotion(offer, at('2027-01-31T23:59:59.999Z'))).toBe(offer);
  expect(runningPromotion(offer, at('2027-02-01T00:00:00Z'))).toBeNull();
  expect(runningPromotion(null, at('2026-01-01T00:00:00Z'))).toBeNull();
});

test('a sample is shown in the sandbox alone, and ends there too', () => {
  const sample = { ...offer, sample: true };
  expect(runningPromotion(sample, at('2026-11-21T12:00:00Z'))).toBeNull();
  expect(runningPromotion(sample, at('2026-11-21T12:00:00Z', true))).toBe(sample);
  expect(runningPromotion(sample, at('2027-02-01T00:00:00Z', true))).toBeNull();
});
