import { database } from '#platform/database/database.server.ts';
import { defineJob } from '#platform/job-queue.server.ts';
import { log } from '#platform/log.server.ts';
import { repeatableHours } from './completions.server.ts';
import { eraseOldTexts } from './store.server.ts';

export function registerApiJobs(): void {
  defineJob({
    name: 'erase-completions',
    cron: '41 * * * *',
    async run() {
      const texts = await eraseOldTexts(database(), repeatableHours);
      if (texts > 0) log.info({ texts }, 'answers of the API were erased after their time');
    },
  });
}
