import { describe, expect, test } from 'vitest';
import { createFairQueue } from './fair-queue.server.ts';

function held() {
  const ends: Array<() => void> = [];
  const work = (name: string) => () => new Promise<string>((done) => ends.push(() => done(name)));
  return { ends, work };
}

const texts = { fullText: () => 'Full.', ownText: () => 'Yours.' };

describe('takeTurns', () => {
  test('runs so many at once, the others in the order in which they came', async () => {
    const inTurn = createFairQueue({ atOnce: 2, waiting: 3, ...texts });
    const { ends, work } = held();
    const made: string[] = [];
    const all = ['a', 'b', 'c', 'd', 'e'].map((name) =>
      inTurn(work(name), { key: name }).then((done) => made.push(done)),
    );
    for (let done = 0; done < 5; done++) {
      expect(ends.length).toBe(Math.min(5, done + 2));
      ends[done]?.();
      await Promise.race(all.slice(done, done + 1));
      await Promise.resolve();
    }
    await Promise.all(all);
    expect(made).toEqual(['a', 'b', 'c', 'd', 'e']);
  });

  test('refuses what finds no place, and takes it once there is one', async () => {
    const inTurn = createFairQueue({ atOnce: 1, waiting: 1, ...texts });
    const { ends, work } = held();
    const [first, second] = [
      inTurn(work('first'), { key: 'first' }),
      inTurn(work('second'), { key: 'second' }),
    ];
    const refusal = { code: 'unavailable', message: 'Full.', retryAfter: 5 };
    await expect(inTurn(work('third'), { key: 'third' })).rejects.toMatchObject(refusal);
    ends[0]?.();
    expect(await first).toBe('first');
    const third = inTurn(work('third'), { key: 'third' });
    ends[1]?.();
    expect(await second).toBe('second');
    await Promise.resolve();
    ends[2]?.();
    expect(await third).toBe('third');
  });

  test('gives the turn on when work fails', async () => {
    const inTurn = createFairQueue({ atOnce: 1, waiting: 1, ...texts });
    const failing = inTurn(() => Promise.reject(new Error('no')), { key: 'failing' });
    const next = inTurn(async () => 'next', { key: 'next' });
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe('next');
  });

  test('forgets who leaves the queue', async () => {
    const inTurn = createFairQueue({ atOnce: 1, waiting: 1, ...texts });
    const { ends, work } = held();
    const first = inTurn(work('first'), { key: 'first' });
    const leaving = new AbortController();
    const left = inTurn(work('left'), { key: 'left', signal: leaving.signal });
    leaving.abort();
    await expect(left).rejects.toMatchObject({ code: 'bad_request' });
    const second = inTurn(work('second'), { key: 'second' });
    ends[0]?.();
    await first;
    await Promise.resolve();
    expect(ends.length).toBe(2);
    ends[1]?.();
    expect(await second).toBe('second');
    const late = inTurn(work('late'), { key: 'late', signal: leaving.signal });
    await expect(late).rejects.toMatchObject({ code: 'bad_request' });
  });

  test('takes one of a key, waiting or running, until it has ended or was left', async () => {
    const inTurn = createFairQueue({ atOnce: 1, waiting: 3, ...texts });
    const { ends, work } = held();
    const refusal = { code: 'rate_limited', message: 'Yours.', retryAfter: 5 };
    const leaving = new AbortController();
    const running = inTurn(work('running'), { key: 'a', signal: leaving.signal });
    const waiting = inTurn(work('waiting'), { key: 'b' });
    await expect(inTurn(work('again'), { key: 'a' })).rejects.toMatchObject(refusal);
    await expect(inTurn(work('again'), { key: 'b' })).rejects.toMatchObject(refusal);
    leaving.abort();
    const instead = inTurn(work('instead'), { key: 'a' });
    ends[0]?.();
    await running;
    // The end of the abandoned turn has not freed the place of the new one.
    await expect(inTurn(work('again'), { key: 'a' })).rejects.toMatchObject(refusal);
    ends[1]?.();
    expect(await waiting).toBe('waiting');
    await Promise.resolve();
    ends[2]?.();
    expect(await instead).toBe('instead');
    expect(await inTurn(async () => 'after', { key: 'a' })).toBe('after');
  });

  test('refuses who has waited long enough', async () => {
    const inTurn = createFairQueue({ atOnce: 1, waiting: 3, waitMs: 20, ...texts });
    const { ends, work } = held();
    const first = inTurn(work('first'), { key: 'first' });
    const refusal = { code: 'unavailable', message: 'Full.', retryAfter: 5 };
    await expect(inTurn(work('second'), { key: 'second' })).rejects.toMatchObject(refusal);
    ends[0]?.();
    expect(await first).toBe('first');
    expect(await inTurn(async () => 'again', { key: 'second' })).toBe('again');
  });

  test('asks the oldest to give way once its share is used up, one for each that waits', async () => {
    const inTurn = createFairQueue({ atOnce: 2, waiting: 3, shareMs: 20, ...texts });
    const signals: AbortSignal[] = [];
    const endless = (over: AbortSignal) => {
      signals.push(over);
      return new Promise<never>((_, fail) =>
        over.addEventListener('abort', () => fail(over.reason as Error)),
      );
    };
    const given = { code: 'unavailable', message: 'Full.' };
    const first = inTurn(endless, { key: 'first' });
    const second = inTurn(endless, { key: 'second' });
    expect(await inTurn(async () => 'third', { key: 'third' })).toBe('third');
    await expect(first).rejects.toMatchObject(given);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
    // The share of `second` is already used up.
    expect(await Promise.all(['a', 'b'].map((key) => inTurn(async () => key, { key })))).toEqual(['a', 'b']);
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
    const third = inTurn(endless, { key: 'third' });
    expect(await inTurn(async () => 'fourth', { key: 'fourth' })).toBe('fourth');
    await expect(second).rejects.toMatchObject(given);
    expect(await Promise.race([third.catch(() => 'ended'), 'running'])).toBe('running');
  });
});
