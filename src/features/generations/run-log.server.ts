import { asyncCommitDatabase } from '#platform/database/database.server.ts';
import { log } from '#platform/log.server.ts';
import { flushCosts } from './call-records.server.ts';
import { drainEnded } from './engine.server.ts';
import { type LiveRun, liveRuns } from './live-runs.server.ts';
import { processName } from './process-name.server.ts';
import { forgetShown, shownMark } from './shown-text.server.ts';
import { appendChunks, type ChunkRow, deleteChunks, endLease, heartbeat, notify } from './store.server.ts';
import { logThinking } from './thinking.server.ts';

/** A crash loses at most the text of this period. */
const FLUSH_MS = 400;
const RENEW_MS = 2_000;
/** Together with the sweep of crash-recovery it stays under 15 s. */
export const LEASE_MS = 8_000;
/** More than two renewals, and less than what is left of a lease at the worst moment (LEASE_MS - RENEW_MS). */
const GAP_MS = 5_000;

/** The first and last answer of the database in a series without a gap, by performance.now(). */
let answers: { first: number; last: number } | undefined;

function recordAnswer(): void {
  const now = performance.now();
  answers =
    answers && now - answers.last <= GAP_MS ? { first: answers.first, last: now } : { first: now, last: now };
}

/**
 * Returns whether a lapsed lease means a dead process. That holds only if the database has answered for a whole lease,
 * because in a stalled database the leases of all processes lapse.
 */
export function leasesAreTrusted(): boolean {
  const now = performance.now();
  return answers !== undefined && now - answers.last <= GAP_MS && now - answers.first >= LEASE_MS;
}

let flushTimer: NodeJS.Timeout | undefined;
let beatTimer: NodeJS.Timeout | undefined;
let flushing: Promise<void> | undefined;

function pending(): Array<{ run: LiveRun; chunk: ChunkRow }> {
  const found: Array<{ run: LiveRun; chunk: ChunkRow }> = [];
  for (const run of liveRuns.values()) {
    const to = run.text.length;
    if (to > run.logged) {
      found.push({
        run,
        chunk: { id: run.id, epoch: run.epoch, from: run.logged, to, text: run.text.slice(run.logged, to) },
      });
    }
  }
  return found;
}

async function flushOnce(): Promise<void> {
  const shown = shownMark();
  const work = pending();
  if (work.length > 0) {
    const owned = await appendChunks(
      asyncCommitDatabase(),
      work.map(({ chunk }) => chunk),
    );
    for (const { run, chunk } of work) {
      if (owned.has(run.id)) run.logged = chunk.to;
      // A run that ended during the statement has left the map; one that is still here was taken over.
      else if (liveRuns.get(run.id) === run && !run.view && !run.ending) run.halt('lost');
    }
  }
  const thinking = await logThinking();
  await flushCosts();
  await forgetShown(shown);
  const ended = drainEnded();
  // A flush that overlaps a closing may write chunks after it. Flushes never overlap, so the next one finds them.
  if (ended.length > 0) await deleteChunks(asyncCommitDatabase(), ended);
  const changed = [...new Set([...work.map(({ run }) => run.id), ...thinking, ...ended])];
  if (changed.length > 0) await notify(asyncCommitDatabase(), 'progress', changed);
}

export function flush(): Promise<void> {
  flushing ??= flushOnce()
    .catch((error) => log.warn({ error }, 'progress could not be stored; retrying'))
    .finally(() => {
      flushing = undefined;
    });
  return flushing;
}

async function renewLease(): Promise<void> {
  try {
    const stops = await heartbeat(asyncCommitDatabase(), processName, LEASE_MS);
    recordAnswer();
    for (const id of stops) liveRuns.get(id)?.halt('stop');
  } catch (error) {
    log.warn({ error }, 'the lease could not be extended');
  }
}

export async function startRunLog(): Promise<void> {
  answers = undefined;
  await heartbeat(asyncCommitDatabase(), processName, LEASE_MS);
  recordAnswer();
  flushTimer = setInterval(flush, FLUSH_MS);
  beatTimer = setInterval(renewLease, RENEW_MS);
}

export async function stopRunLog(): Promise<void> {
  clearInterval(flushTimer);
  clearInterval(beatTimer);
  await flush();
  await endLease(asyncCommitDatabase(), processName).catch(() => undefined);
}
