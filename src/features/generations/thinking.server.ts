import { asyncCommitDatabase, database } from '#platform/database/database.server.ts';
import { log } from '#platform/log.server.ts';
import { type LiveRun, liveRuns } from './live-runs.server.ts';
import { type ThinkingRow, writeThinking } from './thinking-store.server.ts';

const rowOf = ({ id, epoch, thinking: { text, ms } }: LiveRun): ThinkingRow => ({ id, epoch, text, ms });

/** Stores thinking for readers elsewhere. Never rejects, so text does not wait. @returns runs with new thinking. */
export async function logThinking(): Promise<string[]> {
  const rows = [...liveRuns.values()]
    .filter(({ thinking }) => thinking.text !== '' && thinking.ms !== thinking.loggedMs)
    .map(rowOf);
  if (rows.length === 0) return [];
  try {
    await writeThinking(asyncCommitDatabase(), rows);
  } catch (error) {
    log.warn({ error }, 'the thinking of models could not be stored; retrying');
    return [];
  }
  for (const { id, ms } of rows) {
    const run = liveRuns.get(id);
    if (run) run.thinking.loggedMs = ms;
  }
  return rows.map(({ id }) => id);
}

/** Called before the run is closed; a database error does not hold up the reply. */
export async function storeThinking(run: LiveRun): Promise<void> {
  run.timeThinking();
  if (run.thinking.text === '') return;
  await writeThinking(database(), [rowOf(run)]).catch((error: unknown) =>
    log.warn({ error, generation: run.id }, 'the thinking of a model could not be stored'),
  );
}
