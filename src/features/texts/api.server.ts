import { type Context, Hono } from 'hono';
import type { Feature } from '#features/credits/contract.ts';
import { locale, m } from '#messages';
import type { AppEnv } from '#platform/http/app-env.server.ts';
import { Problem } from '#platform/http/problem.server.ts';
import { readJson } from '#platform/http/request-body.server.ts';
import { pathParam, requireUser } from '#platform/http/request-context.server.ts';
import * as contract from './contract.ts';
import * as works from './service.server.ts';

type Ctx = Context<AppEnv>;

/** Bytes of a whole text in JSON, where an escaped UTF-16 unit takes six. */
const TEXT_BYTES = 640 * 1024;

function requireFeature(c: Ctx): Feature {
  const feature = contract.textFeatures.find((known) => known === c.req.query('feature'));
  if (!feature) {
    const tools = new Intl.ListFormat(locale(), { type: 'disjunction' }).format(contract.textFeatures);
    throw new Problem('bad_request', m.texts_tool_unnamed({ tools }));
  }
  return feature;
}

export function textsApi(): Hono<AppEnv> {
  const api = new Hono<AppEnv>().basePath('/api/works');
  api.get('/', async (c) => {
    const actor = requireUser(c);
    const { q, before } = c.req.query();
    return c.json(await works.listTexts({ actor, input: { feature: requireFeature(c), q, before } }));
  });
  api.get('/:id', async (c) => {
    const { version } = c.req.query();
    return c.json(await works.openText({ actor: requireUser(c), input: { id: pathParam(c), version } }));
  });
  api.patch('/:id', async (c) => {
    const actor = requireUser(c);
    const body = await readJson(c, contract.updateTextBody);
    return c.json(await works.updateText({ actor, input: { ...body, id: pathParam(c) } }));
  });
  api.delete('/:id', async (c) => {
    await works.deleteText({ actor: requireUser(c), input: { id: pathParam(c) } });
    return c.body(null, 204);
  });
  api.post('/:id/restore', async (c) =>
    c.json(await works.restoreText({ actor: requireUser(c), input: { id: pathParam(c) } })),
  );
  api.put('/:id/versions/:versionId', async (c) => {
    const actor = requireUser(c);
    const body = await readJson(c, contract.saveVersionBody, TEXT_BYTES);
    const input = { ...body, id: pathParam(c), versionId: pathParam(c, 'versionId') };
    return c.json(await works.saveEdit({ actor, input }));
  });
  api.post('/:id/versions/:versionId/restore', async (c) => {
    const input = { id: pathParam(c), versionId: pathParam(c, 'versionId') };
    return c.json(await works.restoreVersion({ actor: requireUser(c), input }));
  });
  api.post('/:id/proposals/:proposalId', async (c) => {
    const actor = requireUser(c);
    const body = await readJson(c, contract.decideProposalBody, TEXT_BYTES);
    const input = { ...body, id: pathParam(c), proposalId: pathParam(c, 'proposalId') };
    return c.json(await works.decideProposal({ actor, input }));
  });
  return api;
}
