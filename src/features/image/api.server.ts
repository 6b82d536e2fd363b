import { type Context, Hono } from 'hono';
import type { UserActor } from '../../platform/http/actor.server.ts';
import { readJson } from '../../platform/http/body.server.ts';
import { contentDisposition } from '../../platform/http/disposition.server.ts';
import type { AppEnv } from '../../platform/http/env.server.ts';
import { namesTag } from '../../platform/http/etag.server.ts';
import { signInFirst } from '../../platform/http/problem.server.ts';
import { sendFile } from '../accounts/sessions/sending/service.server.ts';
import { idempotencyHeader } from '../generations/contract.ts';
import { startedAnswer } from '../generations/stream/service.server.ts';
import { startImages } from './contract.ts';
import * as images from './service.server.ts';

type Ctx = Context<AppEnv>;

/** The browser asks each time: after a sign-out or a deletion its copy is shown to nobody. */
const ASKED = { 'cache-control': 'private, no-cache' };

function user(c: Ctx): UserActor {
  if (c.var.actor.kind !== 'user') throw signInFirst();
  return c.var.actor;
}

const id = (c: Ctx) => c.req.param('id') ?? '';

/** The width of a preview that is asked for; null for the whole picture. */
function widthOf(c: Ctx): number | null {
  const asked = c.req.query('w') ?? '';
  return /^\d{1,4}$/.test(asked) ? Number(asked) : null;
}

async function picture(c: Ctx): Promise<Response> {
  const actor = user(c);
  const width = widthOf(c);
  const { stream, bytes, type, name } = await images.openPicture({ actor, input: { id: id(c), width } });
  // A picture never changes.
  const etag = `"${id(c)}-${width ?? 'whole'}"`;
  if (namesTag(c.req.header('if-none-match'), etag)) {
    stream.destroy();
    return c.body(null, 304, { ...ASKED, etag });
  }
  const kind = c.req.query('download') === undefined ? 'inline' : 'attachment';
  const headers = {
    'content-type': type,
    'content-length': String(bytes),
    'content-disposition': contentDisposition(kind, name),
    ...ASKED,
    etag,
  };
  return sendFile(c, actor, headers, stream);
}

/** `/api/images` and below: requests for pictures, and the pictures. */
export function imagesApi(): Hono<AppEnv> {
  const api = new Hono<AppEnv>().basePath('/api/images');
  api.get('/', async (c) => {
    const { q, size, before } = c.req.query();
    return c.json(await images.listJobs({ actor: user(c), input: { q, size, before } }));
  });
  api.post('/', async (c) => {
    const actor = user(c);
    const body = await readJson(c, startImages);
    const key = c.req.header(idempotencyHeader) ?? '';
    return startedAnswer(c, actor, await images.startJob({ actor, input: { ...body, key } }));
  });
  api.get('/pictures/:id', picture);
  api.delete('/pictures/:id', async (c) => {
    await images.deletePicture({ actor: user(c), input: { id: id(c) } });
    return c.body(null, 204);
  });
  api.post('/pictures/:id/restore', async (c) =>
    c.json(await images.restorePicture({ actor: user(c), input: { id: id(c) } })),
  );
  api.get('/:id', async (c) => c.json(await images.openJob({ actor: user(c), input: { id: id(c) } })));
  api.delete('/:id', async (c) => {
    await images.deleteJob({ actor: user(c), input: { id: id(c) } });
    return c.body(null, 204);
  });
  api.post('/:id/restore', async (c) =>
    c.json(await images.restoreJob({ actor: user(c), input: { id: id(c) } })),
  );
  return api;
}
