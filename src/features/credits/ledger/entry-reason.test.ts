import { expect, test } from 'vitest';
import type { Locale } from '#messages';
import { withLocale } from '#platform/locale.server.ts';
import { describeReason, type StoredReason } from './entry-reason.server.ts';

const older = { source: 'payment', cause: null, reason: 'Pro, 1 Year: paid' };
const withCause = (cause: StoredReason['cause']) => ({ source: 'payment', cause, reason: '' });
const bought = { credits: 100, cents: 499, currency: 'USD' } as const;
const money = { plan: 'yearly', cents: 6999, currency: 'USD' } as const;

test.each<[Locale, StoredReason, string]>([
  // Entries from before codes existed: a known source is translated, a bare sentence stays as it is.
  ['de', { source: 'welcome', cause: null, reason: 'Welcome credits' }, 'Willkommens-Credits'],
  ['ja', older, older.reason],
  [
    'en',
    withCause({ code: 'paid', plan: 'monthly', until: '2026-12-23T10:00:00Z' }),
    'Pro, 1 month: paid until December 23, 2026',
  ],
  [
    'ja',
    withCause({ code: 'paid', plan: 'monthly', until: '2026-12-23T10:00:00Z' }),
    'Pro（1か月）：2026年12月23日まで支払い済み',
  ],
  ['fr', withCause({ code: 'refunded', ...money }), 'Pro, 1 an : 69,99\u00a0$US remboursés'],
  [
    'es',
    withCause({ code: 'partly_refunded', ...money, cents: 500, ofCents: 6999 }),
    'Pro, 1 año: 5,00\u00a0US$ de 69,99\u00a0US$ reembolsados',
  ],
  ['en', withCause({ code: 'disputed', ...money }), 'Pro, 1 year: payment of $69.99 disputed'],
  ['en', withCause({ code: 'credits_paid', ...bought }), '100 credits: $4.99 paid'],
  ['de', withCause({ code: 'credits_refunded', ...bought }), '100 Credits: 4,99\u00a0$ erstattet'],
  [
    'ja',
    withCause({ code: 'credits_partly_refunded', ...bought, cents: 100, ofCents: 499 }),
    '100クレジット：$4.99のうち$1.00を返金',
  ],
  ['en', withCause({ code: 'credits_disputed', ...bought }), '100 credits: payment of $4.99 disputed'],
  ['en', withCause({ code: 'credits_returned', ...bought }), '100 credits: payment of $4.99 confirmed again'],
  ['en', { ...withCause({ code: 'of a later build', ...money } as never), reason: 'x' }, 'x'],
])('in %s, %j reads %s', (language, stored, text) => {
  expect(withLocale(language, () => describeReason(stored))).toBe(text);
});
