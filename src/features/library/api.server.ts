import { Hono } from 'hono';
import type { AppEnv } from '#platform/http/app-env.server.ts';
import { requireUser } from '#platform/http/request-context.server.ts';
import { queryOf } from './contract.ts';
import { listLibrary } from './service.server.ts';

export function libraryApi(): Hono<AppEnv> {
  return new Hono<AppEnv>().get('/api/library', async (c) => {
    const actor = requireUser(c);
    return c.json(await listLibrary({ actor, input: queryOf(new URL(c.req.url).searchParams) }));
  });
}
