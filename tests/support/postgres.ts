import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import pg from 'pg';
import { startEmbeddedDatabase } from '#platform/database/embedded/embedded-database.server.ts';
import { migrate } from '#platform/database/migrate.server.ts';

/** The migrated database that every test database is copied from. */
const TEMPLATE = 'site_template';
const MIGRATIONS = new URL('../../migrations', import.meta.url).pathname;

/**
 * A test run need not survive a crash of the machine; the embedded database's own tests keep it durable. Its two
 * hundred small databases do not need autovacuum's check each minute.
 */
const FAST = { fsync: 'off', full_page_writes: 'off', max_connections: '300', autovacuum: 'off' };

/** Returns the URL of another database of the same PostgreSQL. */
export function withDatabase(url: string, name: string): string {
  return url.replace(/^(postgres(?:ql)?:\/\/[^/]*)\/[^?]*/, `$1/${name}`);
}

/** Starts one PostgreSQL for a whole run, the same embedded one as the product's, with a migrated template. */
export async function startTestPostgres({
  durable = false,
  settings = {},
}: {
  durable?: boolean;
  settings?: Record<string, string>;
} = {}): Promise<{
  url: string;
  stop(): Promise<void>;
}> {
  // npm test may name a folder in memory.
  const dataDir = mkdtempSync(join(process.env.TEST_DATABASE_FOLDER ?? tmpdir(), 'site-test-'));
  // The system user that runs PostgreSQL must be able to enter the folder.
  chmodSync(dataDir, 0o755);
  const server = await startEmbeddedDatabase({
    dataDir,
    log: () => undefined,
    settings: durable ? settings : { ...FAST, ...settings },
  });
  const admin = new pg.Client({ connectionString: server.url });
  await admin.connect();
  await admin.query(`create database ${TEMPLATE}`);
  await admin.end();
  const pool = new pg.Pool({ connectionString: withDatabase(server.url, TEMPLATE), max: 1 });
  await migrate(pool, MIGRATIONS);
  await pool.end();
  return {
    url: server.url,
    async stop() {
      await server.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** Creates a new, migrated database in the PostgreSQL of the run. @returns its URL. */
export const makeDatabase = (postgres: string, timeZone?: string): Promise<string> =>
  databaseLike(TEMPLATE, postgres, timeZone);

/** Creates a database without tables. @returns its URL. */
export const emptyDatabase = (postgres: string): Promise<string> => databaseLike('template1', postgres);

async function databaseLike(template: string, postgres: string, timeZone?: string): Promise<string> {
  const name = `t_${Date.now().toString(36)}_${Math.random().toString(36).slice(2, 8)}`;
  const client = new pg.Client({ connectionString: postgres });
  await client.connect();
  try {
    // Copying the files takes half the time of writing each page to the log.
    await client.query(`create database ${name} template ${template} strategy file_copy`);
    if (timeZone) await client.query(`alter database ${name} set timezone to '${timeZone}'`);
  } finally {
    await client.end();
  }
  return withDatabase(postgres, name);
}
