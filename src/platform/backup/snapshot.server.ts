import pg from 'pg';
import { to } from 'pg-copy-streams';
import { MIGRATION_LOCK } from '../database/migrate.server.ts';
import { inUtc } from '../database/session-options.server.ts';
import { BackupError, type BackupHeader, TABLE_ENTRY_BYTES } from './archive-format.server.ts';
import { BACKUP_LOCK } from './backup-lock.server.ts';

/** The database as it was at one moment, until `end` is called. */
export interface Snapshot {
  client: pg.Client;
  header: Pick<BackupHeader, 'postgres' | 'migrations' | 'tables' | 'jobs'>;
  sequences(): Promise<Record<string, string | null>>;
  end(): Promise<void>;
}

const LOCK_WAIT = '10s';

export const quoted = (names: readonly string[]): string =>
  names.map((name) => pg.escapeIdentifier(name)).join(', ');

/**
 * Formats each row as the same text on every server, and returns rows in storage order: a synchronized scan would start
 * where another scan is.
 */
const SESSION = `
  set statement_timeout = 0; set idle_in_transaction_session_timeout = 0; set lock_timeout = 0;
  set synchronize_seqscans = off; set extra_float_digits = 1; set bytea_output = 'hex';
  set datestyle = 'ISO, YMD'; set intervalstyle = 'postgres'`;

export async function openSession(connection: pg.ClientConfig, name: string): Promise<pg.Client> {
  const client = new pg.Client({ ...inUtc(connection), application_name: name, keepAlive: true });
  // An error breaks the running statement, or the next one if none is running.
  client.on('error', () => undefined);
  await client.connect();
  await client.query(SESSION);
  return client;
}

async function acquireLock(client: pg.Client, lock: string, errorMessage: string): Promise<void> {
  try {
    await client.query(`set lock_timeout = '${LOCK_WAIT}'; select ${lock}; set lock_timeout = 0`);
  } catch (error) {
    // SQLSTATE 55P03: lock_not_available
    if ((error as { code?: string }).code === '55P03') throw new BackupError(errorMessage);
    throw error;
  }
}

async function columnsByTable(
  client: pg.Client,
  schema: string,
): Promise<Record<string, { columns: string[] }>> {
  // Excludes tables of extensions, and partitions, which their parent table includes.
  const { rows } = await client.query<{ name: string; columns: string[] }>(
    `select c.relname as name, array_agg(a.attname::text order by a.attnum) as columns
       from pg_class c join pg_attribute a on a.attrelid = c.oid
      where c.relnamespace = to_regnamespace($1) and c.relkind in ('r', 'p') and not c.relispartition
        and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
        and not exists (select 1 from pg_depend d where d.objid = c.oid and d.deptype = 'e')
      group by c.relname order by c.relname`,
    [schema],
  );
  return Object.fromEntries(rows.map(({ name, columns }) => [name, { columns }]));
}

/** The job queue's tables that are worth keeping; the others are history or are recreated at the start. */
const JOB_TABLES = ['queue', 'job'];

/** Unfinished jobs, except the backup itself. One that is running is retried after its time limit, as after a crash. */
const PENDING = `where state < 'completed' and name <> 'backup'`;

function linesIn(bytes: Buffer): number {
  let lines = 0;
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) lines++;
  return lines;
}

/**
 * Yields all rows of a table in the format of COPY, in pieces. Rows are counted by lines, as line breaks in values are
 * escaped: PostgreSQL's own count may arrive only after the end of the stream.
 * @returns the number of rows
 */
export async function* tablePieces(
  client: pg.Client,
  { schema, table, columns }: { schema: 'database' | 'jobs'; table: string; columns: string[] },
): AsyncGenerator<Buffer, number> {
  const from = schema === 'jobs' ? `jobs.${quoted([table])}` : quoted([table]);
  const where = schema === 'jobs' && table === 'job' ? PENDING : '';
  const stream = client.query(to(`copy (select ${quoted(columns)} from ${from} ${where}) to stdout`));
  let parts: Buffer[] = [];
  let size = 0;
  let rows = 0;
  for await (const part of stream) {
    rows += linesIn(part as Buffer);
    size += (part as Buffer).length;
    parts.push(part as Buffer);
    if (size < TABLE_ENTRY_BYTES) continue;
    yield Buffer.concat(parts);
    parts = [];
    size = 0;
  }
  if (size > 0) yield Buffer.concat(parts);
  return rows;
}

async function readHeader(client: pg.Client): Promise<Snapshot['header']> {
  const current = await client.query<{ schema: string; postgres: string; migrated: boolean }>(
    `select current_schema() as schema, current_setting('server_version') as postgres,
            to_regclass('schema_migrations') is not null as migrated`,
  );
  const { schema = '', postgres = '', migrated = false } = current.rows[0] ?? {};
  if (!migrated) throw new BackupError('This database has no site yet.');
  const { rows: migrations } = await client.query<BackupHeader['migrations'][number]>(
    'select version, name, hash from schema_migrations order by version',
  );
  const jobs = await columnsByTable(client, 'jobs');
  const savedTables = JOB_TABLES.flatMap((name) => (jobs[name] ? [[name, jobs[name]] as const] : []));
  return {
    postgres,
    migrations,
    tables: await columnsByTable(client, schema),
    jobs: savedTables.length > 0 ? Object.fromEntries(savedTables) : null,
  };
}

/**
 * Opens a REPEATABLE READ transaction that sees the database as it is now, while others continue to write. Until it
 * ends, the schema cannot change, files of deleted rows are kept (`removeFiles`), and no other backup can start.
 * @param holdsMigrationLock the caller already holds the migration lock.
 * @param exclusive for a move: no process of the site can start meanwhile, and the transaction may also write.
 * @throws BackupError if another backup is running or the schema is being changed.
 */
export async function openSnapshot(
  connection: pg.ClientConfig,
  { holdsMigrationLock = false, exclusive = false } = {},
): Promise<Snapshot> {
  const client = await openSession(connection, 'site-backup');
  try {
    await acquireLock(client, `pg_advisory_lock(${BACKUP_LOCK})`, 'Another backup of this site is running.');
    if (!holdsMigrationLock)
      await acquireLock(
        client,
        `pg_advisory_lock_shared(${MIGRATION_LOCK})`,
        'The schema is being changed. Try again once the site has started.',
      );
    const header = await readHeader(client);
    const tableNames = [
      ...Object.keys(header.tables).map((name) => quoted([name])),
      ...Object.keys(header.jobs ?? {}).map((name) => `jobs.${quoted([name])}`),
    ];
    await client.query(`begin isolation level repeatable read${exclusive ? '' : ', read only'}`);
    await client.query(`lock table ${tableNames.join(', ')} in access share mode`);
    // A process that starts needs a lease, so it waits for this lock.
    if (exclusive) await client.query('lock table engine_leases in share mode');
    // The snapshot is taken by the first statement that reads.
    await client.query('select 1');
    return {
      client,
      header,
      async sequences() {
        const { rows } = await client.query<{ name: string; last: string | null }>(
          `select sequencename as name, last_value::text as last from pg_sequences where schemaname = current_schema()`,
        );
        return Object.fromEntries(rows.map(({ name, last }) => [name, last]));
      },
      end: () => client.end(),
    };
  } catch (error) {
    await client.end().catch(() => undefined);
    throw error;
  }
}
