import { randomUUID } from 'node:crypto';
import { type Context, Hono } from 'hono';
import { idempotencyKeyOf, startedResponse } from '#features/generations/service.server.ts';
import type { AppEnv } from '#platform/http/app-env.server.ts';
import { downloadHeaders } from '#platform/http/content-disposition.server.ts';
import { requestPaper } from '#platform/http/language.server.ts';
import { readJson } from '#platform/http/request-body.server.ts';
import { pathParam, requireUser } from '#platform/http/request-context.server.ts';
import { addTextRequest, continueRequest, defaultSettings, editRequest, writeRequest } from './contract.ts';
import { addExistingText, continueText, startEdit, startText, waitForText } from './service.server.ts';
import { exportText } from './text-export.server.ts';

type Ctx = Context<AppEnv>;

/** Bytes of a whole text in JSON, where an escaped UTF-16 unit takes six. */
const TEXT_BYTES = 640 * 1024;

/** RFC 7240; an event stream is requested with `Accept`. */
const wantsAsync = (c: Ctx) =>
  /\brespond-async\b/i.test(c.req.header('prefer') ?? '') ||
  c.req.header('accept')?.includes('text/event-stream');

export function writerApi(): Hono<AppEnv> {
  const api = new Hono<AppEnv>().basePath('/api/write');
  api.post('/', async (c) => {
    const actor = requireUser(c);
    const { workId = null, ...body } = await readJson(c, writeRequest);
    const settings = {
      prompt: body.prompt,
      type: body.type ?? defaultSettings.type,
      tone: body.tone ?? defaultSettings.tone,
      length: body.length ?? defaultSettings.length,
    };
    // Programs that follow the specification send no key.
    const key = idempotencyKeyOf(c, randomUUID());
    const started = await startText({ actor, input: { ...settings, workId, key } });
    if (wantsAsync(c)) return startedResponse(c, actor, started);
    return c.json(await waitForText({ actor, input: { started } }));
  });
  api.post('/texts', async (c) => {
    const actor = requireUser(c);
    const input = await readJson(c, addTextRequest, TEXT_BYTES);
    return c.json(await addExistingText({ actor, input }), 201);
  });
  api.post('/:id/edits', async (c) => {
    const actor = requireUser(c);
    const body = await readJson(c, editRequest);
    const key = idempotencyKeyOf(c);
    return startedResponse(c, actor, await startEdit({ actor, input: { ...body, key, id: pathParam(c) } }));
  });
  api.post('/:id/continue', async (c) => {
    const actor = requireUser(c);
    const { versionId } = await readJson(c, continueRequest);
    const key = idempotencyKeyOf(c);
    return startedResponse(
      c,
      actor,
      await continueText({ actor, input: { id: pathParam(c), versionId, key } }),
    );
  });
  api.get('/:id/export', async (c) => {
    const { version, format = 'md' } = c.req.query();
    const input = { id: pathParam(c), version, format, paper: requestPaper(c) };
    const file = await exportText({ actor: requireUser(c), input });
    return c.body(file.content, 200, downloadHeaders(file.name, file.type));
  });
  return api;
}
