import { describe, expect, test } from 'vitest';
import { nextDayHere } from './next-day.ts';

describe('when the next day of limits begins', () => {
  test.each([
    ['2026-11-21T18:40:00Z', 'UTC', '12:00 AM tomorrow, in 5 hours'],
    ['2026-11-21T18:40:00Z', 'Europe/Berlin', '1:00 AM tomorrow, in 5 hours'],
    ['2026-11-21T18:40:00Z', 'America/Los_Angeles', '4:00 PM today, in 5 hours'],
    // Early in the day of Tokyo it is still yesterday in UTC.
    ['2026-11-21T22:00:00Z', 'Asia/Tokyo', '9:00 AM today, in 2 hours'],
    ['2026-11-21T23:00:00Z', 'Asia/Kolkata', '5:30 AM today, in an hour'],
    ['2026-11-21T23:20:30Z', 'UTC', '12:00 AM tomorrow, in 40 minutes'],
    ['2026-11-21T23:59:50Z', 'UTC', '12:00 AM tomorrow, in a minute'],
    ['2026-11-21T00:00:00Z', 'UTC', '12:00 AM tomorrow, in 24 hours'],
  ])('at %s in %s', (now, zone, text) => {
    expect(nextDayHere(new Date(now), zone).replace(/\s/g, ' ')).toBe(text);
  });
});
