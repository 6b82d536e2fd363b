import { defineJob } from '#platform/job-queue.server.ts';
import { log } from '#platform/log.server.ts';
import { purgeDeleted, removeOrphans } from './cleanup.server.ts';

export function registerDocumentJobs(): void {
  defineJob({
    name: 'drop-deleted-documents',
    cron: '*/15 * * * *',
    seconds: 600,
    async run() {
      const documents = await purgeDeleted();
      if (documents > 0) log.info({ documents }, 'deleted documents were erased');
    },
  });
  defineJob({
    name: 'sweep-documents',
    cron: '55 3 * * *',
    seconds: 600,
    async run() {
      const orphans = await removeOrphans();
      if (orphans > 0) log.info({ orphans }, 'documents that a crash had left were removed');
    },
  });
}
