import { defineJob } from '../../platform/jobs/jobs.server.ts';
import { log } from '../../platform/log/log.server.ts';
import { purgeChats } from './service.server.ts';

/** Erases deleted chats once a day. */
export function registerChatJobs(): void {
  defineJob({
    name: 'purge-deleted-chats',
    cron: '20 3 * * *',
    async run() {
      const chats = await purgeChats();
      if (chats > 0) log.info({ chats }, 'deleted chats were erased');
    },
  });
}
