import { close } from '#features/credits/service.server.ts';
import { database } from '#platform/database/database.server.ts';
import { log } from '#platform/log.server.ts';
import { traced } from '#platform/tracing/tracing.server.ts';
import { toolOf } from './engine.server.ts';
import { liveRuns } from './live-runs.server.ts';
import { processName } from './process-name.server.ts';
import { announceRunEnd } from './run-ends.server.ts';
import { leasesAreTrusted } from './run-log.server.ts';
import { countRun } from './run-metrics.server.ts';
import { closingOf, interruptedOutcome } from './run-outcome.server.ts';
import { deleteAbandonedShown, type StoredText, storedTexts } from './shown-text-store.server.ts';
import { abandonedRows, endOtherLeases, type GenerationRow, notify, takeOver } from './store.server.ts';

const SWEEP_MS = 1_500;
/** Runs closed concurrently: a dead process may leave hundreds, while this one also serves its visitors. */
const AT_ONCE = 16;

let timer: NodeJS.Timeout | undefined;
let sweeping: Promise<void> | undefined;

function closeAbandonedRun(row: GenerationRow, stored: StoredText): Promise<boolean> {
  // The run's original span was lost with its process.
  const attributes = { 'site.tool': row.feature, 'site.run.state': interruptedOutcome.state };
  return traced('close abandoned run', { attributes, parent: null }, () => takeOverAndClose(row, stored));
}

async function takeOverAndClose(row: GenerationRow, stored: StoredText): Promise<boolean> {
  const { text } = stored;
  const { state, finish } = interruptedOutcome;
  const closing = closingOf({ id: row.id, epoch: row.epoch, text }, interruptedOutcome);
  const ending = { generationId: row.id, userId: row.user_id, payload: row.input, state, text, finish };
  const done = await close(
    database(),
    closing,
    (statement) => toolOf(row.feature).store(ending, statement),
    takeOver({ id: row.id, epoch: row.epoch, ...stored }, processName),
  );
  if (!done) return false;
  countRun(row.feature, 'interrupted', null);
  announceRunEnd({ generationId: row.id, userId: row.user_id, feature: row.feature, state });
  log.info({ generation: row.id, feature: row.feature }, 'an abandoned run was closed');
  return true;
}

/** @returns the ids of the runs that are now closed. */
async function closeEach(rows: GenerationRow[]): Promise<string[]> {
  const stored = await storedTexts(database(), rows);
  const waiting = [...rows];
  const closed: string[] = [];
  const closeNext = async () => {
    for (let row = waiting.pop(); row; row = waiting.pop()) {
      const { id } = row;
      const text = stored.get(id);
      if (!text || liveRuns.has(id)) continue;
      await closeAbandonedRun(row, text).then(
        (done) => done && closed.push(id),
        (error) => log.error({ error, generation: id }, 'a run could not be recovered'),
      );
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, closeNext));
  return closed;
}

/** Runs per query; the next page follows at once. Several processes share the runs of a dead one. */
const PAGE = 100;

async function closeAbandonedRunsOnce(): Promise<void> {
  for (let page = 0; ; page++) {
    const trusted = leasesAreTrusted();
    const rows = await abandonedRows(database(), {
      owner: processName,
      live: [...liveRuns.keys()],
      trusted,
      limit: PAGE,
    });
    // The query itself may have waited for a stalled database.
    if (trusted && !leasesAreTrusted()) return;
    const closed = rows.length > 0 ? await closeEach(rows) : [];
    if (closed.length > 0) await notify(database(), 'progress', closed);
    else if (page > 0) await deleteAbandonedShown(database());
    if (closed.length === 0) return;
  }
}

export function closeAbandonedRuns(): Promise<void> {
  sweeping ??= closeAbandonedRunsOnce()
    .catch((error) => log.warn({ error }, 'could not look for abandoned runs'))
    .finally(() => {
      sweeping = undefined;
    });
  return sweeping;
}

/** `exclusive`: no other server uses the database, so all other leases are void and their runs end at once. */
export async function startRecovery(exclusive: boolean): Promise<void> {
  if (exclusive) await endOtherLeases(database(), processName);
  await closeAbandonedRuns();
  timer = setInterval(closeAbandonedRuns, SWEEP_MS);
}

export async function stopRecovery(): Promise<void> {
  clearInterval(timer);
  await sweeping;
}
