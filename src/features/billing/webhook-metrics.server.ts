import { Counter } from 'prom-client';

const deliveries = new Counter({
  name: 'site_webhooks_total',
  help: 'Webhooks of the payment provider; unsigned are those without a good signature',
  labelNames: ['outcome'],
});
const events = new Counter({
  name: 'site_billing_events_total',
  help: 'Events about money by what became of them: unmatched ones grant nothing here, failed ones are tried again',
  labelNames: ['outcome'],
});

const deliveryOutcomes = ['accepted', 'duplicate', 'unsigned', 'unreadable'] as const;
const eventOutcomes = ['applied', 'ignored', 'unmatched', 'failed', 'given_up'] as const;

// Alerts see no increase in a counter that first appears together with its first event.
for (const outcome of deliveryOutcomes) deliveries.inc({ outcome }, 0);
for (const outcome of eventOutcomes) events.inc({ outcome }, 0);

export function countWebhook(outcome: (typeof deliveryOutcomes)[number]): void {
  deliveries.inc({ outcome });
}

export function countBillingEvent(outcome: (typeof eventOutcomes)[number]): void {
  events.inc({ outcome });
}
