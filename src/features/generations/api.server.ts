import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { Hono } from 'hono';
import type { AppEnv } from '#platform/http/app-env.server.ts';
import { requireUuid } from '#platform/http/problem.server.ts';
import { pathParam, requireUser } from '#platform/http/request-context.server.ts';
import { parseLastEventId, streamTo } from './event-stream.server.ts';
import { requireOwnRun, stopRun, viewRun, viewThinking } from './service.server.ts';

export function generationsApi(): Hono<AppEnv> {
  const api = new Hono<AppEnv>().basePath('/api/generations/:id');
  api.use(async (c, next) => {
    requireUser(c);
    requireUuid(pathParam(c));
    await next();
  });
  api.get('/', async (c) => {
    return c.json(await viewRun(requireUser(c), pathParam(c)));
  });
  api.get('/thinking', async (c) => {
    return c.json(await viewThinking(requireUser(c), pathParam(c)));
  });
  api.get('/events', async (c) => {
    const actor = requireUser(c);
    const id = pathParam(c);
    await requireOwnRun(actor, id);
    streamTo(c.env.outgoing, actor, id, parseLastEventId(c.req.header('last-event-id')));
    return RESPONSE_ALREADY_SENT;
  });
  api.post('/stop', async (c) => {
    await stopRun(requireUser(c), pathParam(c));
    return c.json({ ok: true }, 202);
  });
  return api;
}
