import { buffer } from 'node:stream/consumers';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { Context } from 'hono';
import type { KeyHolder } from '#features/accounts/service.server.ts';
import { readRun, stopOnDisconnect } from '#features/generations/service.server.ts';
import { openJob, openPicture, startImageRun } from '#features/images/service.server.ts';
import type { AppEnv } from '#platform/http/app-env.server.ts';
import { refusalOf, runKey, unixSeconds } from './api-runs.server.ts';
import type { ImageRequest } from './image-request.server.ts';
import { requireModel } from './models.server.ts';
import { pictureLink } from './picture-links.server.ts';

async function pictureOf(actor: { userId: string }, id: string, format: ImageRequest['format']) {
  if (format === 'url') return { url: pictureLink(id) };
  const { stream } = await openPicture({ actor, input: { id, width: null } });
  return { b64_json: (await buffer(stream)).toString('base64') };
}

/** If only some of N pictures were made, those are returned and charged. */
export async function answerImages(
  c: Context<AppEnv>,
  holder: KeyHolder,
  { request, idempotencyKey }: { request: ImageRequest; idempotencyKey: string | undefined },
): Promise<Response> {
  const { model, prompt, size, count, format } = request;
  if (model !== null) requireModel('images', model);
  const actor = { userId: holder.userId };
  const key = runKey(holder, idempotencyKey);
  const byKey = { id: holder.keyId, scope: 'images' };
  const { generationId, fresh } = await startImageRun({ actor, input: { prompt, size, count, key, byKey } });
  const run = { id: generationId, userId: actor.userId, fresh };
  const steps = readRun(run, stopOnDisconnect(c.env.outgoing, run));
  let step = await steps.next();
  while (!step.done) step = await steps.next();
  if (!step.value) return RESPONSE_ALREADY_SENT;
  const refusal = refusalOf(step.value, 'prompt');
  if (refusal) throw refusal;
  const { pictures } = await openJob({ actor, input: { id: run.id } });
  const data = await Promise.all(pictures.map(({ id }) => pictureOf(actor, id, format)));
  return c.json({ created: unixSeconds(), data }, 200, { 'cache-control': 'private, no-store' });
}
