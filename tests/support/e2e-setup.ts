import process from 'node:process';
import { startTestPostgres } from './postgres.ts';

/** One PostgreSQL for all journeys; its address reaches the workers through the environment. */
export default async function setup() {
  const server = await startTestPostgres();
  process.env.TEST_POSTGRES = server.url;
  return () => server.stop();
}
