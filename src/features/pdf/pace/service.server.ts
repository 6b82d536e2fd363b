import { setImmediate } from 'node:timers/promises';
import { Problem } from '../../../platform/http/problem.server.ts';
import { takeTurns } from '../../../platform/turns/turns.server.ts';
import type { RunContext } from '../../generations/engine/service.server.ts';
import { RunFailure } from '../../generations/verdict/service.server.ts';

/** Milliseconds after which others of the process go first. */
const SLICE_MS = 10;
const BUSY = 'Many documents are being worked through. You were not charged. Please try again in a minute.';

/** To be called, and waited for, in the middle of long work. @throws AbortError once `signal` has aborted. */
export type Rest = () => Promise<void>;

/** Lets whatever waits for the process go first, after each 10 ms of work. */
export function pace(signal?: AbortSignal): Rest {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < SLICE_MS) return;
    await setImmediate(undefined, { signal });
    since = performance.now();
  };
}

const inTurn = takeTurns({ atOnce: 1, waiting: 50, waitMs: 60_000, fullText: BUSY, ownText: BUSY });

/** Runs work that holds a whole document, one at a time in this process. @throws RunFailure after a minute's wait. */
export async function oneAtATime<T>(
  { generationId, signal }: RunContext,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await inTurn(work, { key: generationId, signal });
  } catch (error) {
    throw error instanceof Problem && !signal.aborted ? new RunFailure('busy', BUSY) : error;
  }
}
