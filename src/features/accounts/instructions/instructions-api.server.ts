import { Hono } from 'hono';
import type { AppEnv } from '#platform/http/app-env.server.ts';
import { readJson } from '#platform/http/request-body.server.ts';
import { requireUser } from '#platform/http/request-context.server.ts';
import { readInstructions, saveInstructions } from './instructions.server.ts';
import { changeInstructions } from './instructions-contract.ts';
import { changeNote, forget, readMemory, remember, setMemoryEnabled } from './memory.server.ts';
import { switchMemory, writeNote } from './memory-contract.ts';

export function instructionsApi(): Hono<AppEnv> {
  return new Hono<AppEnv>()
    .get('/api/me/instructions', async (c) => c.json(await readInstructions({ actor: requireUser(c) })))
    .put('/api/me/instructions', async (c) => {
      const actor = requireUser(c);
      return c.json(await saveInstructions({ actor, input: await readJson(c, changeInstructions) }));
    })
    .get('/api/me/memory', async (c) => c.json(await readMemory({ actor: requireUser(c) })))
    .put('/api/me/memory', async (c) => {
      const actor = requireUser(c);
      return c.json(await setMemoryEnabled({ actor, input: await readJson(c, switchMemory) }));
    })
    .post('/api/me/memory', async (c) => {
      const actor = requireUser(c);
      return c.json(await remember({ actor, input: await readJson(c, writeNote) }), 201);
    })
    .patch('/api/me/memory/:id', async (c) => {
      const actor = requireUser(c);
      const { text } = await readJson(c, writeNote);
      return c.json(await changeNote({ actor, input: { id: c.req.param('id'), text } }));
    })
    .delete('/api/me/memory/:id', async (c) => {
      await forget({ actor: requireUser(c), input: { id: c.req.param('id') } });
      return c.body(null, 204);
    });
}
