import { m } from '#messages';
import { Problem } from './http/problem.server.ts';

/** Work for one turn. `over` aborts with a Problem once the turn's share is used up and others are waiting. */
type Work<T> = (over: AbortSignal) => Promise<T>;

/** Runs work in a turn of the person `key`. `signal` aborts when nobody needs the result any longer. */
export type FairQueue = <T>(work: Work<T>, whose: { key: string; signal?: AbortSignal }) => Promise<T>;

interface FairQueueOptions {
  atOnce: number;
  waiting: number;
  waitMs?: number;
  /** Milliseconds after which a turn may be ended for others, if its work watches `over`. Default: never. */
  shareMs?: number;
  fullText: () => string;
  ownText: () => string;
}

interface Running {
  over: AbortController;
  /** The error that ends the turn once its share is used up and others wait, in the language of its own request. */
  late: Problem | null;
}

const WAIT_MS = 10_000;
const RETRY_S = 5;

const cutOff = () => new Problem('bad_request', m.request_cut_off());

function createWaitList(full: () => Problem, waitMs: number) {
  const queue: Array<() => void> = [];
  return {
    waiting: () => queue.length,
    next(): boolean {
      const go = queue.shift();
      go?.();
      return go !== undefined;
    },
    wait(signal?: AbortSignal): Promise<void> {
      return new Promise((done, fail) => {
        const settle = () => {
          clearTimeout(timer);
          signal?.removeEventListener('abort', left);
        };
        const go = () => {
          settle();
          done();
        };
        const leave = (problem: Problem) => {
          settle();
          queue.splice(queue.indexOf(go), 1);
          fail(problem);
        };
        const left = () => leave(cutOff());
        const timer = setTimeout(() => leave(full()), waitMs);
        signal?.addEventListener('abort', left, { once: true });
        queue.push(go);
      });
    },
  };
}

/** One place per key. Aborting frees it at once, so that unfinished work does not block the person's next request. */
function limitOnePerKey(ownText: () => string) {
  const places = new Map<string, symbol>();
  return (key: string, signal?: AbortSignal): (() => void) => {
    if (places.has(key)) throw new Problem('rate_limited', ownText(), { retryAfter: RETRY_S });
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
  atOnce,
  waiting,
  waitMs = WAIT_MS,
  shareMs,
  fullText,
  ownText,
}: FairQueueOptions): FairQueue {
  const full = () => new Problem('unavailable', fullText(), { retryAfter: RETRY_S });
  const room = createWaitList(full, waitMs);
  const placeOf = limitOnePerKey(ownText);
  // Oldest first.
  const running = new Set<Running>();
  let taken = 0;

  function hurry(): void {
    const turns = [...running];
    const needed = room.waiting() - turns.filter(({ over }) => over.signal.aborted).length;
    const endable = turns.filter((turn) => turn.late && !turn.over.signal.aborted);
    for (const { over, late } of endable.slice(0, Math.max(0, needed))) over.abort(late);
  }

  async function run<T>(work: Work<T>): Promise<T> {
    const turn: Running = { over: new AbortController(), late: null };
    running.add(turn);
    const end = () => {
      turn.late = full();
      hurry();
    };
    const share = shareMs === undefined ? undefined : setTimeout(end, shareMs);
    try {
      return await work(turn.over.signal);
    } finally {
      clearTimeout(share);
      running.delete(turn);
    }
  }

  return async (work, { key, signal }) => {
    if (signal?.aborted) throw cutOff();
    const release = placeOf(key, signal);
    try {
      if (taken < atOnce) taken++;
      else if (room.waiting() >= waiting) throw full();
      else {
        const turn = room.wait(signal);
        hurry();
        await turn;
      }
      try {
        return await run(work);
      } finally {
        if (!room.next()) taken--;
      }
    } finally {
      release();
    }
  };
}
