import { defineJob } from '#platform/job-queue.server.ts';
import { log } from '#platform/log.server.ts';
import { purgePrompts } from './own-prompts.server.ts';

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
