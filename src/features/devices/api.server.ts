import { Hono } from 'hono';
import type { AppEnv } from '#platform/http/app-env.server.ts';
import { pathParam, requireUser } from '#platform/http/request-context.server.ts';
import { deviceChats, keptContent } from './service.server.ts';

export function devicesApi(): Hono<AppEnv> {
  return new Hono<AppEnv>()
    .get('/api/devices/chats', async (c) =>
      c.json(await deviceChats({ actor: requireUser(c), input: { opened: c.req.query('opened') ?? '' } })),
    )
    .get('/api/devices/chats/:id', async (c) =>
      c.json(await keptContent({ actor: requireUser(c), input: { id: pathParam(c, 'id') } })),
    );
}
