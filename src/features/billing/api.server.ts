import { Hono } from 'hono';
import { validate as isUuid } from 'uuid';
import type { AppEnv } from '#platform/http/app-env.server.ts';
import { readBytes, readJson } from '#platform/http/request-body.server.ts';
import { requireUser } from '#platform/http/request-context.server.ts';
import { newCheckout, subscriptionChange, subscriptionRequest, subscriptionResume } from './contract.ts';
import { openPackCheckout } from './packs/open-pack-checkout.server.ts';
import {
  cancelPlan,
  changePlan,
  openPortal,
  refundPlan,
  resumePlan,
} from './purchases/change-plan.server.ts';
import { openCheckout } from './purchases/open-checkout.server.ts';
import { billingView, listInvoices } from './subscriptions/billing-summary.server.ts';
import { refresh } from './subscriptions/reconcile.server.ts';
import { receiveWebhook } from './webhook-inbox.server.ts';

const MAX_WEBHOOK_BYTES = 1024 * 1024;

export function billingApi(): Hono<AppEnv> {
  return (
    new Hono<AppEnv>()
      .post('/api/checkouts', async (c) => {
        const actor = requireUser(c);
        const input = await readJson(c, newCheckout);
        const checkout =
          'pack' in input ? openPackCheckout({ actor, input }) : openCheckout({ actor, input });
        return c.json(await checkout);
      })
      .get('/api/subscription', async (c) => c.json(await billingView({ actor: requireUser(c) })))
      .post('/api/subscription/refresh', async (c) => {
        const actor = requireUser(c);
        await refresh({ actor });
        return c.json(await billingView({ actor }));
      })
      .post('/api/subscription/cancel', async (c) => {
        const actor = requireUser(c);
        return c.json(await cancelPlan({ actor, input: await readJson(c, subscriptionRequest) }));
      })
      .post('/api/subscription/resume', async (c) => {
        const actor = requireUser(c);
        return c.json(await resumePlan({ actor, input: await readJson(c, subscriptionResume) }));
      })
      .post('/api/subscription/change', async (c) => {
        const actor = requireUser(c);
        return c.json(await changePlan({ actor, input: await readJson(c, subscriptionChange) }));
      })
      .post('/api/subscription/refund', async (c) => {
        const actor = requireUser(c);
        return c.json(await refundPlan({ actor, input: await readJson(c, subscriptionRequest) }));
      })
      .post('/api/billing-portal', async (c) => c.json(await openPortal({ actor: requireUser(c) })))
      .get('/api/invoices', async (c) => {
        const actor = requireUser(c);
        const before = c.req.query('before') ?? '';
        return c.json(await listInvoices({ actor, input: { before: isUuid(before) ? before : null } }));
      })
      // Authenticated by a signature over the raw body, not by a session or an origin.
      .post('/api/webhooks/creem', async (c) => {
        await receiveWebhook(await readBytes(c.req.raw, MAX_WEBHOOK_BYTES), c.req.raw.headers);
        return c.json({ ok: true });
      })
  );
}
