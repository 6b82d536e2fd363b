import { defineJob } from '../../../platform/jobs/jobs.server.ts';
import { log } from '../../../platform/log/log.server.ts';
import { eraseLateEvents } from './service.server.ts';

/** Once an hour: what the provider still sends of erased people is emptied. */
export function registerBillingErasure(): void {
  defineJob({
    name: 'erase-late-billing-events',
    cron: '55 * * * *',
    async run() {
      const events = await eraseLateEvents();
      if (events > 0) log.info({ events }, 'events of erased people were emptied');
    },
  });
}
