import { Hono } from 'hono';
import type { AppEnv } from '../../../platform/http/env.server.ts';
import { signInFirst } from '../../../platform/http/problem.server.ts';
import { search } from './service.server.ts';

/** `GET /api/search?q=`. */
export function searchApi(): Hono<AppEnv> {
  return new Hono<AppEnv>().get('/api/search', async (c) => {
    const { actor } = c.var;
    if (actor.kind !== 'user') throw signInFirst();
    return c.json({ hits: await search({ actor, input: { text: c.req.query('q') ?? '' } }) });
  });
}
