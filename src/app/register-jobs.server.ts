import { database } from '#platform/database/database.server.ts';
import { defineJob } from '#platform/job-queue.server.ts';
import { log } from '#platform/log.server.ts';
import { eraseDueAccounts } from './erase-accounts.server.ts';
import { features } from './features.ts';
import { audit } from './operator/audit.server.ts';

export function registerJobs(): void {
  for (const register of features.flatMap(({ jobs }) => jobs ?? [])) register();
  defineJob({ name: 'erase-people', cron: '50 * * * *', seconds: 600, run: eraseDueAccounts });
  defineJob({
    name: 'audit',
    cron: '40 * * * *',
    async run() {
      for (const { id, says, violations } of await audit(database())) {
        if (violations.length > 0)
          log.error({ invariant: id, says, violations: violations.length }, 'an invariant is violated');
      }
    },
  });
}
