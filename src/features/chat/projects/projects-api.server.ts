import { Hono } from 'hono';
import type { AppEnv } from '#platform/http/app-env.server.ts';
import { readJson } from '#platform/http/request-body.server.ts';
import { pathParam, requireUser } from '#platform/http/request-context.server.ts';
import { addFile, removeFile } from '../knowledge/knowledge.server.ts';
import * as projects from './projects.server.ts';
import * as contract from './projects-contract.ts';

export function projectsApi(): Hono<AppEnv> {
  return new Hono<AppEnv>()
    .basePath('/api/projects')
    .get('/', async (c) => c.json({ projects: await projects.listProjects({ actor: requireUser(c) }) }))
    .post('/', async (c) => {
      const actor = requireUser(c);
      return c.json(
        await projects.createProject({ actor, input: await readJson(c, contract.createProject) }),
        201,
      );
    })
    .get('/:id', async (c) =>
      c.json(await projects.readProject({ actor: requireUser(c), input: { id: pathParam(c) } })),
    )
    .patch('/:id', async (c) => {
      const actor = requireUser(c);
      const input = { ...(await readJson(c, contract.changeProject)), id: pathParam(c) };
      return c.json(await projects.changeProject({ actor, input }));
    })
    .delete('/:id', async (c) => {
      await projects.deleteProject({ actor: requireUser(c), input: { id: pathParam(c) } });
      return c.body(null, 204);
    })
    .put('/:id/files/:fileId', async (c) => {
      const [actor, id] = [requireUser(c), pathParam(c)];
      await addFile({ actor, input: { keeper: { kind: 'project', id }, fileId: pathParam(c, 'fileId') } });
      return c.json(await projects.readProject({ actor, input: { id } }));
    })
    .delete('/:id/files/:fileId', async (c) => {
      const keeper = { kind: 'project' as const, id: pathParam(c) };
      await removeFile({ actor: requireUser(c), input: { keeper, fileId: pathParam(c, 'fileId') } });
      return c.body(null, 204);
    })
    .post('/:id/restore', async (c) =>
      c.json(await projects.restoreProject({ actor: requireUser(c), input: { id: pathParam(c) } })),
    );
}
