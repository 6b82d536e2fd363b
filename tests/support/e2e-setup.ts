import process from 'node:process';
import { startTestPostgres } from './postgres.ts';
import { startStandInsStarter } from './standins-starter.ts';

/** One PostgreSQL and one process of stand-ins for all journeys; their addresses reach the workers through the environment. */
export default async function setup() {
  const standIns = await startStandInsStarter();
  const server = await startTestPostgres();
  process.env.TEST_POSTGRES = server.url;
  return async () => {
    await server.stop();
    await standIns.stop();
  };
}
