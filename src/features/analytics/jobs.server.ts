import { defineJob } from '#platform/job-queue.server.ts';
import { deleteOldViews } from './service.server.ts';

export function registerAnalyticsJobs(): void {
  defineJob({
    name: 'forget-page-counts',
    cron: '25 3 * * *',
    run: async () => void (await deleteOldViews()),
  });
}
