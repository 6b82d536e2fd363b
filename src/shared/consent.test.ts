import { describe, expect, test } from 'vitest';
import { consentVersion, readConsent } from './consent.ts';

const now = Date.UTC(2026, 10, 21);
const day = 24 * 60 * 60 * 1000;
const stored = (change: Record<string, unknown> = {}) =>
  JSON.stringify({
    essential: true,
    functional: true,
    analytics: false,
    timestamp: new Date(now).toISOString(),
    version: consentVersion,
    ...change,
  });

describe('a stored choice', () => {
  test('is read as it was written', () => {
    expect(readConsent(stored(), now)).toEqual(JSON.parse(stored()));
  });

  test('is valid for 12 months', () => {
    const readAt = (ms: number) => readConsent(stored({ timestamp: new Date(ms).toISOString() }), now);
    expect(readAt(now - 364 * day)).not.toBeNull();
    expect(readAt(now - 365 * day)).toBeNull();
    expect(readAt(now + 366 * day)).toBeNull();
  });

  test('is invalid if it has another version', () => {
    expect(readConsent(stored({ version: consentVersion + 1 }), now)).toBeNull();
    expect(readConsent(stored({ version: undefined }), now)).toBeNull();
  });

  test('allows only categories that are true, and always the essential one', () => {
    const consent = readConsent(stored({ essential: false, functional: 'yes', analytics: 1 }), now);
    expect(consent).toMatchObject({ essential: true, functional: false, analytics: false });
  });

  test.each([null, '', 'null', '[]', '"x"', '7', '{', '{}', stored({ timestamp: 'soon' })])(
    '%s is invalid',
    (text) => {
      expect(readConsent(text, now)).toBeNull();
    },
  );
});
