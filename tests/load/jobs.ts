import { runJob } from '../support/files.ts';
import type { TestServer } from '../support/server.ts';

/** Longer than any job may take. */
const LIMIT_MS = 30 * 60_000;

/** Runs each scheduled job once, one after the other; returns their times, longest first. */
export async function jobFigures(server: Pick<TestServer, 'database'>) {
  const { rows } = await server.database.query<{ name: string; cron: string }>(
    'select name, cron from jobs.schedule order by 1',
  );
  const figures: Array<{ job: string; cron: string; ms: number }> = [];
  for (const { name, cron } of rows) {
    const startedAt = performance.now();
    await runJob(server, name, LIMIT_MS);
    figures.push({ job: name, cron, ms: Math.round(performance.now() - startedAt) });
  }
  return figures.sort((one, other) => other.ms - one.ms);
}
