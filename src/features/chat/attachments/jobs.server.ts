import { sweepUploads } from '../../../platform/files/upload.server.ts';
import { defineJob } from '../../../platform/jobs/jobs.server.ts';
import { log } from '../../../platform/log/log.server.ts';
import { dropUnused, sweepStrays } from './upkeep/service.server.ts';

/** Removes files that were not sent once an hour, and what crashes left behind once a day. */
export function registerAttachmentJobs(): void {
  defineJob({
    name: 'drop-unused-files',
    cron: '35 * * * *',
    seconds: 600,
    async run() {
      const files = await dropUnused();
      if (files > 0) log.info({ files }, 'files that no message refers to were removed');
    },
  });
  defineJob({
    name: 'sweep-files',
    cron: '45 3 * * *',
    seconds: 600,
    async run() {
      const [uploads, strays] = [await sweepUploads(), await sweepStrays()];
      if (uploads + strays > 0) log.info({ uploads, strays }, 'files that a crash had left were removed');
    },
  });
}
