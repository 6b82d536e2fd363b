import { defineJob } from '../../platform/jobs/jobs.server.ts';
import { log } from '../../platform/log/log.server.ts';
import { dropUnused } from './attachments/upkeep/service.server.ts';
import { purgeChats } from './service.server.ts';

/** Erases deleted chats once a day, and the files that only they had. */
export function registerChatJobs(): void {
  defineJob({
    name: 'purge-deleted-chats',
    cron: '20 3 * * *',
    async run() {
      const chats = await purgeChats();
      const files = await dropUnused();
      if (chats > 0) log.info({ chats, files }, 'deleted chats were erased');
    },
  });
}
