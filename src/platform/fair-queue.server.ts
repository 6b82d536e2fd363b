import { m } from '#messages';
import { Problem } from './http/problem.server.ts';

/** Work for one turn. `expired` aborts with a Problem once the turn's share is used up and others are waiting. */
type Work<T> = (expired: AbortSignal) => Promise<T>;

/** Runs work in a turn of the person `key`. `signal` aborts when nobody needs the result any longer. */
export type FairQueue = <T>(work: Work<T>, options: { key: string; signal?: AbortSignal }) => Promise<T>;

interface FairQueueOptions {
  concurrency: number;
  maxWaiting: number;
  waitMs?: number;
  /** Milliseconds after which a turn may be ended for others, if its work watches `expired`. Default: never. */
  turnMs?: number;
  fullMessage: () => string;
  busyMessage: () => string;
}

interface Running {
  expiry: AbortController;
  /** The error that ends the turn once its share is used up and others wait, in the language of its own request. */
  endError: Problem | null;
}

const WAIT_MS = 10_000;
const RETRY_S = 5;

const cutOff = () => new Problem('bad_request', m.request_cut_off());

function createWaitList(full: () => Problem, waitMs: number) {
  const queue: Array<() => void> = [];
  return {
    waiting: () => queue.length,
    next(): boolean {
      const start = queue.shift();
      start?.();
      return start !== undefined;
    },
    wait(signal?: AbortSignal): Promise<void> {
      return new Promise((done, fail) => {
        const settle = () => {
          clearTimeout(timer);
          signal?.removeEventListener('abort', onAbort);
        };
        const start = () => {
          settle();
          done();
        };
        const giveUp = (problem: Problem) => {
          settle();
          queue.splice(queue.indexOf(start), 1);
          fail(problem);
        };
        const onAbort = () => giveUp(cutOff());
        const timer = setTimeout(() => giveUp(full()), waitMs);
        signal?.addEventListener('abort', onAbort, { once: true });
        queue.push(start);
      });
    },
  };
}

/** One place per key. Aborting frees it at once, so that unfinished work does not block the person's next request. */
function limitOnePerKey(busyMessage: () => string) {
  const places = new Map<string, symbol>();
  return (key: string, signal?: AbortSignal): (() => void) => {
    if (places.has(key)) throw new Problem('rate_limited', busyMessage(), { retryAfter: RETRY_S });
    const place = Symbol(key);
    places.set(key, place);
    const release = () => {
      signal?.removeEventListener('abort', release);
      if (places.get(key) === place) places.delete(key);
    };
    signal?.addEventListener('abort', release, { once: true });
    return release;
  };
}

/**
 * First come, first served, with one turn per person at a time.
 * @throws Problem: rate_limited while other work of the same key waits or runs; unavailable when too many wait or the
 * wait takes too long; bad_request when `signal` aborts the wait.
 */
export function createFairQueue({
  concurrency,
  maxWaiting,
  waitMs = WAIT_MS,
  turnMs,
  fullMessage,
  busyMessage,
}: FairQueueOptions): FairQueue {
  const full = () => new Problem('unavailable', fullMessage(), { retryAfter: RETRY_S });
  const waitList = createWaitList(full, waitMs);
  const takePlace = limitOnePerKey(busyMessage);
  // Oldest first.
  const running = new Set<Running>();
  let active = 0;

  function endOverdueTurns(): void {
    const turns = [...running];
    const needed = waitList.waiting() - turns.filter(({ expiry }) => expiry.signal.aborted).length;
    const endable = turns.filter((turn) => turn.endError && !turn.expiry.signal.aborted);
    for (const { expiry, endError } of endable.slice(0, Math.max(0, needed))) expiry.abort(endError);
  }

  async function run<T>(work: Work<T>): Promise<T> {
    const turn: Running = { expiry: new AbortController(), endError: null };
    running.add(turn);
    const expireTurn = () => {
      turn.endError = full();
      endOverdueTurns();
    };
    const share = turnMs === undefined ? undefined : setTimeout(expireTurn, turnMs);
    try {
      return await work(turn.expiry.signal);
    } finally {
      clearTimeout(share);
      running.delete(turn);
    }
  }

  return async (work, { key, signal }) => {
    if (signal?.aborted) throw cutOff();
    const release = takePlace(key, signal);
    try {
      if (active < concurrency) active++;
      else if (waitList.waiting() >= maxWaiting) throw full();
      else {
        const turn = waitList.wait(signal);
        endOverdueTurns();
        await turn;
      }
      try {
        return await run(work);
      } finally {
        if (!waitList.next()) active--;
      }
    } finally {
      release();
    }
  };
}
