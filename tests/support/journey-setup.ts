import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { startEmbeddedDatabase } from '../../src/platform/database/embedded.server.ts';

/** One PostgreSQL for all journeys; its address reaches the workers through the environment. */
export default async function setup() {
  const dataDir = mkdtempSync(join(tmpdir(), 'site-journeys-'));
  // The database's own account must be able to enter it.
  chmodSync(dataDir, 0o755);
  const server = await startEmbeddedDatabase({ dataDir, log: () => undefined });
  process.env.TEST_POSTGRES = server.url;
  return async () => {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
}
