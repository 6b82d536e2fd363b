import { Hono } from 'hono';
import { idempotencyKeyOf, startedResponse } from '#features/generations/service.server.ts';
import type { AppEnv } from '#platform/http/app-env.server.ts';
import { downloadHeaders } from '#platform/http/content-disposition.server.ts';
import { requestPaper } from '#platform/http/language.server.ts';
import { readJson } from '#platform/http/request-body.server.ts';
import { requireUser } from '#platform/http/request-context.server.ts';
import { rewriteScene, writeScript } from './contract.ts';
import { downloadScript } from './script-export.server.ts';
import { startRewrite, startScript } from './service.server.ts';

export function scriptApi(): Hono<AppEnv> {
  const api = new Hono<AppEnv>().basePath('/api/scripts');
  api.post('/', async (c) => {
    const actor = requireUser(c);
    const body = await readJson(c, writeScript);
    return startedResponse(
      c,
      actor,
      await startScript({ actor, input: { ...body, key: idempotencyKeyOf(c) } }),
    );
  });
  api.post('/:id/rewrites', async (c) => {
    const actor = requireUser(c);
    const body = await readJson(c, rewriteScene);
    const input = { ...body, workId: c.req.param('id'), key: idempotencyKeyOf(c) };
    return startedResponse(c, actor, await startRewrite({ actor, input }));
  });
  api.get('/:id/export', async (c) => {
    const actor = requireUser(c);
    const { version, format = 'fountain' } = c.req.query();
    const { name, type, content } = await downloadScript({
      actor,
      input: { id: c.req.param('id'), version, format, paper: requestPaper(c) },
    });
    return c.body(content, 200, downloadHeaders(name, type));
  });
  return api;
}
