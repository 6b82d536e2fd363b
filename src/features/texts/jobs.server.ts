import { defineJob } from '#platform/job-queue.server.ts';
import { log } from '#platform/log.server.ts';
import { purgeTexts } from './service.server.ts';

export function registerTextJobs(): void {
  defineJob({
    name: 'purge-deleted-works',
    cron: '25 3 * * *',
    async run() {
      const works = await purgeTexts();
      if (works > 0) log.info({ works }, 'deleted works were erased');
    },
  });
}
