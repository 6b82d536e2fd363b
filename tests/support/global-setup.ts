import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startEmbeddedDatabase } from '../../src/platform/database/embedded.server.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** postgres:// address of the PostgreSQL that all test files share; each makes its own database in it. */
    postgres: string;
  }
}

/** One PostgreSQL for the whole run, the same embedded one that the product starts. */
export default async function setup(project: TestProject) {
  const dataDir = mkdtempSync(join(tmpdir(), 'site-test-'));
  // The database's own account must be able to enter it.
  chmodSync(dataDir, 0o755);
  const server = await startEmbeddedDatabase({ dataDir, log: () => undefined });
  project.provide('postgres', server.url);
  return async () => {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
}
