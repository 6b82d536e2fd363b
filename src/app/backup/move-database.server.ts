import { rename } from 'node:fs/promises';
import type pg from 'pg';
import { BackupError, type TableContent } from '#platform/backup/archive-format.server.ts';
import { contentOf, DatabaseLoad } from '#platform/backup/load-database.server.ts';
import { openSession, openSnapshot, type Snapshot } from '#platform/backup/snapshot.server.ts';
import type { Config } from '#platform/config/config.server.ts';
import { migrationsFolder } from '#platform/config/project-root.server.ts';
import {
  type EmbeddedDatabase,
  startEmbeddedDatabase,
} from '#platform/database/embedded/embedded-database.server.ts';
import { log } from '#platform/log.server.ts';
import { EMBEDDED_DATABASE, recordMove } from '../startup/site-place.server.ts';

/** Returns the address without user and password. */
function redactAddress(url: string): string {
  const parsed = URL.parse(url);
  if (!parsed) return 'the other database';
  const { host, pathname, searchParams } = parsed;
  return `${decodeURIComponent(host) || searchParams.get('host') || 'localhost'}${pathname}`;
}

/** @throws BackupError while a process of the site holds a lease. */
export async function requireStoppedSite(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ live: number }>(
    'select count(*)::int as live from engine_leases where lease_until > app_now()',
  );
  if (rows[0]?.live !== 0)
    throw new BackupError(
      'The site is running. Stop all of its processes first (a killed one counts as stopped after 8 s).',
    );
}

interface Target {
  connection: pg.ClientConfig;
  name: string;
  stop(): Promise<void>;
}

async function readMoveState(database: EmbeddedDatabase): Promise<{ hasSite: boolean; moved: boolean }> {
  const client = await openSession(database.connection, 'site-move');
  try {
    const result = await client.query<{ present: boolean }>(
      `select to_regclass('instance_values') is not null as present`,
    );
    if (!result.rows[0]?.present) return { hasSite: false, moved: false };
    const { rowCount } = await client.query(`select 1 from instance_values where key = 'moved-to'`);
    return { hasSite: true, moved: rowCount === 1 };
  } finally {
    await client.end();
  }
}

/** Starts an empty embedded database in DATA_DIR; keeps an older one that was moved away under another name. */
async function embeddedTarget(config: Config, print: (line: string) => void): Promise<Target> {
  const start = () => startEmbeddedDatabase({ dataDir: config.dataDir, log: (line) => log.info(line) });
  let database = await start();
  try {
    const { hasSite, moved } = await readMoveState(database);
    if (hasSite && !moved)
      throw new BackupError(
        `The embedded database in ${config.dataDir} already has a site. Choose an empty DATA_DIR.`,
      );
    if (hasSite) {
      await database.stop();
      const movedFolder = `${database.dataFolder}.moved-${new Date().toISOString().slice(0, 19).replace(/[-:]/g, '')}`;
      await rename(database.dataFolder, movedFolder);
      print(
        `The previous embedded database is kept in ${movedFolder}. Remove it when you no longer need it.`,
      );
      database = await start();
    }
  } catch (error) {
    await database.stop();
    throw error;
  }
  return { connection: database.connection, name: EMBEDDED_DATABASE, stop: () => database.stop() };
}

async function copyTables(source: Snapshot, load: DatabaseLoad): Promise<Record<string, TableContent>> {
  const contents: Record<string, TableContent> = {};
  const { tables, jobs } = source.header;
  for (const [schema, all] of [
    ['database', tables],
    ['jobs', jobs ?? {}],
  ] as const)
    for (const [table, { columns }] of Object.entries(all))
      contents[`${schema}/${table}`] = await contentOf(source.client, { schema, table, columns }, (bytes) =>
        load.write(schema, table, bytes),
      );
  return contents;
}

async function verifyCopy(load: DatabaseLoad, content: Record<string, TableContent>): Promise<void> {
  for (const [name, { rows, sha256 }] of Object.entries(content)) {
    const [schema, table = ''] = name.split('/');
    const matches =
      schema === 'jobs' ? load.jobRows(table) === rows : (await load.contentOf(table)).sha256 === sha256;
    if (!matches) throw new BackupError(`The copy of table ${table} does not match. Nothing was moved.`);
  }
}

export interface MovedDatabase {
  to: string;
  rows: number;
  bytes: number;
}

/**
 * Copies the database of a stopped site into an empty one, compares both, and only then marks the source as moved. If
 * interrupted before the target commits, the target stays empty and the source unchanged.
 * @param to a postgres:// address, or `embedded`.
 */
export async function moveDatabase(
  config: Config,
  source: { connection: pg.ClientConfig; embedded: boolean },
  to: string,
  print: (line: string) => void,
): Promise<MovedDatabase> {
  if (to === 'embedded' && source.embedded)
    throw new BackupError('The site already uses the embedded database: DATABASE_URL is not set.');
  const target: Target =
    to === 'embedded'
      ? await embeddedTarget(config, print)
      : { connection: { connectionString: to }, name: redactAddress(to), stop: async () => undefined };
  try {
    const snapshot = await openSnapshot(source.connection, { exclusive: true });
    try {
      await requireStoppedSite(snapshot.client);
      const load = await DatabaseLoad.begin(target.connection, snapshot.header, migrationsFolder);
      try {
        if (load.unknown.size > 0)
          throw new BackupError('The database has tables that this build does not know. Nothing was moved.');
        const content = await copyTables(snapshot, load);
        await load.finish(await snapshot.sequences());
        await verifyCopy(load, content);
        await load.query(`delete from instance_values where key = 'moved-to'`);
        await load.commit();
        await recordMove((text, values) => snapshot.client.query(text, values), target.name);
        await snapshot.client.query('commit');
        const all = Object.values(content);
        const sum = (pickCount: (each: TableContent) => number) =>
          all.reduce((total, each) => total + pickCount(each), 0);
        return { to: target.name, rows: sum(({ rows }) => rows), bytes: sum(({ bytes }) => bytes) };
      } finally {
        await load.end();
      }
    } finally {
      await snapshot.end();
    }
  } finally {
    await target.stop();
  }
}

/** Makes a database that was moved away usable again. @returns whether it was moved. */
export async function undoMove(connection: pg.ClientConfig): Promise<boolean> {
  const client = await openSession(connection, 'site-move');
  try {
    return (await client.query(`delete from instance_values where key = 'moved-to'`)).rowCount === 1;
  } finally {
    await client.end();
  }
}
