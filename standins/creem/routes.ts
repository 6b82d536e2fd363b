/**
 * The payment provider: Creem's wire protocol (protocols.md 1) under /creem/v1, its hosted checkout under /creem/pay
 * and its portal under /creem/portal, with webhooks to STANDINS_SITE_URL signed with STANDINS_WEBHOOK_SECRET. It sells
 * prod_monthly, prod_quarterly and prod_yearly, and once prod_credits_100 and prod_credits_500. Its clock is the stand-ins' clock: renewals, retries (1, 3 and 5 days
 * after the period), scheduled cancels and the end of open checkouts (a day) happen at their own times when it moves.
 *
 * Switches, POST /control {"creem": {...}}: `moderation` is ok or
 *   down       the connection is closed without an answer
 *   slow       held until {"release": true}, or a part of the prompt
 *   status500, status429, html (200 and a page), malformed (200 and half an answer), odd (a decision of no known name)
 * `api` is null, one of those but odd, or lost (done, and closed without an answer), for every other call; or
 *   {"fault": "status500", "path": "/v1/refunds", "times": 1} for the next calls under a path
 * `refunds` (succeeded, pending, failed) is the outcome of the next ones; a pending one succeeds after a day, silently.
 * `unknownStatus` shows every subscription in a status of no known name. `taxPercent` adds tax to prices.
 * Webhooks: `webhooks` false sends none; `siteUrl` sends them to another origin; `signatureForm` standard signs by
 *   Standard Webhooks; `retryScale` divides the pauses of 30 s, 1 min, 5 min and 1 h (30 at the start: 1 s, 2 s, 10 s,
 *   2 min; the stand-ins' clock passing the real pause counts too); `duplicate` sends each N times; `reorder` holds N
 *   and sends them shuffled (or what there is after 0.4 s); `delay` ms before the first try; `lose` a share, or a list
 *   of types; `forge` adds a copy with a false signature; `unknownEvent` adds an event of unknown type; `seed` of chance.
 * Things done at once: `resend` (an event's id, "all", "lost"), `dispute` and `keep` (a transaction's id; `keep` takes its refunds and
 *   dispute back), `refund` ({transaction, amount}), `card` ({subscription, plan: good, fails-once, fails}), `settle` ({refund, status}).
 * GET /creem/state is the truth for tests (?events=1 adds the bodies), /creem/deliveries counts the webhooks.
 * Where markers are on, [[moderation:deny]] in a prompt chooses the decision: allow, flag or deny.
 *
 * Limits of fidelity: any key that begins with creem_ is good, and all keys see one store; no discounts, seats, trials,
 * licences or administration of webhooks; the customer's country is always DE; a change of plan
 * credits the rest of the period by time; a subscription that is past due is told of as expired after the first retry;
 * moderation hangs on a short list of English words, and its usage is one unit a prompt; no limit of requests.
 */
import type { StandIn, StandInParts } from '../standin.ts';
import { mountApi } from './api.ts';
import { advance } from './billing-clock.ts';
import { mountDashboard } from './dashboard.ts';
import { mountHosted } from './hosted-pages.ts';
import { mountModeration } from './moderation.ts';
import { Shop } from './shop.ts';
import { CreemStore } from './store.ts';
import { creemSwitches } from './switches.ts';
import { WebhookDeliveries } from './webhook-deliveries.ts';

const CLOCK_LOOK_MS = 250;

export function creemStandIn(parts: StandInParts): StandIn {
  const { router, control, settings } = parts;
  const switches = control.section('creem', creemSwitches);
  const store = new CreemStore(settings.dir);
  const now = () => Date.now() + control.offsetMs;
  const { siteUrl, webhookSecret: secret } = settings;
  const deliveries = new WebhookDeliveries({ store, now, switches, siteUrl, secret });
  const shop = new Shop({ store, now, switches, send: (event) => deliveries.enqueue(event) });
  mountModeration(parts, switches);
  mountApi(parts, shop);
  mountHosted(shop, router);
  mountDashboard({ shop, deliveries, router, control });
  control.onClock(() => advance(shop));
  advance(shop);
  const timer = setInterval(() => advance(shop), CLOCK_LOOK_MS);
  return {
    name: 'Payments',
    about:
      "Speaks Creem's protocol under /creem/v1, takes payments, renews by the clock, sends signed webhooks, and judges prompts for pictures by a list of words.",
    links: [
      { href: '/creem', text: 'Subscriptions' },
      { href: '/creem/state', text: 'Records' },
    ],
    close: async () => {
      clearInterval(timer);
      deliveries.close();
      store.flush();
    },
  };
}
