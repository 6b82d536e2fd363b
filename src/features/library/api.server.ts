import { Hono } from 'hono';
import type { AppEnv } from '#platform/http/app-env.server.ts';
import { requireUser } from '#platform/http/request-context.server.ts';
import { queryOf } from './contract.ts';
import { listLibrary, searchEverywhere } from './service.server.ts';

export function libraryApi(): Hono<AppEnv> {
  const api = new Hono<AppEnv>();
  api.get('/api/library', async (c) => {
    const actor = requireUser(c);
    return c.json(await listLibrary({ actor, input: queryOf(new URL(c.req.url).searchParams) }));
  });
  api.get('/api/search', async (c) =>
    c.json(await searchEverywhere({ actor: requireUser(c), input: { text: c.req.query('q') ?? '' } })),
  );
  return api;
}
