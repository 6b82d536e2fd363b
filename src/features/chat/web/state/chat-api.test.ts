import { expect, test } from 'vitest';
import { ProblemError } from '#client/problem-error.ts';
import { formatDuration } from '#shared/format-duration.ts';
import { toNotice } from './chat-api.ts';

const second = 1000;
const minute = 60 * second;

test('formats a wait in seconds, then minutes, then hours, always rounded up', () => {
  expect([-5, 1, second, 42 * second, 89 * second].map(formatDuration)).toEqual([
    '0 seconds',
    '1 second',
    '1 second',
    '42 seconds',
    '89 seconds',
  ]);
  expect([90 * second, 61 * minute, 90 * minute, 5 * 60 * minute].map(formatDuration)).toEqual([
    '2 minutes',
    '61 minutes',
    '2 hours',
    '5 hours',
  ]);
});

test('the notice of a refusal with a wait says when the wait ends', () => {
  const body = { error: 'Too many.', code: 'rate_limited' as const, requestId: 'r' };
  const before = Date.now();
  const { until = 0, text } = toNotice(new ProblemError(429, body, 7), null);
  expect(text).toBe('Too many.');
  expect(until - before).toBeGreaterThanOrEqual(7 * second);
  expect(until - before).toBeLessThan(8 * second);
  expect(toNotice(new ProblemError(429, body, null), null)).toEqual({
    text: 'Too many.',
    code: 'rate_limited',
  });
});
