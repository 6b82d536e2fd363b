import { Hono } from 'hono';
import type { AppEnv } from '#platform/http/app-env.server.ts';
import { readJson } from '#platform/http/request-body.server.ts';
import { pathParam, requireUser } from '#platform/http/request-context.server.ts';
import { addFile, removeFile } from '../knowledge/knowledge.server.ts';
import * as assistants from './own-assistants.server.ts';
import * as contract from './own-assistants-contract.ts';

export function ownAssistantsApi(): Hono<AppEnv> {
  return new Hono<AppEnv>()
    .basePath('/api/assistants')
    .get('/', async (c) => c.json({ assistants: await assistants.listAssistants({ actor: requireUser(c) }) }))
    .post('/', async (c) => {
      const actor = requireUser(c);
      const input = await readJson(c, contract.createAssistant);
      return c.json(await assistants.createAssistant({ actor, input }), 201);
    })
    .get('/:id', async (c) =>
      c.json(await assistants.readAssistant({ actor: requireUser(c), input: { id: pathParam(c) } })),
    )
    .patch('/:id', async (c) => {
      const actor = requireUser(c);
      const input = { ...(await readJson(c, contract.changeAssistant)), id: pathParam(c) };
      return c.json(await assistants.changeAssistant({ actor, input }));
    })
    .delete('/:id', async (c) => {
      await assistants.deleteAssistant({ actor: requireUser(c), input: { id: pathParam(c) } });
      return c.body(null, 204);
    })
    .put('/:id/files/:fileId', async (c) => {
      const [actor, id] = [requireUser(c), pathParam(c)];
      await addFile({ actor, input: { keeper: { kind: 'assistant', id }, fileId: pathParam(c, 'fileId') } });
      return c.json(await assistants.readAssistant({ actor, input: { id } }));
    })
    .delete('/:id/files/:fileId', async (c) => {
      const keeper = { kind: 'assistant' as const, id: pathParam(c) };
      await removeFile({ actor: requireUser(c), input: { keeper, fileId: pathParam(c, 'fileId') } });
      return c.body(null, 204);
    })
    .post('/:id/restore', async (c) =>
      c.json(await assistants.restoreAssistant({ actor: requireUser(c), input: { id: pathParam(c) } })),
    );
}
