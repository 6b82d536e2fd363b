import { expect, test } from 'vitest';
import { isProbeToken, probeToken } from './probe-token.server.ts';

const secret = 'Zr8vQ2mKx5Lw9TnB4yHc7JpD1sGf6VaE';
const now = Date.UTC(2026, 10, 23);

test('accepts a probe token of this secret for two minutes', () => {
  const token = probeToken(secret, now);
  expect(isProbeToken(token, secret, now)).toBe(true);
  expect(isProbeToken(token, secret, now + 119_000)).toBe(true);
  expect(isProbeToken(token, secret, now + 121_000)).toBe(false);
  expect(isProbeToken(token, 'another', now)).toBe(false);
  const [until = '', signature = ''] = token.split('.');
  for (const forged of [
    undefined,
    '',
    '.',
    until,
    `${until}.`,
    `${Number(until) + 60}.${signature}`,
    `1e12.${signature}`,
  ])
    expect(isProbeToken(forged, secret, now)).toBe(false);
  // A token that is valid for too long was not created by us, even if it is signed.
  expect(isProbeToken(probeToken(secret, now + 86_400_000), secret, now)).toBe(false);
});
