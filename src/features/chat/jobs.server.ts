import { transaction } from '../../platform/database/database.server.ts';
import { defineJob } from '../../platform/jobs/jobs.server.ts';
import { log } from '../../platform/log/log.server.ts';
import { purgeDeleted } from './store.server.ts';

/** Deleted chats can be brought back for this long; then their words are erased. */
const KEEP_DAYS = 7;

/** Erases deleted chats once a day. */
export function registerChatJobs(): void {
  defineJob({
    name: 'purge-deleted-chats',
    cron: '20 3 * * *',
    async run() {
      const chats = await transaction((tx) => purgeDeleted(tx, KEEP_DAYS));
      if (chats > 0) log.info({ chats }, 'deleted chats were erased');
    },
  });
}
