import { defineJob } from '../../platform/jobs/jobs.server.ts';
import { log } from '../../platform/log/log.server.ts';
import { purgeWorks } from './service.server.ts';

/** Erases deleted works once a day. */
export function registerWorkJobs(): void {
  defineJob({
    name: 'purge-deleted-works',
    cron: '25 3 * * *',
    async run() {
      const works = await purgeWorks();
      if (works > 0) log.info({ works }, 'deleted works were erased');
    },
  });
}
