import { Hono } from 'hono';
import type { AppEnv } from '../../platform/http/env.server.ts';
import { signInFirst } from '../../platform/http/problem.server.ts';
import { ledger } from './service.server.ts';

/** `GET /api/me/ledger?before=ID`. */
export function creditsApi(): Hono<AppEnv> {
  return new Hono<AppEnv>().get('/api/me/ledger', async (c) => {
    const actor = c.var.actor;
    if (actor.kind !== 'user') throw signInFirst();
    const before = Number(c.req.query('before'));
    return c.json(
      await ledger({ actor, input: { before: Number.isSafeInteger(before) && before > 0 ? before : null } }),
    );
  });
}
