import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { IdleTimer } from './idle-timer.ts';

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
});

function clockOf(ms: number): { clock: IdleTimer; silences: () => number } {
  let count = 0;
  const clock = new IdleTimer(ms, () => {
    count += 1;
  });
  return { clock, silences: () => count };
}

it('tells silence once, at its deadline', () => {
  const { silences } = clockOf(100);
  vi.advanceTimersByTime(99);
  expect(silences()).toBe(0);
  vi.advanceTimersByTime(2);
  expect(silences()).toBe(1);
  vi.advanceTimersByTime(1_000);
  expect(silences()).toBe(1);
});

it('starts anew with every sign of life, later or nearer', () => {
  const { clock, silences } = clockOf(100);
  for (let beat = 0; beat < 10; beat += 1) {
    vi.advanceTimersByTime(90);
    clock.restart(100);
  }
  expect(silences()).toBe(0);
  clock.restart(10);
  vi.advanceTimersByTime(11);
  expect(silences()).toBe(1);
});

it('does not count the time that it is held, and goes on with what was left', () => {
  const { clock, silences } = clockOf(100);
  vi.advanceTimersByTime(60);
  clock.hold();
  vi.advanceTimersByTime(500);
  clock.resume();
  vi.advanceTimersByTime(39);
  expect(silences()).toBe(0);
  vi.advanceTimersByTime(2);
  expect(silences()).toBe(1);
});

it('is quiet once stopped', () => {
  const { clock, silences } = clockOf(100);
  clock.stop();
  clock.restart(10);
  vi.advanceTimersByTime(1_000);
  expect(silences()).toBe(0);
});
