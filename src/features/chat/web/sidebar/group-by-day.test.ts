import { describe, expect, it } from 'vitest';
import { dayNumber, groupByDay } from './group-by-day.ts';

const row = (updatedAt: string) => ({
  id: updatedAt,
  title: updatedAt,
  provisional: false,
  updatedAt,
  running: false,
  pinnedAt: null,
  archivedAt: null,
  projectId: null,
  assistant: 'general',
});
const labels = (now: string, zone: string, times: string[]) =>
  groupByDay(times.map(row), dayNumber(new Date(now), zone), zone).map(
    ({ label, rows }) => `${label}: ${rows.length}`,
  );

describe('groups of the viewer’s calendar', () => {
  it('counts calendar days, not spans of 24 hours', () => {
    const now = '2026-11-21T00:05:00Z';
    expect(labels(now, 'UTC', ['2026-11-21T00:01:00Z', '2026-11-20T23:59:00Z'])).toEqual([
      'Today: 1',
      'Yesterday: 1',
    ]);
    // Four in the afternoon of the previous day in Los Angeles: both are on that day.
    expect(labels(now, 'America/Los_Angeles', ['2026-11-21T00:01:00Z', '2026-11-20T23:59:00Z'])).toEqual([
      'Today: 2',
    ]);
    // Nine in the morning in Tokyo.
    expect(labels(now, 'Asia/Tokyo', ['2026-11-20T15:00:00Z', '2026-11-20T14:59:59Z'])).toEqual([
      'Today: 1',
      'Yesterday: 1',
    ]);
  });

  it('ends each group where the next starts', () => {
    const now = '2026-11-21T12:00:00Z';
    const ago = (days: number) => new Date(Date.parse(now) - days * 86_400_000).toISOString();
    expect(labels(now, 'UTC', [0, 1, 2, 7, 8, 30, 31, 60, 700].map(ago))).toEqual([
      'Today: 1',
      'Yesterday: 1',
      'Previous 7 days: 2',
      'Previous 30 days: 2',
      'October 2026: 1',
      'September 2026: 1',
      'December 2024: 1',
    ]);
  });

  it('handles days of 23 and 25 hours', () => {
    const zone = 'Europe/Berlin';
    // 29 March 2026 has 23 hours, 25 October 2026 has 25.
    expect(labels('2026-03-29T22:30:00Z', zone, ['2026-03-29T21:59:00Z', '2026-03-28T22:59:00Z'])).toEqual([
      'Yesterday: 1',
      'Previous 7 days: 1',
    ]);
    expect(labels('2026-10-25T22:30:00Z', zone, ['2026-10-24T22:30:00Z', '2026-10-24T21:59:00Z'])).toEqual([
      'Today: 1',
      'Yesterday: 1',
    ]);
    const week = Array.from({ length: 9 }, (_, at) => new Date(Date.UTC(2026, 9, 29 - at, 12)).toISOString());
    expect(labels('2026-10-29T23:30:00+01:00', zone, week)).toEqual([
      'Today: 1',
      'Yesterday: 1',
      'Previous 7 days: 6',
      'Previous 30 days: 1',
    ]);
  });

  it('groups a time ahead of the viewer’s clock under Today', () => {
    expect(labels('2026-11-21T12:00:00Z', 'UTC', ['2026-12-24T00:00:00Z'])).toEqual(['Today: 1']);
  });
});
