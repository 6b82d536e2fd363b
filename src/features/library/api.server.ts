import { Hono } from 'hono';
import type { AppEnv } from '#platform/http/app-env.server.ts';
import { downloadHeaders } from '#platform/http/content-disposition.server.ts';
import { readJson } from '#platform/http/request-body.server.ts';
import { requireUser } from '#platform/http/request-context.server.ts';
import { sendFile } from '#platform/http/send-file.server.ts';
import { actOnItems, queryOf } from './contract.ts';
import { actOnSelection, downloadSelection, selectionOf } from './selection.server.ts';
import { listLibrary, searchEverywhere } from './service.server.ts';

export function libraryApi(): Hono<AppEnv> {
  const api = new Hono<AppEnv>();
  api.get('/api/library', async (c) => {
    const actor = requireUser(c);
    return c.json(await listLibrary({ actor, input: queryOf(new URL(c.req.url).searchParams) }));
  });
  api.post('/api/library/selection', async (c) => {
    const actor = requireUser(c);
    return c.json(await actOnSelection({ actor, input: await readJson(c, actOnItems) }));
  });
  api.get('/api/library/export', async (c) => {
    const actor = requireUser(c);
    const items = selectionOf(new URL(c.req.url).searchParams);
    const { name, type, content } = await downloadSelection({ actor, input: { items } });
    return sendFile(c, downloadHeaders(name, type), content);
  });
  api.get('/api/search', async (c) =>
    c.json(await searchEverywhere({ actor: requireUser(c), input: { text: c.req.query('q') ?? '' } })),
  );
  return api;
}
