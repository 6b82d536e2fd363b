import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { Hono } from 'hono';
import { validate as isUuid } from 'uuid';
import type { AppEnv } from '../../platform/http/env.server.ts';
import { notFound, signInFirst } from '../../platform/http/problem.server.ts';
import { proveOwn, stop, view } from './service.server.ts';
import { parsePosition, streamTo } from './stream/service.server.ts';

/** `GET /api/generations/:id`, `/events` and `POST /stop`; strangers get 404. */
export function generationsApi(): Hono<AppEnv> {
  const api = new Hono<AppEnv>().basePath('/api/generations/:id');
  api.use(async (c, next) => {
    if (c.var.actor.kind !== 'user') throw signInFirst();
    if (!isUuid(c.req.param('id'))) throw notFound();
    await next();
  });
  api.get('/', async (c) => {
    if (c.var.actor.kind !== 'user') throw signInFirst();
    return c.json(await view(c.var.actor, c.req.param('id') ?? ''));
  });
  api.get('/events', async (c) => {
    const { actor } = c.var;
    if (actor.kind !== 'user') throw signInFirst();
    const id = c.req.param('id') ?? '';
    await proveOwn(actor, id);
    streamTo(c.env.outgoing, actor, id, parsePosition(c.req.header('last-event-id')));
    return RESPONSE_ALREADY_SENT;
  });
  api.post('/stop', async (c) => {
    if (c.var.actor.kind !== 'user') throw signInFirst();
    await stop(c.var.actor, c.req.param('id') ?? '');
    return c.json({ ok: true }, 202);
  });
  return api;
}
