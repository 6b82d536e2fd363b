import { defineJob } from '#platform/job-queue.server.ts';
import { log } from '#platform/log.server.ts';
import { runImports } from './run-imports.server.ts';
import { RUN_IMPORTS, removeAbandonedUploads, removeOrphanParts } from './service.server.ts';

export function registerImportJobs(): void {
  // An import may run longer than its job's time limit; the next job then finds it still running.
  defineJob({ name: RUN_IMPORTS, cron: '* * * * *', seconds: 900, retries: 1, run: runImports });
  defineJob({
    name: 'drop-abandoned-uploads',
    cron: '25 * * * *',
    async run() {
      const uploads = await removeAbandonedUploads();
      if (uploads > 0) log.info({ uploads }, 'uploads that nobody ended were removed');
    },
  });
  defineJob({
    name: 'sweep-imports',
    cron: '10 4 * * *',
    seconds: 600,
    async run() {
      const orphans = await removeOrphanParts();
      if (orphans > 0) log.info({ orphans }, 'files to import that a crash had left were removed');
    },
  });
}
