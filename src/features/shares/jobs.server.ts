import { defineJob } from '#platform/job-queue.server.ts';
import { log } from '#platform/log.server.ts';
import { pruneReports, pruneShares } from './service.server.ts';

export function registerShareJobs(): void {
  defineJob({
    name: 'prune-shares',
    cron: '50 3 * * *',
    async run() {
      const [shares, reports] = [await pruneShares(), await pruneReports()];
      if (shares + reports > 0)
        log.info({ shares, reports }, 'shared pages that had ended, and old reports, were erased');
    },
  });
}
