import { describe, expect, test } from 'vitest';
import { createFairQueue } from './fair-queue.server.ts';

function manualWork() {
  const ends: Array<() => void> = [];
  const work = (name: string) => () => new Promise<string>((done) => ends.push(() => done(name)));
  return { ends, work };
}

const texts = { fullMessage: () => 'Full.', busyMessage: () => 'Yours.' };

describe('createFairQueue', () => {
  test('runs as many at once as allowed, and the others in order of arrival', async () => {
    const queue = createFairQueue({ concurrency: 2, maxWaiting: 3, ...texts });
    const { ends, work } = manualWork();
    const finished: string[] = [];
    const all = ['a', 'b', 'c', 'd', 'e'].map((name) =>
      queue(work(name), { key: name }).then((done) => finished.push(done)),
    );
    for (let done = 0; done < 5; done++) {
      expect(ends.length).toBe(Math.min(5, done + 2));
      ends[done]?.();
      await Promise.race(all.slice(done, done + 1));
      await Promise.resolve();
    }
    await Promise.all(all);
    expect(finished).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  test('rejects work while the queue is full, and accepts it once there is a free place', async () => {
    const queue = createFairQueue({ concurrency: 1, maxWaiting: 1, ...texts });
    const { ends, work } = manualWork();
    const [first, second] = [
      queue(work('first'), { key: 'first' }),
      queue(work('second'), { key: 'second' }),
    ];
    const refusal = { code: 'unavailable', message: 'Full.', retryAfter: 5 };
    await expect(queue(work('third'), { key: 'third' })).rejects.toMatchObject(refusal);
    ends[0]?.();
    expect(await first).toBe('first');
    const third = queue(work('third'), { key: 'third' });
    ends[1]?.();
    expect(await second).toBe('second');
    await Promise.resolve();
    ends[2]?.();
    expect(await third).toBe('third');
  });

  test('passes the turn on when work fails', async () => {
    const queue = createFairQueue({ concurrency: 1, maxWaiting: 1, ...texts });
    const failing = queue(() => Promise.reject(new Error('no')), { key: 'failing' });
    const next = queue(async () => 'next', { key: 'next' });
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe('next');
  });

  test('forgets work that is aborted while it waits', async () => {
    const queue = createFairQueue({ concurrency: 1, maxWaiting: 1, ...texts });
    const { ends, work } = manualWork();
    const first = queue(work('first'), { key: 'first' });
    const controller = new AbortController();
    const aborted = queue(work('left'), { key: 'left', signal: controller.signal });
    controller.abort();
    await expect(aborted).rejects.toMatchObject({ code: 'bad_request' });
    const second = queue(work('second'), { key: 'second' });
    ends[0]?.();
    await first;
    await Promise.resolve();
    expect(ends.length).toBe(2);
    ends[1]?.();
    expect(await second).toBe('second');
    const late = queue(work('late'), { key: 'late', signal: controller.signal });
    await expect(late).rejects.toMatchObject({ code: 'bad_request' });
  });

  test('accepts one piece of work per key, waiting or running, until it has ended or was aborted', async () => {
    const queue = createFairQueue({ concurrency: 1, maxWaiting: 3, ...texts });
    const { ends, work } = manualWork();
    const refusal = { code: 'rate_limited', message: 'Yours.', retryAfter: 5 };
    const controller = new AbortController();
    const running = queue(work('running'), { key: 'a', signal: controller.signal });
    const waiting = queue(work('waiting'), { key: 'b' });
    await expect(queue(work('again'), { key: 'a' })).rejects.toMatchObject(refusal);
    await expect(queue(work('again'), { key: 'b' })).rejects.toMatchObject(refusal);
    controller.abort();
    const instead = queue(work('instead'), { key: 'a' });
    ends[0]?.();
    await running;
    // The end of the abandoned turn has not freed the place of the new one.
    await expect(queue(work('again'), { key: 'a' })).rejects.toMatchObject(refusal);
    ends[1]?.();
    expect(await waiting).toBe('waiting');
    await Promise.resolve();
    ends[2]?.();
    expect(await instead).toBe('instead');
    expect(await queue(async () => 'after', { key: 'a' })).toBe('after');
  });

  test('rejects work that has waited too long', async () => {
    const queue = createFairQueue({ concurrency: 1, maxWaiting: 3, waitMs: 20, ...texts });
    const { ends, work } = manualWork();
    const first = queue(work('first'), { key: 'first' });
    const refusal = { code: 'unavailable', message: 'Full.', retryAfter: 5 };
    await expect(queue(work('second'), { key: 'second' })).rejects.toMatchObject(refusal);
    ends[0]?.();
    expect(await first).toBe('first');
    expect(await queue(async () => 'again', { key: 'second' })).toBe('again');
  });

  test('ends the oldest turns whose share is used up, one for each piece of work that waits', async () => {
    const queue = createFairQueue({ concurrency: 2, maxWaiting: 3, turnMs: 20, ...texts });
    const signals: AbortSignal[] = [];
    const endless = (expired: AbortSignal) => {
      signals.push(expired);
      return new Promise<never>((_, fail) =>
        expired.addEventListener('abort', () => fail(expired.reason as Error)),
      );
    };
    const expected = { code: 'unavailable', message: 'Full.' };
    const first = queue(endless, { key: 'first' });
    const second = queue(endless, { key: 'second' });
    expect(await queue(async () => 'third', { key: 'third' })).toBe('third');
    await expect(first).rejects.toMatchObject(expected);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
    // The share of `second` is already used up.
    expect(await Promise.all(['a', 'b'].map((key) => queue(async () => key, { key })))).toEqual(['a', 'b']);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
    const third = queue(endless, { key: 'third' });
    expect(await queue(async () => 'fourth', { key: 'fourth' })).toBe('fourth');
    await expect(second).rejects.toMatchObject(expected);
    expect(await Promise.race([third.catch(() => 'ended'), 'running'])).toBe('running');
  });
});
