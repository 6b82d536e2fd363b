import { defineJob } from '#platform/job-queue.server.ts';
import { log } from '#platform/log.server.ts';
import { pruneShares } from './service.server.ts';

export function registerShareJobs(): void {
  defineJob({
    name: 'prune-shares',
    cron: '50 3 * * *',
    async run() {
      const shares = await pruneShares();
      if (shares > 0) log.info({ shares }, 'shared pages that had ended were erased');
    },
  });
}
