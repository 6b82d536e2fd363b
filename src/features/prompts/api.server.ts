import { type Context, Hono } from 'hono';
import { checkOffered } from '#features/credits/service.server.ts';
import type { AppEnv } from '#platform/http/app-env.server.ts';
import { readJson } from '#platform/http/request-body.server.ts';
import { pathParam, requireUser } from '#platform/http/request-context.server.ts';
import { sendCard } from '#platform/social-cards/render-card.server.ts';
import { parseQuery, promptBody, promptTexts, ratingBody, reportBody } from './contract.ts';
import { changePrompt, createPrompt, submitPrompt } from './own-prompts.server.ts';
import { ratePrompt, recordPromptUse } from './ratings.server.ts';
import { deletePrompt, likePrompt, listPrompts, openPrompt, reportPrompt } from './service.server.ts';
import { promptCard } from './social-card.server.ts';

type Ctx = Context<AppEnv>;

const author = (c: Ctx) => requireUser(c, promptTexts.upload());

export function promptsApi(): Hono<AppEnv> {
  const api = new Hono<AppEnv>();
  // In Hono, this pattern matches `/api/prompts` as well.
  api.use('/api/prompts/*', async (_, next) => {
    checkOffered('prompts');
    await next();
  });
  api.get('/api/prompts', async (c) => {
    const input = parseQuery(new URL(c.req.url).searchParams);
    const actor = input.sort === 'mine' ? author(c) : c.var.actor;
    return c.json(await listPrompts({ actor, input }));
  });
  api.post('/api/prompts', async (c) => {
    const actor = author(c);
    return c.json(await createPrompt({ actor, input: await readJson(c, promptBody) }), 201);
  });
  api.get('/api/prompts/:id', async (c) =>
    c.json(await openPrompt({ actor: c.var.actor, input: { name: pathParam(c) } })),
  );
  api.patch('/api/prompts/:id', async (c) => {
    const actor = author(c);
    const body = await readJson(c, promptBody);
    return c.json(await changePrompt({ actor, input: { ...body, id: pathParam(c) } }));
  });
  api.delete('/api/prompts/:id', async (c) => {
    await deletePrompt({ actor: author(c), input: { id: pathParam(c), deleted: true } });
    return c.body(null, 204);
  });
  api.post('/api/prompts/:id/restore', async (c) => {
    const actor = author(c);
    await deletePrompt({ actor, input: { id: pathParam(c), deleted: false } });
    return c.json(await openPrompt({ actor, input: { name: pathParam(c) } }));
  });
  const like = async (c: Ctx, liked: boolean) => {
    const actor = requireUser(c, promptTexts.like());
    return c.json(await likePrompt({ actor, input: { id: pathParam(c), liked } }));
  };
  api.post('/api/prompts/:id/like', async (c) => like(c, true));
  api.delete('/api/prompts/:id/like', async (c) => like(c, false));
  const submit = async (c: Ctx, submitted: boolean) =>
    c.json(await submitPrompt({ actor: author(c), input: { id: pathParam(c), submitted } }));
  api.post('/api/prompts/:id/submission', async (c) => submit(c, true));
  api.delete('/api/prompts/:id/submission', async (c) => submit(c, false));
  api.post('/api/prompts/:id/uses', async (c) => {
    await recordPromptUse({ actor: requireUser(c, promptTexts.use()), input: { id: pathParam(c) } });
    return c.body(null, 204);
  });
  api.put('/api/prompts/:id/rating', async (c) => {
    const actor = requireUser(c, promptTexts.rate());
    const { stars } = await readJson(c, ratingBody);
    return c.json(await ratePrompt({ actor, input: { id: pathParam(c), stars } }));
  });
  api.delete('/api/prompts/:id/rating', async (c) => {
    const actor = requireUser(c, promptTexts.rate());
    return c.json(await ratePrompt({ actor, input: { id: pathParam(c), stars: null } }));
  });
  api.post('/api/prompts/:id/report', async (c) => {
    const actor = requireUser(c, promptTexts.report());
    const { reason } = await readJson(c, reportBody);
    await reportPrompt({ actor, input: { id: pathParam(c), reason } });
    return c.body(null, 204);
  });
  api.get('/tools/prompts/:slug/card.png', async (c) => {
    const { key, card } = await promptCard({
      input: { slug: c.req.param('slug'), address: c.var.clientAddress },
    });
    return sendCard(c, key, async () => card);
  });
  return api;
}
