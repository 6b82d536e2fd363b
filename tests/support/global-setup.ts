import type { TestProject } from 'vitest/node';
import { startTestPostgres } from './postgres.ts';
import { startServerPool } from './server-pool.ts';
import { startStandInsStarter } from './standins-starter.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** postgres:// address of the PostgreSQL that all test files share; each makes its own database in it. */
    postgres: string;
    /** Where running servers are lent: `borrowServer`. */
    servers: string;
  }
}

/** One PostgreSQL for the whole run, one process of stand-ins, and servers for the files that share them. */
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
