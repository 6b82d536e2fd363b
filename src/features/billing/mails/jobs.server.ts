import { defineJob } from '../../../platform/jobs/jobs.server.ts';
import { SEND_BILLING_MAILS, sendOpenMails } from './service.server.ts';

/** Sends mails about money: at the commit that writes one, and each minute what waits for another try. */
export function registerBillingMailJobs(): void {
  defineJob({ name: SEND_BILLING_MAILS, cron: '* * * * *', seconds: 300, run: sendOpenMails });
}
