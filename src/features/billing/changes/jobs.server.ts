import { defineJob } from '../../../platform/jobs/jobs.server.ts';
import { giveBackToDeleted } from './deleted/service.server.ts';
import { settleRefunds } from './refunds/service.server.ts';

/** Makes the job of refunds known: what deleted accounts have paid goes back, and what the provider left open is settled. */
export function registerChangeJobs(): void {
  defineJob({
    name: 'settle-refunds',
    cron: '*/3 * * * *',
    seconds: 600,
    async run() {
      await giveBackToDeleted();
      await settleRefunds();
    },
  });
}
