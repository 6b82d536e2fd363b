import { defineJob } from '#platform/job-queue.server.ts';
import { log } from '#platform/log.server.ts';
import { SEND_CONTACT_MAILS, sendOpenMails } from './contact-mail-queue.server.ts';
import { purgeMessages } from './receive-message.server.ts';

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
