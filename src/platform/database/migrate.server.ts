import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';

const LOCK = 7_241_001;

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

/** Under an advisory lock, so that processes that start together do it once. @returns the names applied. */
export async function migrate(pool: pg.Pool, folder: string): Promise<string[]> {
  const known = load(folder);
  const client = await pool.connect();
  let failed = false;
  try {
    await client.query('select pg_advisory_lock($1)', [LOCK]);
    await client.query(
      'create table if not exists schema_migrations (version int primary key, name text not null, hash text not null, applied_at timestamptz not null default now())',
    );
    const { rows } = await client.query<{ version: number; hash: string }>(
      'select version, hash from schema_migrations order by version',
    );
    check(known, rows);
    const done = new Set(rows.map((row) => row.version));
    const applied: string[] = [];
    for (const migration of known.filter(({ version }) => !done.has(version))) {
      await apply(client, migration);
      applied.push(migration.name);
    }
    return applied;
  } catch (error) {
    failed = true;
    throw error;
  } finally {
    await client.query('select pg_advisory_unlock($1)', [LOCK]).catch(() => undefined);
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

function check(known: Migration[], rows: Array<{ version: number; hash: string }>): void {
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

async function apply(client: pg.PoolClient, { version, name, text, hash }: Migration): Promise<void> {
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
    throw new SchemaError(`Migration ${name} failed: ${(error as Error).message}`, { cause: error });
  }
}
