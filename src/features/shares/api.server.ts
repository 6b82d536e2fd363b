import { Hono } from 'hono';
import type { AppEnv } from '#platform/http/app-env.server.ts';
import { notFound } from '#platform/http/problem.server.ts';
import { readJson } from '#platform/http/request-body.server.ts';
import { requireUser } from '#platform/http/request-context.server.ts';
import * as contract from './contract.ts';
import {
  changeShare,
  createShare,
  listShares,
  openSource,
  stopShare,
  updateShare,
} from './service.server.ts';
import { requireShareId } from './share-id.server.ts';

export function sharesApi(): Hono<AppEnv> {
  return new Hono<AppEnv>()
    .basePath('/api/shares')
    .get('/', async (c) => c.json({ shares: await listShares({ actor: requireUser(c) }) }))
    .get('/source', async (c) => {
      const actor = requireUser(c);
      const { chat, message, work, images } = c.req.query();
      const input = { chatId: chat, messageId: message, workId: work, pictureIds: images?.split(',') };
      const { success, data } = contract.shareSource.safeParse(input);
      if (!success) throw notFound();
      return c.json(await openSource({ actor, input: data }));
    })
    .post('/', async (c) => {
      const actor = requireUser(c);
      return c.json(await createShare({ actor, input: await readJson(c, contract.createShare) }), 201);
    })
    .patch('/:id', async (c) => {
      const actor = requireUser(c);
      const input = { ...(await readJson(c, contract.changeShare)), id: requireShareId(c.req.param('id')) };
      return c.json(await changeShare({ actor, input }));
    })
    .post('/:id/snapshot', async (c) =>
      c.json(await updateShare({ actor: requireUser(c), input: { id: requireShareId(c.req.param('id')) } })),
    )
    .delete('/:id', async (c) => {
      await stopShare({ actor: requireUser(c), input: { id: requireShareId(c.req.param('id')) } });
      return c.body(null, 204);
    });
}
