import { close } from '#features/credits/service.server.ts';
import { database, transaction } from '#platform/database/database.server.ts';
import { log } from '#platform/log.server.ts';
import { traced } from '#platform/tracing/tracing.server.ts';
import { toolOf } from './engine.server.ts';
import { liveRuns } from './live-runs.server.ts';
import { processName } from './process-name.server.ts';
import { leasesAreTrusted } from './run-log.server.ts';
import { countRun } from './run-metrics.server.ts';
import { closingOf, interruptedOutcome } from './run-outcome.server.ts';
import { deleteAbandonedShown, keptText } from './shown-text-store.server.ts';
import {
  abandonedRows,
  endOtherLeases,
  type GenerationRow,
  markCallsLost,
  notify,
  takeOver,
} from './store.server.ts';

const SWEEP_MS = 1_500;
/** Half of the connections: a process of a thousand streams leaves as many runs, and visitors go on. */
const AT_ONCE = 4;

let timer: NodeJS.Timeout | undefined;
let sweeping: Promise<void> | undefined;

function closeAbandonedRun(row: GenerationRow): Promise<void> {
  // The span of the run itself was lost with its process.
  const attributes = { 'site.tool': row.feature, 'site.run.state': interruptedOutcome.state };
  return traced('close abandoned run', { attributes, parent: null }, () => takeOverAndClose(row));
}

async function takeOverAndClose(row: GenerationRow): Promise<void> {
  const done = await transaction(async (tx) => {
    const epoch = await takeOver(tx, { id: row.id, epoch: row.epoch, owner: processName });
    if (epoch === null) return false;
    await markCallsLost(tx, row.id);
    const text = await keptText(tx, row);
    const { state, finish } = interruptedOutcome;
    const closing = closingOf({ id: row.id, epoch, text }, interruptedOutcome);
    const ending = { generationId: row.id, userId: row.user_id, payload: row.input, state, text, finish };
    await close(tx, closing, (statement) => toolOf(row.feature).store(ending, statement));
    return true;
  });
  if (!done) return;
  countRun(row.feature, 'interrupted', null);
  log.info({ generation: row.id, feature: row.feature }, 'an abandoned run was closed');
  await notify(database(), 'progress', [row.id]);
}

/** @returns how many of them are closed now. */
async function closeEach(rows: GenerationRow[]): Promise<number> {
  const waiting = rows.filter(({ id }) => !liveRuns.has(id));
  let closed = 0;
  const closeNext = async () => {
    for (let row = waiting.pop(); row; row = waiting.pop()) {
      const { id } = row;
      await closeAbandonedRun(row).then(
        () => closed++,
        (error) => log.error({ error, generation: id }, 'a run could not be recovered'),
      );
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, closeNext));
  return closed;
}

/** A full page is followed by the next at once. */
const PAGE = 200;

async function closeAbandonedRunsOnce(): Promise<void> {
  let found = 0;
  for (let closed = PAGE; closed === PAGE; ) {
    const trusted = leasesAreTrusted();
    const rows = await abandonedRows(database(), {
      owner: processName,
      live: [...liveRuns.keys()],
      trusted,
      limit: PAGE,
    });
    // The look itself may have waited for a database that stalled.
    if (trusted && !leasesAreTrusted()) return;
    found += rows.length;
    closed = await closeEach(rows);
  }
  if (found > 0) await deleteAbandonedShown(database());
}

export function closeAbandonedRuns(): Promise<void> {
  sweeping ??= closeAbandonedRunsOnce()
    .catch((error) => log.warn({ error }, 'abandoned runs could not be looked for'))
    .finally(() => {
      sweeping = undefined;
    });
  return sweeping;
}

/**
 * On a database that only this server may use (the embedded one) every other lease is void, so that a restart shows
 * interrupted replies at once.
 */
export async function startRecovery(exclusive: boolean): Promise<void> {
  if (exclusive) await endOtherLeases(database(), processName);
  await closeAbandonedRuns();
  timer = setInterval(closeAbandonedRuns, SWEEP_MS);
}

export async function stopRecovery(): Promise<void> {
  clearInterval(timer);
  await sweeping;
}
