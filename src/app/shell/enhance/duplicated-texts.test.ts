import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { authChannel } from '#features/accounts/contract.ts';
import { bannerMs, billingTexts } from '#features/billing/contract.ts';
import { m } from '#messages';

const source = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8');

test('tabs meet on the channel of the contract', () => {
  expect(source('session.ts')).toContain(`new BroadcastChannel('${authChannel}')`);
});

test('the page of prices says what the contract says, for as long', () => {
  expect(m.billing_start_failed()).toBe(billingTexts.startFailed());
  expect(source('checkout-form.ts')).toContain(`BANNER_MS = ${bannerMs};`);
});
