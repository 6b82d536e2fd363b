import { afterEach, expect, it, vi } from 'vitest';
import { delay } from './delay.ts';

afterEach(() => vi.useRealTimers());

it('leaves no listener on a signal that outlives it', async () => {
  vi.useFakeTimers();
  const { signal } = new AbortController();
  const [added, removed] = [vi.spyOn(signal, 'addEventListener'), vi.spyOn(signal, 'removeEventListener')];
  const waiting = delay(1_000, signal);
  vi.advanceTimersByTime(1_000);
  await waiting;
  expect(removed.mock.calls.map(([name, listener]) => [name, listener])).toEqual(
    added.mock.calls.map(([name, listener]) => [name, listener]),
  );
});

it('ends at once if it is aborted before or while it waits', async () => {
  vi.useFakeTimers();
  const controller = new AbortController();
  const waiting = delay(1_000, controller.signal);
  controller.abort();
  await waiting;
  await delay(1_000, controller.signal);
  expect(vi.getTimerCount()).toBe(0);
});
