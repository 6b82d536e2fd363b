import { buffer } from 'node:stream/consumers';
import { type Context, Hono } from 'hono';
import { z } from 'zod/mini';
import { type KeyHolder, type KeyScope, readKeyHolder } from '#features/accounts/service.server.ts';
import { idempotencyHeader } from '#features/generations/contract.ts';
import { openAnyPicture } from '#features/images/service.server.ts';
import type { AppEnv } from '#platform/http/app-env.server.ts';
import { notFound, signInRequired } from '#platform/http/problem.server.ts';
import { readJson } from '#platform/http/request-body.server.ts';
import { ApiRefusal } from './api-error.server.ts';
import { answerCompletion } from './completion-answer.server.ts';
import { readCompletionRequest } from './completion-request.server.ts';
import { startCompletion } from './completions.server.ts';
import { answerImages } from './image-answer.server.ts';
import { readImageRequest } from './image-request.server.ts';
import { modelNotFound, modelsFor } from './models.server.ts';
import { isPictureLink } from './picture-links.server.ts';

const anyObject = z.record(z.string(), z.unknown());

async function requireKey(c: Context<AppEnv>, scope?: KeyScope): Promise<KeyHolder> {
  const holder = await readKeyHolder(c.req.header('authorization'));
  if (!holder) throw signInRequired();
  if (scope && !holder.scopes.includes(scope))
    throw new ApiRefusal('forbidden', `This API key has no access to ${scope}.`, { code: 'missing_scope' });
  return holder;
}

/** Authenticates by API key only, or by a picture's signed link: origins and sessions do not count here. */
export function openaiApi(): Hono<AppEnv> {
  return new Hono<AppEnv>()
    .basePath('/v1')
    .get('/models', async (c) => {
      const { scopes } = await requireKey(c);
      return c.json({ object: 'list', data: modelsFor(scopes) });
    })
    .get('/models/:id{.+}', async (c) => {
      const { scopes } = await requireKey(c);
      const id = c.req.param('id');
      const model = modelsFor(scopes).find((each) => each.id === id);
      if (!model) throw modelNotFound(id);
      return c.json(model);
    })
    .post('/chat/completions', async (c) => {
      const holder = await requireKey(c, 'chat');
      const request = readCompletionRequest(await readJson(c, anyObject));
      const idempotencyKey = c.req.header(idempotencyHeader);
      return answerCompletion(c, await startCompletion(holder, { request, idempotencyKey }));
    })
    .post('/images/generations', async (c) => {
      const holder = await requireKey(c, 'images');
      const request = readImageRequest(await readJson(c, anyObject));
      return answerImages(c, holder, { request, idempotencyKey: c.req.header(idempotencyHeader) });
    })
    .get('/images/files/:id', async (c) => {
      const id = c.req.param('id');
      if (!isPictureLink({ id, until: c.req.query('until'), signature: c.req.query('signature') }))
        throw notFound();
      const { stream, type } = await openAnyPicture(id);
      const headers = { 'content-type': type, 'cache-control': 'private, no-store' };
      return c.body(new Uint8Array(await buffer(stream)), 200, headers);
    })
    .all('/*', () => {
      throw notFound();
    });
}
