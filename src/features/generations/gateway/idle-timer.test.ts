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

it('reports silence once, at the deadline', () => {
  const { silences } = clockOf(100);
  vi.advanceTimersByTime(99);
  expect(silences()).toBe(0);
  vi.advanceTimersByTime(2);
  expect(silences()).toBe(1);
  vi.advanceTimersByTime(1_000);
  expect(silences()).toBe(1);
});

it('restarts on every sign of life, with a later or an earlier deadline', () => {
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

it('does not count paused time and resumes with the remaining time', () => {
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

it('never fires once stopped', () => {
  const { clock, silences } = clockOf(100);
  clock.stop();
  clock.restart(10);
  vi.advanceTimersByTime(1_000);
  expect(silences()).toBe(0);
});
