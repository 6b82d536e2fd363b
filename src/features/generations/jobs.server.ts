import { database } from '#platform/database/database.server.ts';
import { defineJob } from '#platform/job-queue.server.ts';
import { log } from '#platform/log.server.ts';
import { deleteAbandonedShown } from './shown-text-store.server.ts';
import { deleteChunks, deleteExpiredLeases, deleteOldCalls } from './store.server.ts';

/** `npm run stats` looks this far back. */
const CALL_DAYS = 800;

export function registerGenerationJobs(): void {
  defineJob({
    name: 'sweep-generations',
    cron: '12 * * * *',
    async run() {
      await deleteChunks(database(), null);
      await deleteAbandonedShown(database());
      await deleteExpiredLeases(database());
    },
  });
  defineJob({
    name: 'forget-model-calls',
    cron: '5 4 * * *',
    seconds: 3600,
    async run() {
      const calls = await deleteOldCalls(database(), CALL_DAYS);
      if (calls > 0) log.info({ calls }, 'calls of models were removed after their time');
    },
  });
}
