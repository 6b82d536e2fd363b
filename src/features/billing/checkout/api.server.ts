import { Hono } from 'hono';
import { readJson } from '../../../platform/http/body.server.ts';
import type { AppEnv } from '../../../platform/http/env.server.ts';
import { signInFirst } from '../../../platform/http/problem.server.ts';
import { newCheckout } from '../contract.ts';
import { openCheckout } from './service.server.ts';

/** `POST /api/checkouts`: where a purchase begins. */
export function checkoutApi(): Hono<AppEnv> {
  return new Hono<AppEnv>().post('/api/checkouts', async (c) => {
    const { actor } = c.var;
    if (actor.kind !== 'user') throw signInFirst();
    return c.json(await openCheckout({ actor, input: await readJson(c, newCheckout) }));
  });
}
