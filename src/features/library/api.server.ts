import { Hono } from 'hono';
import type { AppEnv } from '#platform/http/app-env.server.ts';
import { downloadHeaders } from '#platform/http/content-disposition.server.ts';
import { readJson } from '#platform/http/request-body.server.ts';
import { pathParam, requireUser } from '#platform/http/request-context.server.ts';
import { sendFile } from '#platform/http/send-file.server.ts';
import { actOnItems, parseQuery } from './contract.ts';
import { actOnSelection, downloadSelection, selectionOf } from './selection.server.ts';
import { listLibrary, searchEverywhere } from './service.server.ts';
import { tagItems } from './tags/tag-items.server.ts';
import { createTag, deleteTag, listTags, renameTag } from './tags/tags.server.ts';
import * as tags from './tags/tags-contract.ts';

export function libraryApi(): Hono<AppEnv> {
  const api = new Hono<AppEnv>();
  api.get('/api/library', async (c) => {
    const actor = requireUser(c);
    return c.json(await listLibrary({ actor, input: parseQuery(new URL(c.req.url).searchParams) }));
  });
  api.post('/api/library/selection', async (c) => {
    const actor = requireUser(c);
    return c.json(await actOnSelection({ actor, input: await readJson(c, actOnItems) }));
  });
  api.post('/api/library/selection/tags', async (c) => {
    const actor = requireUser(c);
    return c.json(await tagItems({ actor, input: await readJson(c, tags.tagItems) }));
  });
  api.get('/api/library/tags', async (c) => c.json({ tags: await listTags(requireUser(c)) }));
  api.post('/api/library/tags', async (c) => {
    const actor = requireUser(c);
    const { tag, isNew } = await createTag({ actor, input: await readJson(c, tags.nameTag) });
    return c.json(tag, isNew ? 201 : 200);
  });
  api.patch('/api/library/tags/:id', async (c) => {
    const actor = requireUser(c);
    const input = { ...(await readJson(c, tags.nameTag)), id: pathParam(c) };
    return c.json(await renameTag({ actor, input }));
  });
  api.delete('/api/library/tags/:id', async (c) => {
    await deleteTag({ actor: requireUser(c), input: { id: pathParam(c) } });
    return c.body(null, 204);
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
