import { Hono } from 'hono';
import type { AppEnv } from '#platform/http/app-env.server.ts';
import { readJson } from '#platform/http/request-body.server.ts';
import { requireUser } from '#platform/http/request-context.server.ts';
import { changeKey, createKey, listKeys, revokeKey } from './api-keys.server.ts';
import { changeKeyRequest, createKeyRequest } from './api-keys-contract.ts';

export function apiKeysApi(): Hono<AppEnv> {
  return new Hono<AppEnv>()
    .basePath('/api/me/api-keys')
    .get('/', async (c) => c.json({ keys: await listKeys({ actor: requireUser(c) }) }))
    .post('/', async (c) => {
      const actor = requireUser(c);
      return c.json(await createKey({ actor, input: await readJson(c, createKeyRequest) }), 201);
    })
    .patch('/:id', async (c) => {
      const actor = requireUser(c);
      const input = { ...(await readJson(c, changeKeyRequest)), id: c.req.param('id') };
      return c.json(await changeKey({ actor, input }));
    })
    .delete('/:id', async (c) => {
      await revokeKey({ actor: requireUser(c), input: { id: c.req.param('id') } });
      return c.body(null, 204);
    });
}
