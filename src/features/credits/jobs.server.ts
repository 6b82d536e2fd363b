import { database } from '#platform/database/database.server.ts';
import { defineJob } from '#platform/job-queue.server.ts';
import { refreshPlans } from './store.server.ts';

/** Entitlements start and end by date without an event, and `users.plan` must follow. */
export function registerCreditJobs(): void {
  defineJob({
    name: 'refresh-plans',
    cron: '* * * * *',
    async run() {
      await refreshPlans(database(), null, 'clock', 'refresh-plans');
    },
  });
}
