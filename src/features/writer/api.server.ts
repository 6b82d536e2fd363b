import { randomUUID } from 'node:crypto';
import { type Context, Hono } from 'hono';
import type { UserActor } from '../../platform/http/actor.server.ts';
import { readJson } from '../../platform/http/body.server.ts';
import { contentDisposition } from '../../platform/http/disposition.server.ts';
import type { AppEnv } from '../../platform/http/env.server.ts';
import { signInFirst } from '../../platform/http/problem.server.ts';
import { idempotencyHeader } from '../generations/contract.ts';
import { startedAnswer } from '../generations/stream/service.server.ts';
import { continueRequest, defaultSettings, editRequest, writeRequest } from './contract.ts';
import { download } from './download/service.server.ts';
import { continueText, finishedText, startEdit, startText } from './service.server.ts';

type Ctx = Context<AppEnv>;

function user(c: Ctx): UserActor {
  if (c.var.actor.kind !== 'user') throw signInFirst();
  return c.var.actor;
}

const id = (c: Ctx) => c.req.param('id') ?? '';

/** Whether the caller wants the run's ids or events instead of its end (RFC 7240). */
const asynchronous = (c: Ctx) =>
  /\brespond-async\b/i.test(c.req.header('prefer') ?? '') ||
  c.req.header('accept')?.includes('text/event-stream');

/** `POST /api/write`, and below it what is done with a text. */
export function writerApi(): Hono<AppEnv> {
  const api = new Hono<AppEnv>().basePath('/api/write');
  api.post('/', async (c) => {
    const actor = user(c);
    const { workId = null, ...body } = await readJson(c, writeRequest);
    const settings = {
      prompt: body.prompt,
      type: body.type ?? defaultSettings.type,
      tone: body.tone ?? defaultSettings.tone,
      length: body.length ?? defaultSettings.length,
    };
    // Programs that follow the specification send no key.
    const key = c.req.header(idempotencyHeader) ?? randomUUID();
    const started = await startText({ actor, input: { ...settings, workId, key } });
    if (asynchronous(c)) return startedAnswer(c, actor, started);
    return c.json(await finishedText({ actor, input: { started } }));
  });
  api.post('/:id/edits', async (c) => {
    const actor = user(c);
    const body = await readJson(c, editRequest);
    const key = c.req.header(idempotencyHeader) ?? '';
    return startedAnswer(c, actor, await startEdit({ actor, input: { ...body, key, id: id(c) } }));
  });
  api.post('/:id/continue', async (c) => {
    const actor = user(c);
    const { versionId } = await readJson(c, continueRequest);
    const key = c.req.header(idempotencyHeader) ?? '';
    return startedAnswer(c, actor, await continueText({ actor, input: { id: id(c), versionId, key } }));
  });
  api.get('/:id/export', async (c) => {
    const { version, format = 'md' } = c.req.query();
    const file = await download({ actor: user(c), input: { id: id(c), version, format } });
    return c.body(file.bytes, 200, {
      'content-type': file.type,
      'content-disposition': contentDisposition('attachment', file.name),
      'cache-control': 'private, no-store',
    });
  });
  return api;
}
