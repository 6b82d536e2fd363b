import process from 'node:process';
import { startTestPostgres } from './postgres.ts';
import { startStandInsStarter } from './standins-starter.ts';

/** Starts one PostgreSQL and one process of stand-ins for all journeys; workers find them through the environment. */
export default async function setup() {
  const standIns = await startStandInsStarter();
  const server = await startTestPostgres();
  process.env.TEST_POSTGRES = server.url;
  return async () => {
    await server.stop();
    await standIns.stop();
  };
}
