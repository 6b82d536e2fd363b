import { defineJob } from '#platform/job-queue.server.ts';
import { log } from '#platform/log.server.ts';
import { purgeImages, removeOrphans } from './cleanup.server.ts';

export function registerImageJobs(): void {
  defineJob({
    name: 'purge-deleted-images',
    cron: '30 3 * * *',
    seconds: 600,
    async run() {
      const [jobs, orphans] = [await purgeImages(), await removeOrphans()];
      if (jobs + orphans > 0) log.info({ jobs, orphans }, 'deleted images and stray files were erased');
    },
  });
}
