import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';

export const MIGRATION_LOCK = 7_241_001;

export class SchemaError extends Error {}

interface Migration {
  version: number;
  name: string;
  text: string;
  hash: string;
}

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
      };
    });
}

const LOCK_POLL_MS = 200;

/** In steps: another process may migrate, or make a backup, for longer than a statement may take. */
async function takeLock(client: pg.PoolClient): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ got: boolean }>('select pg_try_advisory_lock($1) as got', [
      MIGRATION_LOCK,
    ]);
    if (rows[0]?.got) return;
    await delay(LOCK_POLL_MS);
  }
}

const MIGRATIONS_TABLE =
  'create table if not exists schema_migrations (version int primary key, name text not null, hash text not null, applied_at timestamptz not null default now())';

/** Makes the schema that another database has, in the transaction of `client`. @throws SchemaError */
export async function applyKnown(
  client: pg.ClientBase,
  folder: string,
  applied: ReadonlyArray<{ version: number; name: string; hash: string }>,
): Promise<void> {
  const known = load(folder);
  check(known, applied);
  await client.query(MIGRATIONS_TABLE);
  for (const { version, name } of applied) {
    const own = known.find((migration) => migration.version === version);
    if (!own) throw new SchemaError(`This build does not have migration ${name}.`);
    await client.query(own.text);
  }
}

/**
 * Under an advisory lock, so that processes that start together do it once.
 * @param before called under the lock when a database that holds a site is about to change; answers what brings it back.
 * @returns the names applied.
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
    // Without a lock where there is nothing to do: a backup holds it for as long as it takes.
    if ((await migrationState(client, folder)).waiting.length === 0) {
      // Refused where the database takes no writes, which a start waits for.
      await client.query(MIGRATIONS_TABLE);
      return [];
    }
    await takeLock(client);
    locked = true;
    await client.query(MIGRATIONS_TABLE);
    const { rows } = await client.query<{ version: number; hash: string }>(
      'select version, hash from schema_migrations order by version',
    );
    check(known, rows);
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
    // The next try gets a new session, for which a database that was read-only by its defaults may no longer be.
    client.release(failed);
  }
}

export async function migrationState(
  client: pg.ClientBase,
  folder: string,
): Promise<{ applied: number; waiting: string[] }> {
  const known = load(folder);
  const table = await client.query<{ there: boolean }>(
    `select to_regclass('schema_migrations') is not null as there`,
  );
  const { rows } = table.rows[0]?.there
    ? await client.query<{ version: number; hash: string }>('select version, hash from schema_migrations')
    : { rows: [] };
  check(known, rows);
  const done = new Set(rows.map(({ version }) => version));
  return {
    applied: done.size,
    waiting: known.filter(({ version }) => !done.has(version)).map(({ name }) => name),
  };
}

function check(known: Migration[], rows: ReadonlyArray<{ version: number; hash: string }>): void {
  const newest = known.at(-1)?.version ?? 0;
  for (const row of rows) {
    if (row.version > newest) {
      throw new SchemaError(
        `The database has schema ${row.version}, this build knows ${newest}. Start a newer build.`,
      );
    }
    const own = known.find(({ version }) => version === row.version);
    if (own && own.hash !== row.hash)
      throw new SchemaError(`Migration ${own.name} was changed after it was applied.`);
  }
}

async function apply(
  client: pg.PoolClient,
  { version, name, text, hash }: Migration,
  backup: string | null,
): Promise<void> {
  await client.query('begin');
  try {
    await client.query(text);
    await client.query('insert into schema_migrations (version, name, hash) values ($1, $2, $3)', [
      version,
      name,
      hash,
    ]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    const back = backup ? ` The backup of before is ${backup}.` : '';
    throw new SchemaError(`Migration ${name} failed: ${(error as Error).message}.${back}`, { cause: error });
  }
}
