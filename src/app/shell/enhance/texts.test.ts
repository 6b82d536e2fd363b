import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { authChannel, signInTexts } from '../../../features/accounts/contract.ts';
import { bannerMs, billingTexts } from '../../../features/billing/contract.ts';

const source = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8');

test('the dialog says what the contract says', () => {
  expect(source('sign-in.ts')).toContain(`sent: '${signInTexts.sent}'`);
  expect(source('sign-in.ts')).toContain(`failed: '${signInTexts.failed}'`);
});

test('tabs meet on the channel of the contract', () => {
  expect(source('session.ts')).toContain(`new BroadcastChannel('${authChannel}')`);
});

test('the page of prices says what the contract says, for as long', () => {
  expect(source('payment.ts')).toContain(`startFailed = '${billingTexts.startFailed}'`);
  expect(source('payment.ts')).toContain(`BANNER_MS = ${bannerMs};`);
});
