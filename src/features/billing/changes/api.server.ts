import { type Context, Hono } from 'hono';
import type { UserActor } from '../../../platform/http/actor.server.ts';
import { readJson } from '../../../platform/http/body.server.ts';
import type { AppEnv } from '../../../platform/http/env.server.ts';
import { signInFirst } from '../../../platform/http/problem.server.ts';
import { subscriptionChange, subscriptionResume, subscriptionVerb } from '../contract.ts';
import { cancelPlan, changePlan, portalFor, resumePlan, takeMoneyBack } from './service.server.ts';

function userOf(c: Context<AppEnv>): UserActor {
  if (c.var.actor.kind !== 'user') throw signInFirst();
  return c.var.actor;
}

/** What a person changes of their plan: `POST /api/subscription/*` and `POST /api/billing-portal`. */
export function changesApi(): Hono<AppEnv> {
  const verbs = { cancel: cancelPlan, refund: takeMoneyBack };
  const api = new Hono<AppEnv>();
  for (const [name, verb] of Object.entries(verbs))
    api.post(`/api/subscription/${name}`, async (c) => {
      const actor = userOf(c);
      return c.json(await verb({ actor, input: await readJson(c, subscriptionVerb) }));
    });
  return api
    .post('/api/subscription/resume', async (c) => {
      const actor = userOf(c);
      return c.json(await resumePlan({ actor, input: await readJson(c, subscriptionResume) }));
    })
    .post('/api/subscription/change', async (c) => {
      const actor = userOf(c);
      return c.json(await changePlan({ actor, input: await readJson(c, subscriptionChange) }));
    })
    .post('/api/billing-portal', async (c) => c.json(await portalFor({ actor: userOf(c) })));
}
