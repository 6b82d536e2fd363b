import { defineJob } from '../../platform/jobs/jobs.server.ts';
import { log } from '../../platform/log/log.server.ts';
import { purgeImages, sweepStrays } from './upkeep/service.server.ts';

/** Erases deleted pictures once a day, and what crashes left behind. */
export function registerImageJobs(): void {
  defineJob({
    name: 'purge-deleted-images',
    cron: '30 3 * * *',
    seconds: 600,
    async run() {
      const [jobs, strays] = [await purgeImages(), await sweepStrays()];
      if (jobs + strays > 0) log.info({ jobs, strays }, 'deleted images and stray files were erased');
    },
  });
}
