import { database } from '#platform/database/database.server.ts';
import { defineJob } from '#platform/job-queue.server.ts';
import { refreshPlans } from './store.server.ts';

/** The entitlement changes by date without an event; `users.plan` follows it. */
export function registerCreditJobs(): void {
  defineJob({
    name: 'refresh-plans',
    cron: '* * * * *',
    async run() {
      await refreshPlans(database(), null, 'clock', 'refresh-plans');
    },
  });
}
