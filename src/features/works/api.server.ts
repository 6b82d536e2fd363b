import { type Context, Hono } from 'hono';
import type { UserActor } from '../../platform/http/actor.server.ts';
import { readJson } from '../../platform/http/body.server.ts';
import type { AppEnv } from '../../platform/http/env.server.ts';
import { Problem, signInFirst } from '../../platform/http/problem.server.ts';
import * as contract from './contract.ts';
import * as works from './service.server.ts';

type Ctx = Context<AppEnv>;

/** A whole text, of three bytes a sign or escaped. */
const TEXT_BYTES = 640 * 1024;

function user(c: Ctx): UserActor {
  if (c.var.actor.kind !== 'user') throw signInFirst();
  return c.var.actor;
}

const param = (c: Ctx, name = 'id') => c.req.param(name) ?? '';

function featureOf(c: Ctx): contract.WorkFeature {
  const feature = contract.workFeatures.find((known) => known === c.req.query('feature'));
  if (!feature) throw new Problem('bad_request', 'The tool must be named: writer or script.');
  return feature;
}

/** `/api/works` and below: what people wrote with the tools, and its versions. */
export function worksApi(): Hono<AppEnv> {
  const api = new Hono<AppEnv>().basePath('/api/works');
  api.get('/', async (c) => {
    const actor = user(c);
    const { q, before } = c.req.query();
    return c.json(await works.listWorks({ actor, input: { feature: featureOf(c), q, before } }));
  });
  api.get('/:id', async (c) => {
    const { version } = c.req.query();
    return c.json(await works.openWork({ actor: user(c), input: { id: param(c), version } }));
  });
  api.patch('/:id', async (c) => {
    const actor = user(c);
    const { title } = await readJson(c, contract.renameWork);
    return c.json(await works.renameWork({ actor, input: { id: param(c), title } }));
  });
  api.delete('/:id', async (c) => {
    await works.deleteWork({ actor: user(c), input: { id: param(c) } });
    return c.body(null, 204);
  });
  api.post('/:id/restore', async (c) =>
    c.json(await works.restoreWork({ actor: user(c), input: { id: param(c) } })),
  );
  api.put('/:id/versions/:versionId', async (c) => {
    const actor = user(c);
    const body = await readJson(c, contract.saveVersion, TEXT_BYTES);
    const input = { ...body, id: param(c), versionId: param(c, 'versionId') };
    return c.json(await works.saveEdit({ actor, input }));
  });
  api.post('/:id/versions/:versionId/restore', async (c) => {
    const input = { id: param(c), versionId: param(c, 'versionId') };
    return c.json(await works.restoreVersion({ actor: user(c), input }));
  });
  api.post('/:id/proposals/:proposalId', async (c) => {
    const actor = user(c);
    const body = await readJson(c, contract.decideProposal, TEXT_BYTES);
    const input = { ...body, id: param(c), proposalId: param(c, 'proposalId') };
    return c.json(await works.decideProposal({ actor, input }));
  });
  return api;
}
