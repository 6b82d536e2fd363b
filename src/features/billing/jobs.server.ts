import { defineJob } from '../../platform/jobs/jobs.server.ts';
import { log } from '../../platform/log/log.server.ts';
import { applyLeft, prune } from './inbox/service.server.ts';
import { provider } from './provider/service.server.ts';
import { cancelDeleted, reconcileAll } from './reconcile/service.server.ts';
import { mirrorStatuses } from './state/applying/service.server.ts';
import { tellEnds } from './state/ends/service.server.ts';

/** What keeps the plans at the provider's truth when nobody looks. */
export function registerBillingJobs(): void {
  defineJob({
    name: 'apply-events',
    cron: '* * * * *',
    seconds: 300,
    async run() {
      await applyLeft();
      await mirrorStatuses();
      await tellEnds();
    },
  });
  defineJob({ name: 'prune-events', cron: '25 3 * * *', run: prune });
  defineJob({ name: 'cancel-deleted', cron: '35 * * * *', seconds: 600, run: cancelDeleted });
  defineJob({
    name: 'reconcile-plans',
    cron: '15 4 * * *',
    seconds: 4 * 3600,
    async run() {
      if (!provider()) return;
      log.info(await reconcileAll(), 'the plans were reconciled with the provider');
    },
  });
}
