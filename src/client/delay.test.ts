import { afterEach, expect, it, vi } from 'vitest';
import { delay } from './delay.ts';

afterEach(() => vi.useRealTimers());

it('leaves no listener at a signal that outlives it', async () => {
  vi.useFakeTimers();
  const { signal } = new AbortController();
  const [added, removed] = [vi.spyOn(signal, 'addEventListener'), vi.spyOn(signal, 'removeEventListener')];
  const waited = delay(1_000, signal);
  vi.advanceTimersByTime(1_000);
  await waited;
  expect(removed.mock.calls.map(([name, listener]) => [name, listener])).toEqual(
    added.mock.calls.map(([name, listener]) => [name, listener]),
  );
});

it('ends at once where it is called off, before or meanwhile', async () => {
  vi.useFakeTimers();
  const controller = new AbortController();
  const waited = delay(1_000, controller.signal);
  controller.abort();
  await waited;
  await delay(1_000, controller.signal);
  expect(vi.getTimerCount()).toBe(0);
});
