import pg from 'pg';
import { closeDatabase, databasePool, openDatabase } from '../../src/platform/database/database.server.ts';
import { migrate } from '../../src/platform/database/migrate.server.ts';
import { eventually } from './server.ts';

/**
 * Makes a migrated database of its own in the shared PostgreSQL (`inject('postgres')`) and opens the product's pools
 * on it, for tests beside server code. @returns what ends it.
 */
export async function useTestDatabase(postgres: string): Promise<() => Promise<void>> {
  const name = `u_${Date.now().toString(36)}_${Math.random().toString(36).slice(2, 8)}`;
  const admin = new pg.Client({ connectionString: postgres });
  await admin.connect();
  await admin.query(`create database ${name}`);
  const url = postgres.replace(/^(postgres(?:ql)?:\/\/[^/]*)\/[^?]*/, `$1/${name}`);
  openDatabase({ connectionString: url }, () => undefined);
  await migrate(databasePool(), new URL('../../migrations', import.meta.url).pathname);
  return async () => {
    await closeDatabase();
    // PostgreSQL's own cleaning may be at work in it, which only its superuser may end.
    await eventually(() => admin.query(`drop database if exists ${name} with (force)`));
    await admin.end();
  };
}
