import { Hono } from 'hono';
import { withUpload } from '#platform/files/upload.server.ts';
import type { AppEnv } from '#platform/http/app-env.server.ts';
import { readJson } from '#platform/http/request-body.server.ts';
import { pathParam, requireUser } from '#platform/http/request-context.server.ts';
import * as contract from './contract.ts';
import {
  addPart,
  createImport,
  expectPart,
  listImports,
  startImport,
  stopImport,
  withPartSlot,
} from './service.server.ts';

export function importsApi(): Hono<AppEnv> {
  return new Hono<AppEnv>()
    .basePath('/api/imports')
    .get('/', async (c) => c.json({ imports: await listImports({ actor: requireUser(c) }) }))
    .post('/', async (c) => {
      const actor = requireUser(c);
      return c.json(await createImport({ actor, input: await readJson(c, contract.createImport) }), 201);
    })
    .put('/:id/parts/:part', async (c) => {
      const actor = requireUser(c);
      const input = { id: pathParam(c), position: Number(c.req.param('part')) };
      await withPartSlot(actor.userId, async () => {
        const bytes = await expectPart({ actor, input });
        await withUpload(c.req.raw, bytes, (upload) =>
          addPart({ actor, input: { ...input, bytes, upload } }),
        );
      });
      return c.body(null, 204);
    })
    .post('/:id/start', async (c) =>
      c.json(await startImport({ actor: requireUser(c), input: { id: pathParam(c) } }), 202),
    )
    .delete('/:id', async (c) => {
      await stopImport({ actor: requireUser(c), input: { id: pathParam(c) } });
      return c.body(null, 204);
    });
}
