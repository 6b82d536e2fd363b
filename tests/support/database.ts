import pg from 'pg';
import { closeDatabase, openDatabase } from '#platform/database/database.server.ts';
import { makeDatabase } from './postgres.ts';
import { eventually } from './server.ts';

/**
 * Makes a migrated database of its own in the shared PostgreSQL (`inject('postgres')`) and opens the product's pools
 * on it, for tests beside server code. @returns what ends it.
 */
export async function useTestDatabase(postgres: string): Promise<() => Promise<void>> {
  const url = await makeDatabase(postgres);
  openDatabase({ connectionString: url }, () => undefined);
  return async () => {
    await closeDatabase();
    const admin = new pg.Client({ connectionString: postgres });
    await admin.connect();
    // PostgreSQL's own cleaning may be at work in it, which only its superuser may end.
    await eventually(() =>
      admin.query(`drop database if exists ${new URL(url).pathname.slice(1)} with (force)`),
    );
    await admin.end();
  };
}
