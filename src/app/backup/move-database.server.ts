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
import { MIGRATION_LOCK } from '#platform/database/migrate.server.ts';
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

async function wasMovedAway(database: EmbeddedDatabase): Promise<boolean> {
  const client = await openSession(database.connection, 'site-move');
  try {
    const { rows } = await client.query<{ present: boolean }>(
      `select to_regclass('instance_values') is not null as present`,
    );
    if (!rows[0]?.present) return false;
    return (await client.query(`select 1 from instance_values where key = 'moved-to'`)).rowCount === 1;
  } finally {
    await client.end();
  }
}

/** Starts the embedded database in DATA_DIR; keeps one that was moved away under another name and starts an empty one. */
async function embeddedTarget(config: Config, print: (line: string) => void): Promise<Target> {
  const start = () => startEmbeddedDatabase({ dataDir: config.dataDir, log: (line) => log.info(line) });
  let database = await start();
  try {
    if (await wasMovedAway(database)) {
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

/** By schema and table: `database/users`. */
type Content = Record<string, TableContent>;

async function copyTables(source: Snapshot, load: DatabaseLoad): Promise<Content> {
  const contents: Content = {};
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

async function verifyCopy(load: DatabaseLoad, content: Content): Promise<void> {
  for (const [name, { rows, sha256 }] of Object.entries(content)) {
    const [schema, table = ''] = name.split('/');
    const matches =
      schema === 'jobs' ? load.jobRows(table) === rows : (await load.contentOf(table)).sha256 === sha256;
    if (!matches) throw new BackupError(`The copy of table ${table} does not match. Nothing was moved.`);
  }
}

/**
 * Returns what an earlier move has copied, if the target holds exactly that: the move was interrupted before it marked
 * the source. A site that has run on the target since has changed it.
 * @throws BackupError if a process is starting on the target, or it is the source itself.
 */
async function earlierCopy(target: pg.ClientConfig, source: Snapshot): Promise<Content | null> {
  const client = await openSession(target, 'site-move');
  try {
    // The source's session holds this lock, so a source that is given as its own target is refused here.
    const { rows } = await client.query<{ free: boolean }>(
      `select pg_try_advisory_lock(${MIGRATION_LOCK}) as free`,
    );
    if (!rows[0]?.free)
      throw new BackupError('That database is in use, or it is the one to be moved. Choose an empty one.');
    const content: Content = {};
    // This table differs from one site to another, which spares reading the large ones.
    const tables = Object.entries(source.header.tables).sort(
      ([name], [other]) => Number(other === 'instance_values') - Number(name === 'instance_values'),
    );
    for (const [table, { columns }] of tables) {
      const place = { schema: 'database', table, columns } as const;
      // The target may have no such table.
      const copy = await contentOf(client, place).catch(() => null);
      if (copy?.sha256 !== (await contentOf(source.client, place)).sha256) return null;
      content[`database/${table}`] = copy;
    }
    return content;
  } finally {
    await client.end();
  }
}

async function copyDatabase(source: Snapshot, target: pg.ClientConfig): Promise<Content> {
  const load = await DatabaseLoad.begin(target, source.header, migrationsFolder);
  try {
    const content = await copyTables(source, load);
    if (load.unknown.size > 0)
      throw new BackupError('The database has tables that this build does not know. Nothing was moved.');
    await load.finish(await source.sequences());
    await verifyCopy(load, content);
    await load.query(`delete from instance_values where key = 'moved-to'`);
    await load.commit();
    return content;
  } finally {
    await load.end();
  }
}

export interface MovedDatabase {
  to: string;
  rows: number;
  bytes: number;
}

/**
 * Copies the database of a stopped site into an empty one, compares both, and only then marks the source as moved. If
 * interrupted before the target commits, the target stays empty and the source unchanged; if interrupted later, the same
 * command marks the source.
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
      const content =
        (await earlierCopy(target.connection, snapshot)) ?? (await copyDatabase(snapshot, target.connection));
      await recordMove((text, values) => snapshot.client.query(text, values), target.name);
      await snapshot.client.query('commit');
      const all = Object.values(content);
      const sum = (pickCount: (each: TableContent) => number) =>
        all.reduce((total, each) => total + pickCount(each), 0);
      return { to: target.name, rows: sum(({ rows }) => rows), bytes: sum(({ bytes }) => bytes) };
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
