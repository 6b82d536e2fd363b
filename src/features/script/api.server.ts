import { type Context, Hono } from 'hono';
import type { UserActor } from '../../platform/http/actor.server.ts';
import { readJson } from '../../platform/http/body.server.ts';
import { contentDisposition } from '../../platform/http/disposition.server.ts';
import type { AppEnv } from '../../platform/http/env.server.ts';
import { signInFirst } from '../../platform/http/problem.server.ts';
import { idempotencyHeader } from '../generations/contract.ts';
import { startedAnswer } from '../generations/stream/service.server.ts';
import { rewriteScene, writeScript } from './contract.ts';
import { downloadScript } from './export/service.server.ts';
import { startRewrite, startScript } from './service.server.ts';

type Ctx = Context<AppEnv>;

function user(c: Ctx): UserActor {
  if (c.var.actor.kind !== 'user') throw signInFirst();
  return c.var.actor;
}

const keyOf = (c: Ctx) => c.req.header(idempotencyHeader) ?? '';

/** `/api/scripts` and below: writing, rewriting and taking away; the rest of a script is a work. */
export function scriptApi(): Hono<AppEnv> {
  const api = new Hono<AppEnv>().basePath('/api/scripts');
  api.post('/', async (c) => {
    const actor = user(c);
    const body = await readJson(c, writeScript);
    return startedAnswer(c, actor, await startScript({ actor, input: { ...body, key: keyOf(c) } }));
  });
  api.post('/:id/rewrites', async (c) => {
    const actor = user(c);
    const body = await readJson(c, rewriteScene);
    const input = { ...body, workId: c.req.param('id'), key: keyOf(c) };
    return startedAnswer(c, actor, await startRewrite({ actor, input }));
  });
  api.get('/:id/export', async (c) => {
    const actor = user(c);
    const { version, format = 'fountain' } = c.req.query();
    const { name, type, content } = await downloadScript({
      actor,
      input: { id: c.req.param('id'), version, format },
    });
    return c.body(content, 200, {
      'content-type': type,
      'content-disposition': contentDisposition('attachment', name),
      'cache-control': 'private, no-store',
    });
  });
  return api;
}
