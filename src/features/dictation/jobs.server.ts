import { database } from '#platform/database/database.server.ts';
import { defineJob } from '#platform/job-queue.server.ts';
import { log } from '#platform/log.server.ts';
import { eraseOldTexts } from './store.server.ts';

/** How long a retry with the same key still receives the text. */
const REPEATABLE_HOURS = 1;

export function registerDictationJobs(): void {
  defineJob({
    name: 'erase-dictations',
    cron: '47 * * * *',
    async run() {
      const texts = await eraseOldTexts(database(), REPEATABLE_HOURS);
      if (texts > 0) log.info({ texts }, 'dictated texts were erased after their time');
    },
  });
}
