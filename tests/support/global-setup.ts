import type { TestProject } from 'vitest/node';
import { startTestPostgres } from './postgres.ts';
import { startServerPool } from './server-pool.ts';
import { startStandInsStarter } from './standins-starter.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of the PostgreSQL that all test files share; each creates its own database in it. */
    postgres: string;
    /** URL of the pool that lends running servers (`borrowServer`). */
    servers: string;
  }
}

/** Starts one PostgreSQL, one process of stand-ins and the pool of shared servers for the whole run. */
export default async function setup(project: TestProject) {
  const standIns = await startStandInsStarter();
  const database = await startTestPostgres();
  const servers = await startServerPool(database.url);
  project.provide('postgres', database.url);
  project.provide('servers', servers.url);
  return async () => {
    await servers.stop();
    await database.stop();
    await standIns.stop();
  };
}
