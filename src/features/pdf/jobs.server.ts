import { defineJob } from '../../platform/jobs/jobs.server.ts';
import { log } from '../../platform/log/log.server.ts';
import { dropDeleted, sweepStrays } from './upkeep/service.server.ts';

/** Erases documents whose deletion is final every quarter of an hour, and what crashes left behind once a day. */
export function registerDocumentJobs(): void {
  defineJob({
    name: 'drop-deleted-documents',
    cron: '*/15 * * * *',
    seconds: 600,
    async run() {
      const documents = await dropDeleted();
      if (documents > 0) log.info({ documents }, 'deleted documents were erased');
    },
  });
  defineJob({
    name: 'sweep-documents',
    cron: '55 3 * * *',
    seconds: 600,
    async run() {
      const strays = await sweepStrays();
      if (strays > 0) log.info({ strays }, 'documents that a crash had left were removed');
    },
  });
}
