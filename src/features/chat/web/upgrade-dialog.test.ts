import { describe, expect, test } from 'vitest';
import type { Me } from '#features/accounts/contract.ts';
import { nextResetText, upgradeReason } from './upgrade-dialog.tsx';

const me: Me = {
  id: 'u',
  email: 'a@example.com',
  name: 'A',
  avatarUrl: null,
  plan: 'free',
  credits: 0,
  chatsLeftToday: 0,
  welcomed: true,
  instructed: false,
  chatModel: null,
};
const textOf = (dialog: Parameters<typeof upgradeReason>[0]) => upgradeReason(dialog, me, new Date(), 1).text;

test('says that the message is still in the composer only if a message was refused', () => {
  const kept = 'Not sent. Your message is still in the box.';
  expect(textOf({ cause: 'credits' })).toBe(kept);
  expect(textOf({ cause: 'credits', refused: 'message' })).toBe(kept);
  expect(textOf({ cause: 'credits', refused: 'reply' })).toBe('No new reply. The current one is still here.');
  expect(textOf({ cause: 'daily', refused: 'reply' })).not.toContain('in the box');
});

describe('the time at which the daily limits reset', () => {
  test.each([
    ['2026-11-21T18:40:00Z', 'UTC', 'Resets at 12:00 AM (in 5 hours)'],
    ['2026-11-21T18:40:00Z', 'Europe/Berlin', 'Resets at 1:00 AM (in 5 hours)'],
    ['2026-11-21T18:40:00Z', 'America/Los_Angeles', 'Resets at 4:00 PM (in 5 hours)'],
    // Early in the day in Tokyo it is still yesterday in UTC.
    ['2026-11-21T22:00:00Z', 'Asia/Tokyo', 'Resets at 9:00 AM (in 2 hours)'],
    ['2026-11-21T23:00:00Z', 'Asia/Kolkata', 'Resets at 5:30 AM (in 1 hour)'],
    ['2026-11-21T23:20:30Z', 'UTC', 'Resets at 12:00 AM (in 40 minutes)'],
    ['2026-11-21T23:59:50Z', 'UTC', 'Resets at 12:00 AM (in 1 minute)'],
    ['2026-11-21T00:00:00Z', 'UTC', 'Resets at 12:00 AM (in 24 hours)'],
  ])('is right at %s in %s', (now, zone, text) => {
    expect(nextResetText(new Date(now), zone).replace(/\s/g, ' ')).toBe(text);
  });
});
