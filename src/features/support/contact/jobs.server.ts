import { defineJob } from '../../../platform/jobs/jobs.server.ts';
import { log } from '../../../platform/log/log.server.ts';
import { SEND_CONTACT_MAILS, sendOpenMails } from './mails/service.server.ts';
import { purgeMessages } from './service.server.ts';

/** Mails messages at the commit that stores one, and each minute what waits for another try; erases old ones daily. */
export function registerContactJobs(): void {
  defineJob({ name: SEND_CONTACT_MAILS, cron: '* * * * *', seconds: 300, run: sendOpenMails });
  defineJob({
    name: 'purge-contact-messages',
    cron: '45 3 * * *',
    async run() {
      const messages = await purgeMessages();
      if (messages > 0) log.info({ messages }, 'messages to support were erased after their time');
    },
  });
}
