import { Hono } from 'hono';
import { readBytes } from '../../../platform/http/body.server.ts';
import type { AppEnv } from '../../../platform/http/env.server.ts';
import { receive } from './service.server.ts';

const MOST_BYTES = 1024 * 1024;

/** `POST /api/webhooks/creem`: proven by its signature over the body as it came, not by a session or an origin. */
export function webhooksApi(): Hono<AppEnv> {
  return new Hono<AppEnv>().post('/api/webhooks/creem', async (c) => {
    await receive(await readBytes(c.req.raw, MOST_BYTES), c.req.raw.headers);
    return c.json({ ok: true });
  });
}
