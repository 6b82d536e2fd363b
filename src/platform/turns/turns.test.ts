import { describe, expect, test } from 'vitest';
import { takeTurns } from './turns.server.ts';

/** Work that ends when it is told to, and says when it has begun. */
function held() {
  const ends: Array<() => void> = [];
  const work = (name: string) => () => new Promise<string>((done) => ends.push(() => done(name)));
  return { ends, work };
}

describe('takeTurns', () => {
  test('runs so many at once, the others in the order in which they came', async () => {
    const inTurn = takeTurns({ atOnce: 2, waiting: 3, fullText: 'Full.' });
    const { ends, work } = held();
    const made: string[] = [];
    const all = ['a', 'b', 'c', 'd', 'e'].map((name) => inTurn(work(name)).then((done) => made.push(done)));
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
    const inTurn = takeTurns({ atOnce: 1, waiting: 1, fullText: 'Full.' });
    const { ends, work } = held();
    const [first, second] = [inTurn(work('first')), inTurn(work('second'))];
    const refusal = { code: 'unavailable', message: 'Full.', retryAfter: 5 };
    await expect(inTurn(work('third'))).rejects.toMatchObject(refusal);
    ends[0]?.();
    expect(await first).toBe('first');
    const third = inTurn(work('third'));
    ends[1]?.();
    expect(await second).toBe('second');
    await Promise.resolve();
    ends[2]?.();
    expect(await third).toBe('third');
  });

  test('gives the turn on when work fails', async () => {
    const inTurn = takeTurns({ atOnce: 1, waiting: 1, fullText: 'Full.' });
    const failing = inTurn(() => Promise.reject(new Error('no')));
    const next = inTurn(async () => 'next');
    await expect(failing).rejects.toThrow('no');
    expect(await next).toBe('next');
  });

  test('forgets who leaves the queue', async () => {
    const inTurn = takeTurns({ atOnce: 1, waiting: 1, fullText: 'Full.' });
    const { ends, work } = held();
    const first = inTurn(work('first'));
    const leaving = new AbortController();
    const left = inTurn(work('left'), leaving.signal);
    leaving.abort();
    await expect(left).rejects.toMatchObject({ code: 'bad_request' });
    const second = inTurn(work('second'));
    ends[0]?.();
    await first;
    await Promise.resolve();
    expect(ends.length).toBe(2);
    ends[1]?.();
    expect(await second).toBe('second');
    await expect(inTurn(work('late'), leaving.signal)).rejects.toMatchObject({ code: 'bad_request' });
  });
});
