import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { authChannel, signInTexts } from '../../../features/accounts/contract.ts';

const source = (name: string) => readFileSync(new URL(name, import.meta.url), 'utf8');

test('the dialog says what the contract says', () => {
  expect(source('sign-in.ts')).toContain(`sent: '${signInTexts.sent}'`);
  expect(source('sign-in.ts')).toContain(`failed: '${signInTexts.failed}'`);
});

test('tabs meet on the channel of the contract', () => {
  expect(source('session.ts')).toContain(`new BroadcastChannel('${authChannel}')`);
});
