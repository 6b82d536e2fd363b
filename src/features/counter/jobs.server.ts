import { defineJob } from '../../platform/jobs/jobs.server.ts';
import { forgetOldViews } from './service.server.ts';

/** Keeps the sums of views for as long as the page on privacy says. */
export function registerCounterJobs(): void {
  defineJob({
    name: 'forget-page-counts',
    cron: '25 3 * * *',
    run: async () => void (await forgetOldViews()),
  });
}
