import { defineJob } from '#platform/job-queue.server.ts';
import { log } from '#platform/log.server.ts';
import { defineBillingMailJob } from './mails/mail-queue.server.ts';
import { settleOpenPacks } from './packs/read-packs.server.ts';
import { eraseLateEvents } from './privacy.server.ts';
import { paymentProvider } from './provider/configured-provider.server.ts';
import { closeUnpaidCheckouts } from './purchases/open-checkout.server.ts';
import { refundDeletedAccounts, settleOpenRefunds } from './purchases/refunds.server.ts';
import { cacheStatuses } from './subscriptions/apply-update.server.ts';
import { notifyEndedPlans } from './subscriptions/plan-ended-notices.server.ts';
import { cancelDeleted, reconcileAll } from './subscriptions/reconcile.server.ts';
import { applyPendingEvents, pruneDuplicateEvents } from './webhook-inbox.server.ts';

export function registerBillingJobs(): void {
  defineJob({
    name: 'apply-events',
    cron: '* * * * *',
    seconds: 300,
    async run() {
      await applyPendingEvents();
      await cacheStatuses();
      await notifyEndedPlans();
    },
  });
  defineJob({ name: 'prune-events', cron: '25 3 * * *', run: pruneDuplicateEvents });
  defineJob({ name: 'cancel-deleted', cron: '35 * * * *', seconds: 600, run: cancelDeleted });
  defineJob({
    name: 'reconcile-plans',
    cron: '15 4 * * *',
    seconds: 4 * 3600,
    async run() {
      if (!paymentProvider()) return;
      log.info(await reconcileAll(), 'the plans were reconciled with the provider');
    },
  });
  defineJob({
    name: 'close-checkouts',
    cron: '23 4 * * *',
    seconds: 3600,
    async run() {
      log.info(await closeUnpaidCheckouts(), 'closed checkouts that nobody paid');
    },
  });
  defineJob({
    name: 'settle-refunds',
    cron: '*/3 * * * *',
    seconds: 600,
    async run() {
      await refundDeletedAccounts();
      await settleOpenRefunds();
      await settleOpenPacks();
    },
  });
  defineBillingMailJob();
  defineJob({
    name: 'erase-late-billing-events',
    cron: '55 * * * *',
    async run() {
      const events = await eraseLateEvents();
      if (events > 0) log.info({ events }, 'events of erased people were emptied');
    },
  });
}
