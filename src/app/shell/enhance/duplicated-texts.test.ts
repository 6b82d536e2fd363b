import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { authChannel } from '#features/accounts/contract.ts';
import { bannerMs, billingTexts } from '#features/billing/contract.ts';
import { m } from '#messages';

const source = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8');

test('uses the channel of the contract between tabs', () => {
  expect(source('session.ts')).toContain(`new BroadcastChannel('${authChannel}')`);
});

test('shows the texts of the contract on the pricing page, for the same time', () => {
  expect(m.billing_start_failed()).toBe(billingTexts.startFailed());
  expect(source('checkout-form.ts')).toContain(`BANNER_MS = ${bannerMs};`);
});
