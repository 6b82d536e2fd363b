import { defineJob } from '../../platform/jobs/jobs.server.ts';
import { log } from '../../platform/log/log.server.ts';
import { purgePrompts } from './own/service.server.ts';

/** Erases deleted prompts once a day. */
export function registerPromptJobs(): void {
  defineJob({
    name: 'purge-deleted-prompts',
    cron: '35 3 * * *',
    async run() {
      const prompts = await purgePrompts();
      if (prompts > 0) log.info({ prompts }, 'deleted prompts were erased');
    },
  });
}
