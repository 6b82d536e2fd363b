import { database } from '#platform/database/database.server.ts';
import { defineJob } from '#platform/job-queue.server.ts';
import { deleteChunks, deleteExpiredLeases } from './store.server.ts';

/** Once an hour: what a crash left behind of ended runs and ended processes. */
export function registerGenerationJobs(): void {
  defineJob({
    name: 'sweep-generations',
    cron: '12 * * * *',
    async run() {
      await deleteChunks(database(), null);
      await deleteExpiredLeases(database());
    },
  });
}
