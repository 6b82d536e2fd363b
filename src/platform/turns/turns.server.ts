import { Problem } from '../http/problem.server.ts';

interface Waiting {
  go(): void;
}

/** Runs work in turn. @throws Problem unavailable when too many wait already, bad_request when `signal` ends the wait. */
export type InTurn = <T>(work: () => Promise<T>, signal?: AbortSignal) => Promise<T>;

/**
 * Turns for work that needs much memory: `atOnce` of it runs in this process, up to `waiting` wait, first come, first
 * served. `fullText` is for whoever comes when all places are taken.
 */
export function takeTurns({
  atOnce,
  waiting,
  fullText,
}: {
  atOnce: number;
  waiting: number;
  fullText: string;
}): InTurn {
  let running = 0;
  const queue: Waiting[] = [];

  function turn(signal?: AbortSignal): Promise<void> {
    return new Promise((done, fail) => {
      const place: Waiting = {
        go() {
          signal?.removeEventListener('abort', leave);
          done();
        },
      };
      const leave = () => {
        queue.splice(queue.indexOf(place), 1);
        fail(new Problem('bad_request', 'The request was cut off.'));
      };
      signal?.addEventListener('abort', leave, { once: true });
      queue.push(place);
    });
  }

  return async (work, signal) => {
    if (signal?.aborted) throw new Problem('bad_request', 'The request was cut off.');
    if (running < atOnce) running++;
    else if (queue.length < waiting) await turn(signal);
    else throw new Problem('unavailable', fullText, { retryAfter: 5 });
    try {
      return await work();
    } finally {
      const next = queue.shift();
      if (next) next.go();
      else running--;
    }
  };
}
