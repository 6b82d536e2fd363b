import { expect, test } from 'vitest';
import { tooManyAttemptsText } from './contract.ts';

test.each([
  [1, '1 second'],
  [89, '89 seconds'],
  [90, '2 minutes'],
  [899, '15 minutes'],
  [900, '15 minutes'],
  [5_399, '90 minutes'],
  [5_400, '2 hours'],
  [86_400, '24 hours'],
  [172_799, '48 hours'],
  [518_401, '7 days'],
])('a wait of %i s is described as %s', (seconds, duration) =>
  expect(tooManyAttemptsText(seconds)).toBe(`Too many attempts. Try again in ${duration}.`),
);
