import { Hono } from 'hono';
import type { UserActor } from '../../platform/http/actor.server.ts';
import type { AppEnv } from '../../platform/http/env.server.ts';
import { signInFirst } from '../../platform/http/problem.server.ts';
import { refresh } from './reconcile/service.server.ts';
import { billingOf, invoicesOf } from './state/service.server.ts';

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

function person(actor: AppEnv['Variables']['actor']): UserActor {
  if (actor.kind !== 'user') throw signInFirst();
  return actor;
}

/** What a person pays for: `GET /api/subscription`, `POST /api/subscription/refresh` and `GET /api/invoices`. */
export function billingApi(): Hono<AppEnv> {
  return new Hono<AppEnv>()
    .get('/api/subscription', async (c) => c.json(await billingOf({ actor: person(c.var.actor) })))
    .post('/api/subscription/refresh', async (c) => {
      const actor = person(c.var.actor);
      await refresh({ actor });
      return c.json(await billingOf({ actor }));
    })
    .get('/api/invoices', async (c) => {
      const actor = person(c.var.actor);
      const before = c.req.query('before') ?? '';
      return c.json(await invoicesOf({ actor, input: { before: uuid.test(before) ? before : null } }));
    });
}
