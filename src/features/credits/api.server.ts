import { Hono } from 'hono';
import type { AppEnv } from '../../platform/http/env.server.ts';
import { signInFirst } from '../../platform/http/problem.server.ts';
import { ledgerApi } from './ledger/api.server.ts';
import { creditsOf } from './service.server.ts';

/** `GET /api/credits`, and the routes of the ledger. */
export function creditsApi(): Hono<AppEnv> {
  return new Hono<AppEnv>()
    .get('/api/credits', async (c) => {
      const { actor } = c.var;
      if (actor.kind !== 'user') throw signInFirst();
      return c.json(await creditsOf({ actor }));
    })
    .route('/', ledgerApi());
}
