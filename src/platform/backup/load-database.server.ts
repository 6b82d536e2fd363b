import { createHash, type Hash } from 'node:crypto';
import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import type pg from 'pg';
import { type CopyStreamQuery, from } from 'pg-copy-streams';
import { applyKnown, MIGRATION_LOCK, SchemaError } from '../database/migrate.server.ts';
import { BackupError, type BackupHeader, type TableContent } from './archive-format.server.ts';
import { createJobSchema, JobLoader } from './load-jobs.server.ts';
import { openSession, quoted, tablePieces } from './snapshot.server.ts';

/** Memory for building indexes, small enough for a machine with 1 GB. */
const INDEX_MEMORY = '128MB';

/** @throws BackupError if the database already has tables. */
export async function requireEmptyDatabase(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ tables: number }>(
    `select count(*)::int as tables from pg_class
      where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')`,
  );
  if (rows[0]?.tables !== 0)
    throw new BackupError('The database already has tables. Use an empty database, or an empty DATA_DIR.');
}

/** Drops indexes and foreign keys, which would slow down loading or reject its order. @returns how to recreate them */
async function dropRules(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ drop: string; create: string }>(
    `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
            format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as create
       from pg_constraint
      where contype = 'f' and connamespace = current_schema()::regnamespace and conparentid = 0
      union all
     select format('drop index %s', i.indexrelid::regclass), pg_get_indexdef(i.indexrelid)
       from pg_index i join pg_class c on c.oid = i.indrelid
      where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and not c.relispartition
        and not exists (select 1 from pg_constraint k where k.conindid = i.indexrelid)`,
  );
  for (const { drop } of rows) await client.query(drop);
  // Foreign keys come last, because they use the indexes.
  return rows
    .map(({ create }) => create)
    .sort((one, other) => Number(/^alter/.test(one)) - Number(/^alter/.test(other)));
}

/** Statements that restore the trigger states that enabling all triggers of a table would lose. */
async function triggerStates(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ statement: string }>(
    `select format('alter table %s %s trigger %I', t.tgrelid::regclass,
                   case t.tgenabled when 'A' then 'enable always' when 'R' then 'enable replica' else 'disable' end,
                   t.tgname) as statement
       from pg_trigger t join pg_class c on c.oid = t.tgrelid
      where c.relnamespace = current_schema()::regnamespace and not t.tgisinternal and t.tgenabled <> 'O'`,
  );
  return rows.map(({ statement }) => statement);
}

/**
 * Fills an empty database in one transaction: if it ends before `commit`, the database stays empty. The schema is
 * created by the migrations that the source had; later ones follow at the next start.
 */
export class DatabaseLoad {
  readonly #client: pg.Client;
  readonly #header: Pick<BackupHeader, 'tables' | 'jobs'>;
  readonly #rules: string[];
  readonly #ownTables: ReadonlySet<string>;
  readonly #jobs: JobLoader | null;
  readonly #rows = new Map<string, number>();
  #open: { table: string; stream: CopyStreamQuery } | undefined;
  /** Tables of the source that do not exist in this schema; they are not loaded. */
  readonly unknown = new Set<string>();

  private constructor(
    client: pg.Client,
    header: Pick<BackupHeader, 'tables' | 'jobs'>,
    state: { rules: string[]; ownTables: string[]; jobs: JobLoader | null },
  ) {
    this.#client = client;
    this.#header = header;
    this.#rules = state.rules;
    this.#ownTables = new Set(state.ownTables);
    this.#jobs = state.jobs;
  }

