/**
 * The payment provider: Creem's wire protocol (protocols.md 1) under /creem/v1, its hosted checkout under /creem/pay
 * and its portal under /creem/portal. Webhooks go to STANDINS_SITE_URL, signed with STANDINS_WEBHOOK_SECRET. It sells
 * the plans prod_monthly, prod_quarterly and prod_yearly and the packs prod_credits_100 and prod_credits_500. It
 * follows the stand-ins' clock: renewals, retries (1, 3 and 5 days after the period), scheduled cancels and the expiry
 * of open checkouts (after a day) happen when the clock reaches them.
 *
 * Switches, POST /control {"creem": {...}}: `moderation` is ok or
 *   down       the connection is closed without a response
 *   slow       held until {"release": true}, or a part of the prompt
 *   status500, status429, html (200 and a page), malformed (200 and half a response), odd (an unknown decision)
 * `api` is null, one of those except odd, or lost (done, then closed without a response), for all other calls; or
 *   {"fault": "status500", "path": "/v1/refunds", "times": 1} for the next calls under a path
 * `refunds` (succeeded, pending, failed) is the outcome of the next ones; a pending one succeeds after a day, silently.
 * `unknownStatus` shows every subscription in an unknown status. `taxPercent` adds tax to prices.
 * Webhooks: `webhooks` false sends none; `siteUrl` sends them to another origin; `signatureForm` standard signs as
 *   Standard Webhooks does; `retryScale` divides the retry delays of 30 s, 1 min, 5 min and 1 h (30 by default: 1 s,
 *   2 s, 10 s, 2 min; a retry is also due once the stand-ins' clock passes the real delay); `duplicate` sends each N
 *   times; `reorder` collects N and sends them shuffled (or what has been collected after 0.4 s); `delay` in ms before
 *   the first try; `lose` drops a share, or a list of types; `forge` adds a copy with a false signature; `unknownEvent`
 *   adds an event of unknown type; `seed` of the random numbers.
 * Immediate actions: `resend` (an event's id, "all", "lost"), `dispute` and `keep` (a transaction's id; `keep` reverses
 *   its refunds and dispute), `refund` ({transaction, amount}), `card` ({subscription, plan: good, fails-once, fails}),
 *   `settle` ({refund, status}).
 * GET /creem/state returns the whole state for tests (?events=1 adds the bodies), /creem/deliveries counts webhooks.
 * When markers are on, [[moderation:deny]] in a prompt sets the decision: allow, flag or deny.
 *
 * Limits of fidelity: any key that starts with creem_ is accepted, and all keys share one store; no discounts, seats,
 * trials, licences or administration of webhooks; the customer's country is always DE; a plan change credits the rest
 * of the period by time; a subscription that is past due is reported as expired after the first retry; moderation uses
 * a short list of English words, and its usage is one unit per prompt; no rate limit.
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

const CLOCK_CHECK_MS = 250;

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
  const timer = setInterval(() => advance(shop), CLOCK_CHECK_MS);
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
