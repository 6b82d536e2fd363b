import { Hono } from 'hono';
import type { AppEnv } from '#platform/http/app-env.server.ts';
import { readJson } from '#platform/http/request-body.server.ts';
import { pathParam, requireUser } from '#platform/http/request-context.server.ts';
import {
  deviceNotifications,
  subscribeDevice,
  subscriptionInput,
  unsubscribeDevice,
} from './notifications/subscriptions.server.ts';
import { deviceChats, readKeptContent } from './service.server.ts';

export function devicesApi(): Hono<AppEnv> {
  return new Hono<AppEnv>()
    .get('/api/devices/chats', async (c) =>
      c.json(await deviceChats({ actor: requireUser(c), input: { opened: c.req.query('opened') ?? '' } })),
    )
    .get('/api/devices/chats/:id', async (c) =>
      c.json(await readKeptContent({ actor: requireUser(c), input: { id: pathParam(c, 'id') } })),
    )
    .get('/api/devices/notifications', async (c) =>
      c.json(await deviceNotifications({ actor: requireUser(c) })),
    )
    .put('/api/devices/notifications', async (c) => {
      const actor = requireUser(c);
      await subscribeDevice({ actor, input: await readJson(c, subscriptionInput) });
      return c.body(null, 204);
    })
    .delete('/api/devices/notifications', async (c) => {
      await unsubscribeDevice({ actor: requireUser(c) });
      return c.body(null, 204);
    });
}
