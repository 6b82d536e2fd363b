import { type Context, Hono } from 'hono';
import { idempotencyKeyOf, startedResponse } from '#features/generations/service.server.ts';
import type { AppEnv } from '#platform/http/app-env.server.ts';
import { contentDisposition } from '#platform/http/content-disposition.server.ts';
import { matchesEtag } from '#platform/http/etag.server.ts';
import { readJson } from '#platform/http/request-body.server.ts';
import { pathParam, requireUser } from '#platform/http/request-context.server.ts';
import { sendFile } from '#platform/http/send-file.server.ts';
import { startImages } from './contract.ts';
import * as images from './service.server.ts';

type Ctx = Context<AppEnv>;

/** The browser must revalidate each time, so that it shows no cached image after a sign-out or deletion. */
const REVALIDATE = { 'cache-control': 'private, no-cache' };

function widthOf(c: Ctx): number | null {
  const param = c.req.query('w') ?? '';
  return /^\d{1,4}$/.test(param) ? Number(param) : null;
}

async function picture(c: Ctx): Promise<Response> {
  const actor = requireUser(c);
  const width = widthOf(c);
  const { stream, bytes, type, name } = await images.openPicture({
    actor,
    input: { id: pathParam(c), width },
  });
  // An image never changes, so its id is enough for the ETag.
  const etag = `"${pathParam(c)}-${width ?? 'whole'}"`;
  if (matchesEtag(c.req.header('if-none-match'), etag)) {
    stream.destroy();
    return c.body(null, 304, { ...REVALIDATE, etag });
  }
  const kind = c.req.query('download') === undefined ? 'inline' : 'attachment';
  const headers = {
    'content-type': type,
    'content-length': String(bytes),
    'content-disposition': contentDisposition(kind, name),
    ...REVALIDATE,
    etag,
  };
  return sendFile(c, headers, stream);
}

export function imagesApi(): Hono<AppEnv> {
  const api = new Hono<AppEnv>().basePath('/api/images');
  api.get('/', async (c) => {
    const { q, size, before } = c.req.query();
    return c.json(await images.listJobs({ actor: requireUser(c), input: { q, size, before } }));
  });
  api.post('/', async (c) => {
    const actor = requireUser(c);
    const body = await readJson(c, startImages);
    const key = idempotencyKeyOf(c);
    return startedResponse(c, actor, await images.startJob({ actor, input: { ...body, key } }));
  });
  api.get('/pictures/:id', picture);
  api.delete('/pictures/:id', async (c) => {
    await images.deletePicture({ actor: requireUser(c), input: { id: pathParam(c) } });
    return c.body(null, 204);
  });
  api.post('/pictures/:id/restore', async (c) =>
    c.json(await images.restorePicture({ actor: requireUser(c), input: { id: pathParam(c) } })),
  );
  api.get('/:id', async (c) =>
    c.json(await images.openJob({ actor: requireUser(c), input: { id: pathParam(c) } })),
  );
  api.delete('/:id', async (c) => {
    await images.deleteJob({ actor: requireUser(c), input: { id: pathParam(c) } });
    return c.body(null, 204);
  });
  api.post('/:id/restore', async (c) =>
    c.json(await images.restoreJob({ actor: requireUser(c), input: { id: pathParam(c) } })),
  );
  return api;
}
