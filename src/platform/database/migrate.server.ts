import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';

export const MIGRATION_LOCK = 7_241_001;

export class SchemaError extends Error {}

export class NewerSchemaError extends SchemaError {
  readonly schema: number;
  readonly known: number;
  constructor(schema: number, known: number) {
    super(`The database has schema ${schema}, but this build supports only ${known}. Start a newer build.`);
    this.schema = schema;
    this.known = known;
  }
}

interface Migration {
  version: number;
  name: string;
  text: string;
  hash: string;
  /** Number of the newest migration that a build must have to serve a database with this one. */
  bearableFrom: number;
}

interface AppliedMigration {
  version: number;
  hash: string;
  /** Null if the build that applied it did not record it. */
  bearable_from?: number | null;
}

/** Most migrations only add, which all older builds tolerate. One that removes names the first build that copes. */
const BEARABLE_FROM = /^-- Bearable from (\d{4})\b/m;

function load(folder: string): Migration[] {
  return readdirSync(folder)
    .filter((name) => /^\d{4}-.+\.sql$/.test(name))
    .sort()
    .map((name) => {
      const text = readFileSync(join(folder, name), 'utf8');
      return {
        version: Number(name.slice(0, 4)),
        name,
        text,
        hash: createHash('sha256').update(text).digest('hex'),
        bearableFrom: Number(BEARABLE_FROM.exec(text)?.[1] ?? 0),
      };
    });
}

const LOCK_POLL_MS = 200;

/** Polls, because another process may migrate or make a backup for longer than a statement may take. */
async function acquireLock(client: pg.PoolClient): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ got: boolean }>('select pg_try_advisory_lock($1) as got', [
      MIGRATION_LOCK,
    ]);
    if (rows[0]?.got) return;
    await delay(LOCK_POLL_MS);
  }
}

const MIGRATIONS_TABLE =
  'create table if not exists schema_migrations (version int primary key, name text not null, hash text not null, applied_at timestamptz not null default now(), bearable_from int)';

/** The table of an earlier build lacks the column until the next migration, which `to_jsonb` reads as null. */
const ADD_BEARABLE = 'alter table schema_migrations add column if not exists bearable_from int';
const APPLIED = `select version, hash, (to_jsonb(m) ->> 'bearable_from')::int as bearable_from
                   from schema_migrations m order by version`;

/** Creates the schema that another database has, in the transaction of `client`. @throws SchemaError */
export async function applyKnown(
  client: pg.ClientBase,
  folder: string,
  applied: ReadonlyArray<{ version: number; name: string; hash: string }>,
): Promise<void> {
  const known = load(folder);
  checkCompatibility(known, applied);
  await client.query(MIGRATIONS_TABLE);
  for (const { version, name } of applied) {
    const match = known.find((migration) => migration.version === version);
    if (!match) throw new SchemaError(`This build does not have migration ${name}.`);
    await client.query(match.text);
  }
}

/**
 * Migrates under an advisory lock, so that only one of several processes that start together does it.
 * @param before called under the lock when a database with a site is about to change; returns the backup's address.
 * @returns the names of the applied migrations.
 */
export async function migrate(
  pool: pg.Pool,
  folder: string,
  before: (waiting: string[]) => Promise<string | null> = async () => null,
): Promise<string[]> {
  const known = load(folder);
  const client = await pool.connect();
  let failed = false;
  let locked = false;
  try {
    // Takes no lock when there is nothing to do: a backup may hold it for a long time.
    if ((await migrationState(client, folder)).waiting.length === 0) {
      // Throws while the database accepts no writes; startup waits until it does.
      await client.query(MIGRATIONS_TABLE);
      return [];
    }
    await acquireLock(client);
    locked = true;
    await client.query(MIGRATIONS_TABLE);
    await client.query(ADD_BEARABLE);
    const { rows } = await client.query<AppliedMigration>(APPLIED);
    checkCompatibility(known, rows);
    const done = new Set(rows.map((row) => row.version));
    const applied: string[] = [];
    const waiting = known.filter(({ version }) => !done.has(version));
    const names = waiting.map(({ name }) => name);
    const backup = done.size > 0 && waiting.length > 0 ? await before(names) : null;
    for (const migration of waiting) {
      await apply(client, migration, backup);
      applied.push(migration.name);
    }
    return applied;
  } catch (error) {
    failed = true;
    throw error;
  } finally {
    if (locked) await client.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK]).catch(() => undefined);
    // The next attempt needs a new session: this one may keep a read-only default that has been lifted since.
    client.release(failed);
  }
}

export async function migrationState(
  client: pg.ClientBase,
  folder: string,
): Promise<{ applied: number; waiting: string[] }> {
  const known = load(folder);
  const table = await client.query<{ exists: boolean }>(
    `select to_regclass('schema_migrations') is not null as exists`,
  );
  const { rows } = table.rows[0]?.exists ? await client.query<AppliedMigration>(APPLIED) : { rows: [] };
  checkCompatibility(known, rows);
  const done = new Set(rows.map(({ version }) => version));
  return {
    applied: done.size,
    waiting: known.filter(({ version }) => !done.has(version)).map(({ name }) => name),
  };
}

/** An older build may serve a newer schema as long as the later migrations removed nothing that it uses. */
function checkCompatibility(known: Migration[], rows: readonly AppliedMigration[]): void {
  const newest = known.at(-1)?.version ?? 0;
  for (const { version, hash, bearable_from: from = null } of rows) {
    const match = known.find((migration) => migration.version === version);
    if (!match && (from === null ? version : from) > newest) throw new NewerSchemaError(version, newest);
    if (match && match.hash !== hash)
      throw new SchemaError(`Migration ${match.name} was changed after it was applied.`);
  }
}

async function apply(
  client: pg.PoolClient,
  { version, name, text, hash, bearableFrom }: Migration,
  backup: string | null,
): Promise<void> {
  await client.query('begin');
  try {
    await client.query(text);
    await client.query(
      'insert into schema_migrations (version, name, hash, bearable_from) values ($1, $2, $3, $4)',
      [version, name, hash, bearableFrom],
    );
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    const backupNote = backup ? ` The backup from before this change is ${backup}.` : '';
    throw new SchemaError(`Migration ${name} failed: ${(error as Error).message}.${backupNote}`, {
      cause: error,
    });
  }
}
