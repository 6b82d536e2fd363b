import { database } from '../../platform/database/database.server.ts';
import { defineJob } from '../../platform/jobs/jobs.server.ts';
import { dropChunks, dropLapsedLeases } from './store.server.ts';

/** Once an hour: what a crash left behind of ended runs and ended processes. */
export function registerGenerationJobs(): void {
  defineJob({
    name: 'sweep-generations',
    cron: '12 * * * *',
    async run() {
      await dropChunks(database(), null);
      await dropLapsedLeases(database());
    },
  });
}