  static async begin(
    connection: pg.ClientConfig,
    header: Pick<BackupHeader, 'migrations' | 'tables' | 'jobs'>,
    migrations: string,
  ): Promise<DatabaseLoad> {
    const client = await openSession(connection, 'site-restore');
    try {
      await client.query(`select pg_advisory_lock(${MIGRATION_LOCK})`);
      await requireEmptyDatabase(client);
      if (header.jobs) await createJobSchema(client);
      await client.query(`begin; set local maintenance_work_mem = '${INDEX_MEMORY}'`);
      await applyKnown(client, migrations, header.migrations).catch((error: unknown) => {
        throw error instanceof SchemaError ? new BackupError(error.message) : error;
      });
      const { rows } = await client.query<{ name: string }>(
        `select relname as name from pg_class
          where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') and not relispartition`,
      );
      const ownTables = rows.map(({ name }) => name);
      const rules = [...(await dropRules(client)), ...(await triggerStates(client))];
      for (const name of ownTables) {
        await client.query(`alter table ${quoted([name])} disable trigger user`);
        // Rows that the migrations inserted are loaded from the source instead.
        await client.query(`delete from ${quoted([name])}`);
      }
      const jobs = header.jobs ? await JobLoader.begin(client, header.jobs) : null;
      return new DatabaseLoad(client, header, { rules, ownTables, jobs });
    } catch (error) {
      await client.end().catch(() => undefined);
      throw error;
    }
  }

  /** Loads a piece of a table; all pieces of one table must follow each other. */
  async write(schema: 'database' | 'jobs', table: string, bytes: Uint8Array): Promise<void> {
    const key = `${schema}/${table}`;
    if (this.#open?.table !== key) {
      await this.#endTable();
      const target = this.#copyTarget(schema, table);
      if (!target) return;
      this.#open = { table: key, stream: this.#client.query(from(`copy ${target} from stdin`)) };
      // `#endTable` awaits the stream and throws its error.
      this.#open.stream.on('error', () => undefined);
    }
    const { stream } = this.#open;
    if (stream.errored) throw stream.errored;
    if (!stream.write(bytes)) await once(stream, 'drain');
  }

  #copyTarget(schema: 'database' | 'jobs', table: string): string | null {
    if (schema === 'jobs') return this.#jobs?.copyTarget(table) ?? null;
    const columns = this.#header.tables[table]?.columns;
    if (columns && this.#ownTables.has(table)) return `${quoted([table])} (${quoted(columns)})`;
    this.unknown.add(table);
    return null;
  }

  async #endTable(): Promise<void> {
    if (!this.#open) return;
    const { table, stream } = this.#open;
    this.#open = undefined;
    stream.end();
    await finished(stream);
    this.#rows.set(table, stream.rowCount);
  }

  /** Restores indexes, foreign keys, triggers and sequences; throws if a row violates one of them. */
  async finish(sequences: Record<string, string | null>): Promise<void> {
    await this.#endTable();
    await this.#jobs?.finish();
    for (const name of this.#ownTables)
      await this.#client.query(`alter table ${quoted([name])} enable trigger user`);
    for (const rule of this.#rules) await this.#client.query(rule);
    for (const [name, last] of Object.entries(sequences))
      if (last !== null)
        await this.#client.query(
          'select setval(to_regclass($1), $2::bigint) where to_regclass($1) is not null',
          [quoted([name]), last],
        );
  }

  async contentOf(table: string): Promise<TableContent> {
    const columns = this.#header.tables[table]?.columns ?? [];
    return contentOf(this.#client, { schema: 'database', table, columns });
  }

  /** Number of rows that were loaded into a table of the job queue. */
  jobRows(table: string): number {
    return this.#rows.get(`jobs/${table}`) ?? 0;
  }

  query(text: string, values: unknown[] = []): Promise<unknown> {
    return this.#client.query(text, values);
  }

  async commit(): Promise<void> {
    await this.#client.query('commit');
    await this.#client.query('analyze');
  }

  /** Without a commit before it, everything loaded is discarded. */
  end(): Promise<void> {
    return this.#client.end();
  }
}

/** Counts and hashes a table in the format of COPY, and passes each piece to `onPiece`. */
export async function contentOf(
  client: pg.Client,
  table: { schema: 'database' | 'jobs'; table: string; columns: string[] },
  onPiece?: (piece: Buffer) => Promise<void>,
): Promise<TableContent> {
  const hash: Hash = createHash('sha256');
  let bytes = 0;
  const pieces = tablePieces(client, table);
  for (;;) {
    const { value, done } = await pieces.next();
    if (done) return { rows: value, bytes, sha256: hash.digest('hex') };
    hash.update(value);
    bytes += value.length;
    await onPiece?.(value);
  }
}
