import { sweepUploads } from '#platform/files/upload.server.ts';
import { defineJob } from '#platform/job-queue.server.ts';
import { log } from '#platform/log.server.ts';
import { deleteOrphanFiles, deleteUnusedAttachments } from './attachments/attachment-cleanup.server.ts';
import { purgeChats } from './service.server.ts';
import { eraseOldTemporaryChats } from './temporary-chats.server.ts';

export function registerChatJobs(): void {
  defineJob({
    name: 'purge-deleted-chats',
    cron: '20 3 * * *',
    async run() {
      const chats = await purgeChats();
      const files = await deleteUnusedAttachments();
      if (chats > 0) log.info({ chats, files }, 'deleted chats were erased');
    },
  });
  defineJob({
    name: 'erase-temporary-chats',
    cron: '5 * * * *',
    async run() {
      const chats = await eraseOldTemporaryChats();
      if (chats > 0) log.info({ chats }, 'temporary chats were erased');
    },
  });
  defineJob({
    name: 'drop-unused-files',
    cron: '35 * * * *',
    seconds: 600,
    async run() {
      const files = await deleteUnusedAttachments();
      if (files > 0) log.info({ files }, 'files that no message refers to were removed');
    },
  });
  defineJob({
    name: 'sweep-files',
    cron: '45 3 * * *',
    seconds: 600,
    async run() {
      const [uploads, orphans] = [await sweepUploads(), await deleteOrphanFiles()];
      if (uploads + orphans > 0) log.info({ uploads, orphans }, 'files that a crash had left were removed');
    },
  });
}
