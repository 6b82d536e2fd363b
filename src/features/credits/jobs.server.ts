import { database } from '#platform/database/database.server.ts';
import { defineJob } from '#platform/job-queue.server.ts';
import { refreshPlans } from './store.server.ts';

/** Each minute: `users.plan` follows the entitlement, which changes by date without an event. */
export function registerCreditJobs(): void {
  defineJob({
    name: 'refresh-plans',
    cron: '* * * * *',
    async run() {
      await refreshPlans(database(), null, 'clock', 'refresh-plans');
    },
  });
}
