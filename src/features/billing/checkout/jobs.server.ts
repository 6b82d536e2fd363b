import { defineJob } from '../../../platform/jobs/jobs.server.ts';
import { log } from '../../../platform/log/log.server.ts';
import { closeUnpaid } from './service.server.ts';

/** Makes the job of checkouts known: once a day those that nobody paid are closed. */
export function registerCheckoutJobs(): void {
  defineJob({
    name: 'close-checkouts',
    cron: '23 4 * * *',
    seconds: 3600,
    async run() {
      log.info({ closed: await closeUnpaid() }, 'closed checkouts that nobody paid');
    },
  });
}
