import { type Context, Hono } from 'hono';
import type { UserActor } from '../../platform/http/actor.server.ts';
import { readJson } from '../../platform/http/body.server.ts';
import type { AppEnv } from '../../platform/http/env.server.ts';
import { namesTag } from '../../platform/http/etag.server.ts';
import { Problem } from '../../platform/http/problem.server.ts';
import { promptCard } from './card/service.server.ts';
import { promptBody, promptTexts, queryOf, ratingBody, reportBody } from './contract.ts';
import { changePrompt, createPrompt, deletePrompt, submitPrompt } from './own/service.server.ts';
import { notePromptUse, ratePrompt } from './rating/service.server.ts';
import { likePrompt, listPrompts, openPrompt, reportPrompt } from './service.server.ts';

type Ctx = Context<AppEnv>;

/** The person who asks. @throws Problem unauthorized, in the words of what was asked for. */
function user(c: Ctx, words: string): UserActor {
  if (c.var.actor.kind !== 'user') throw new Problem('unauthorized', words);
  return c.var.actor;
}

const id = (c: Ctx) => c.req.param('id') ?? '';

/** `/api/prompts` and below, and the social card of a prompt's page. */
export function promptsApi(): Hono<AppEnv> {
  const api = new Hono<AppEnv>();
  api.get('/api/prompts', async (c) => {
    const input = queryOf(new URL(c.req.url).searchParams);
    const actor = input.sort === 'mine' ? user(c, promptTexts.upload) : c.var.actor;
    return c.json(await listPrompts({ actor, input }));
  });
  api.post('/api/prompts', async (c) => {
    const actor = user(c, promptTexts.upload);
    return c.json(await createPrompt({ actor, input: await readJson(c, promptBody) }), 201);
  });
  api.get('/api/prompts/:id', async (c) =>
    c.json(await openPrompt({ actor: c.var.actor, input: { name: id(c) } })),
  );
  api.patch('/api/prompts/:id', async (c) => {
    const actor = user(c, promptTexts.upload);
    const body = await readJson(c, promptBody);
    return c.json(await changePrompt({ actor, input: { ...body, id: id(c) } }));
  });
  api.delete('/api/prompts/:id', async (c) => {
    await deletePrompt({ actor: user(c, promptTexts.upload), input: { id: id(c), deleted: true } });
    return c.body(null, 204);
  });
  api.post('/api/prompts/:id/restore', async (c) => {
    const actor = user(c, promptTexts.upload);
    await deletePrompt({ actor, input: { id: id(c), deleted: false } });
    return c.json(await openPrompt({ actor, input: { name: id(c) } }));
  });
  for (const [method, yes] of [
    ['post', true],
    ['delete', false],
  ] as const) {
    api[method]('/api/prompts/:id/like', async (c) =>
      c.json(await likePrompt({ actor: user(c, promptTexts.like), input: { id: id(c), liked: yes } })),
    );
    api[method]('/api/prompts/:id/submission', async (c) =>
      c.json(
        await submitPrompt({ actor: user(c, promptTexts.upload), input: { id: id(c), submitted: yes } }),
      ),
    );
  }
  api.post('/api/prompts/:id/uses', async (c) => {
    await notePromptUse({ actor: user(c, promptTexts.use), input: { id: id(c) } });
    return c.body(null, 204);
  });
  api.put('/api/prompts/:id/rating', async (c) => {
    const actor = user(c, promptTexts.rate);
    const { stars } = await readJson(c, ratingBody);
    return c.json(await ratePrompt({ actor, input: { id: id(c), stars } }));
  });
  api.delete('/api/prompts/:id/rating', async (c) =>
    c.json(await ratePrompt({ actor: user(c, promptTexts.rate), input: { id: id(c), stars: null } })),
  );
  api.post('/api/prompts/:id/report', async (c) => {
    const actor = user(c, promptTexts.report);
    const { reason } = await readJson(c, reportBody);
    await reportPrompt({ actor, input: { id: id(c), reason } });
    return c.body(null, 204);
  });
  api.get('/tools/prompts/:slug/card.png', async (c) => {
    const { etag, png } = await promptCard({
      input: { slug: c.req.param('slug'), address: c.var.clientAddress },
    });
    const headers = { etag, 'cache-control': 'private, max-age=3600' };
    if (namesTag(c.req.header('if-none-match'), etag)) return c.body(null, 304, headers);
    return c.body(new Uint8Array(png), 200, { ...headers, 'content-type': 'image/png' });
  });
  return api;
}
