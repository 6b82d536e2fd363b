import { Hono } from 'hono';
import type { AppEnv } from '#platform/http/app-env.server.ts';
import { readJson } from '#platform/http/request-body.server.ts';
import { requireUser } from '#platform/http/request-context.server.ts';
import { readInstructions, saveInstructions } from './instructions.server.ts';
import { changeInstructions } from './instructions-contract.ts';

export function instructionsApi(): Hono<AppEnv> {
  return new Hono<AppEnv>()
    .get('/api/me/instructions', async (c) => c.json(await readInstructions({ actor: requireUser(c) })))
    .put('/api/me/instructions', async (c) => {
      const actor = requireUser(c);
      return c.json(await saveInstructions({ actor, input: await readJson(c, changeInstructions) }));
    });
}
