import { z } from 'zod';
import { config } from '#platform/config/config.server.ts';
import { database } from '#platform/database/database.server.ts';
import { defineJob } from '#platform/job-queue.server.ts';
import { log } from '#platform/log.server.ts';
import { runDailyBackup } from './backup/backup-job.server.ts';
import { ERASE_PERSON, eraseDueAccounts, erasePerson } from './erase-accounts.server.ts';
import { features } from './features.ts';
import { audit } from './operator/audit.server.ts';
import { sumClosedDays } from './operator/run-costs.server.ts';
import { countViolation } from './operator/site-metrics.server.ts';

/** Long enough for the backup of a large site. A backup whose process died is retried after this time. */
const BACKUP_SECONDS = 6 * 3600;

/** Long enough for a large site: a retry while an audit is still running would read everything twice at once. */
const AUDIT_SECONDS = 3600;

async function reportViolations(scope: 'whole' | 'recent'): Promise<void> {
  for (const { id, says, violations } of await audit(database(), scope)) {
    if (violations.length === 0) continue;
    countViolation();
    log.error({ invariant: id, says, violations: violations.length }, 'an invariant is violated');
  }
}

export function registerJobs(): void {
  for (const register of features.flatMap(({ jobs }) => jobs ?? [])) register();
  defineJob({ name: 'erase-people', cron: '50 * * * *', seconds: 600, run: eraseDueAccounts });
  defineJob({ name: ERASE_PERSON, schema: z.object({ userId: z.uuid() }), seconds: 600, run: erasePerson });
  defineJob({
    name: 'sum-costs',
    cron: '25 * * * *',
    seconds: 3600,
    run: () => sumClosedDays(database()),
  });
  if (config().BACKUP_DIR)
    defineJob({
      name: 'backup',
      cron: '15 3 * * *',
      seconds: BACKUP_SECONDS,
      retries: 1,
      run: runDailyBackup,
    });
  for (const [name, cron, scope] of [
    ['audit', '40 * * * *', 'recent'],
    ['audit-whole', '10 2 * * *', 'whole'],
  ] as const)
    defineJob({
      name,
      cron,
      seconds: AUDIT_SECONDS,
      run: () => reportViolations(scope),
    });
}
