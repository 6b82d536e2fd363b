import { mkdir } from 'node:fs/promises';
import type pg from 'pg';
import { BackupError } from '#platform/backup/archive-format.server.ts';
import type { Config } from '#platform/config/config.server.ts';
import { migrationsFolder } from '#platform/config/project-root.server.ts';
import { closeDatabase, database, databasePool, openDatabase } from '#platform/database/database.server.ts';
import { startEmbeddedDatabase } from '#platform/database/embedded/embedded-database.server.ts';
import { migrate, SchemaError } from '#platform/database/migrate.server.ts';
import { sql } from '#platform/database/sql.server.ts';
import { makePrivate } from '#platform/files/private-folder.server.ts';
import { isDatabaseUnavailable, isWriteRefused } from '#platform/http/error-mapper.server.ts';
import { log } from '#platform/log.server.ts';
import { loadSettings } from '#platform/settings/live-settings.server.ts';
import { describeFeatureSettings } from './feature-settings.server.ts';
import { acquireServerLock, copiedWhileRunning } from './single-instance.server.ts';
import { checkSitePlace } from './site-place.server.ts';
import { StartError } from './start-error.server.ts';

export interface Data {
  connection: pg.ClientConfig;
  embedded: boolean;
  stop(): Promise<void>;
}

async function embeddedData(config: Config, role: 'server' | 'command'): Promise<Data> {
  const original = copiedWhileRunning(config.dataDir);
  if (original)
    throw new StartError(
      `${config.dataDir} was copied from ${original} while that site was running, so its database may be damaged. Use npm run backup and npm run restore instead, or stop that site with Ctrl+C and copy it again.`,
    );
  const server = await startEmbeddedDatabase({ dataDir: config.dataDir, log: (line) => log.info(line) });
  const serverLock = role === 'server' ? await acquireServerLock(server.connection) : null;
  if (role === 'server' && !serverLock) {
    await server.stopIfUnused();
    throw new StartError(`Another server is already using ${config.dataDir}.`);
  }
  openDatabase(server.connection, (error) => log.warn({ error }, 'an idle database connection was lost'));
  let lock = serverLock;
  let ending = false;
  // If PostgreSQL stops, it is restarted; its lock is lost then and must be acquired again.
  const watchLock = () =>
    lock?.once('end', async () => {
      while (!ending) {
        lock = await acquireServerLock(server.connection).catch(() => null);
        if (lock) return watchLock();
        await new Promise((resolve) => setTimeout(resolve, 1_000).unref());
      }
    });
  watchLock();
  return {
    connection: server.connection,
    embedded: true,
    async stop() {
      ending = true;
      await closeDatabase();
      await lock?.end().catch(() => undefined);
      if (role === 'server') await server.stop();
      else await server.stopIfUnused();
    },
  };
}

function externalData(url: string): Data {
  const connection = { connectionString: url };
  openDatabase(connection, (error) => log.warn({ error }, 'an idle database connection was lost'));
  return { connection, embedded: false, stop: closeDatabase };
}

export async function openDataDir(dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true });
  try {
    if (await makePrivate(dataDir)) log.info({ dataDir }, 'the data folder is now closed to other accounts');
  } catch (error) {
    log.warn(
      { dataDir, error },
      'other accounts on this machine can read the data folder; run chmod -R go= on it',
    );
  }
}

export function openData(config: Config, role: 'server' | 'command'): Promise<Data> {
  return config.DATABASE_URL
    ? Promise.resolve(externalData(config.DATABASE_URL))
    : embeddedData(config, role);
}

/** Retries the step every second while the database is unreachable or read-only. */
export async function whenReachable<T>(step: () => Promise<T>): Promise<T> {
  for (let isReported = false; ; isReported = true) {
    try {
      return await step();
    } catch (error) {
      const readOnly = isWriteRefused(error);
      if (!readOnly && !isDatabaseUnavailable(error)) throw error;
      const reason = readOnly ? 'the database does not accept writes' : 'the database cannot be reached';
      if (!isReported) log.error({ error }, `${reason}; retrying until it is back`);
      await new Promise((resolve) => setTimeout(resolve, 1_000));
    }
  }
}

/** Migrates and checks the database and loads the settings. A server waits for the database. @throws StartError. */
export async function prepareData(
  config: Config,
  { connection }: Pick<Data, 'connection'>,
  role: 'server' | 'command',
): Promise<void> {
  const prepare = async () => {
    await migrate(databasePool(), migrationsFolder, async (waiting) => {
      // Loaded only if a migration is pending.
      const { backupBeforeMigration } = await import('../backup/make-backup.server.ts');
      return backupBeforeMigration(config, connection, waiting);
    });
    return database().row<{ offset_ms: number }>(sql`select offset_ms from app_clock`);
  };
  const offset = await (role === 'server' ? whenReachable(prepare) : prepare()).catch((error: unknown) => {
    if (isWriteRefused(error)) throw new StartError('The database does not accept writes.');
    if (isDatabaseUnavailable(error))
      throw new StartError("Can't reach the database. Is it running, and is DATABASE_URL correct?");
    if (error instanceof BackupError)
      throw new StartError(
        `The backup before the schema change failed, so nothing was changed. ${error.message}`,
      );
    throw error instanceof SchemaError ? new StartError(error.message) : error;
  });
  if (!config.sandbox && offset?.offset_ms !== 0) {
    throw new StartError(
      'The clock of this database was moved in a sandbox. Use a new database for a public site.',
    );
  }
  await checkSitePlace();
  describeFeatureSettings();
  await (role === 'server' ? whenReachable(loadSettings) : loadSettings());
}
