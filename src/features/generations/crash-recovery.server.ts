import { close } from '#features/credits/service.server.ts';
import { database, transaction } from '#platform/database/database.server.ts';
import { log } from '#platform/log.server.ts';
import { traced } from '#platform/tracing/tracing.server.ts';
import { processName, toolOf } from './engine.server.ts';
import { liveRuns } from './live-runs.server.ts';
import { leasesAreTrusted } from './run-log.server.ts';
import { countRun } from './run-metrics.server.ts';
import { closingOf, interruptedOutcome } from './run-outcome.server.ts';
import {
  abandonedRows,
  endOtherLeases,
  type GenerationRow,
  loggedText,
  markCallsLost,
  notify,
  takeOver,
} from './store.server.ts';

const SWEEP_MS = 2_500;

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
    const { text } = await loggedText(tx, row.id, row.epoch);
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

/** A full page is followed by the next at once. */
const PAGE = 200;

async function closeAbandonedRunsOnce(): Promise<void> {
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
    closed = 0;
    for (const row of rows) {
      if (liveRuns.has(row.id)) continue;
      await closeAbandonedRun(row).then(
        () => closed++,
        (error) => log.error({ error, generation: row.id }, 'a run could not be recovered'),
      );
    }
  }
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
