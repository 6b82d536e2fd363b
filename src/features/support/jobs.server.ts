import { z } from 'zod';
import { defineJob } from '#platform/job-queue.server.ts';
import { log } from '#platform/log.server.ts';
import { defineContactMailJob } from './contact/contact-mail-queue.server.ts';
import { purgeMessages } from './contact/receive-message.server.ts';
import {
  mailRequest,
  mailWelcome,
  SEND_REQUEST_MAIL,
  SEND_WELCOME_MAIL,
  sweepRequests,
} from './newsletter/newsletter-subscription.server.ts';
import { deleteOldTestDeliveries, SEND_ISSUES, sendIssues } from './newsletter/send-issue.server.ts';

export function registerSupportJobs(): void {
  defineContactMailJob();
  defineJob({
    name: 'purge-contact-messages',
    cron: '45 3 * * *',
    async run() {
      const messages = await purgeMessages();
      if (messages > 0) log.info({ messages }, 'messages to support were erased after their time');
    },
  });
  defineJob({ name: SEND_REQUEST_MAIL, schema: z.object({ requestId: z.uuid() }), run: mailRequest });
  defineJob({ name: SEND_WELCOME_MAIL, schema: z.object({ subscriberId: z.uuid() }), run: mailWelcome });
  // If a run exceeds its time limit, the next one sends what it has not claimed.
  defineJob({ name: SEND_ISSUES, cron: '* * * * *', seconds: 900, run: sendIssues });
  defineJob({
    name: 'sweep-newsletter',
    cron: '23 * * * *',
    async run() {
      const [requests, trials] = await Promise.all([sweepRequests(), deleteOldTestDeliveries()]);
      log.info({ requests, trials }, 'removed what the newsletter needs no more');
    },
  });
}
