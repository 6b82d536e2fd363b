import { Hono } from 'hono';
import type { AppEnv } from '#platform/http/app-env.server.ts';
import { requireUser } from '#platform/http/request-context.server.ts';
import { ledgerApi } from './ledger/ledger-api.server.ts';
import { creditsOf } from './service.server.ts';

export function creditsApi(): Hono<AppEnv> {
  return new Hono<AppEnv>()
    .get('/api/credits', async (c) => {
      const actor = requireUser(c);
      return c.json(await creditsOf({ actor }));
    })
    .route('/', ledgerApi());
}
