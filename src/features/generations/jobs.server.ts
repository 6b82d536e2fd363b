import { database } from '#platform/database/database.server.ts';
import { defineJob } from '#platform/job-queue.server.ts';
import { deleteChunks, deleteExpiredLeases } from './store.server.ts';

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
