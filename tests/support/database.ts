import pg from 'pg';
import { closeDatabase, openDatabase } from '#platform/database/database.server.ts';
import { makeDatabase } from './postgres.ts';
import { eventually } from './server.ts';

/**
 * Creates a migrated database in the shared PostgreSQL (`inject('postgres')`) and opens the product's pools on it, for
 * tests next to server code. @returns a function that closes and drops it.
 */
export async function useTestDatabase(postgres: string): Promise<() => Promise<void>> {
  const url = await makeDatabase(postgres);
  openDatabase({ connectionString: url }, () => undefined);
  return async () => {
    await closeDatabase();
    const admin = new pg.Client({ connectionString: postgres });
    await admin.connect();
    // Autovacuum may be working in it, and only its superuser may end that.
    await eventually(() =>
      admin.query(`drop database if exists ${new URL(url).pathname.slice(1)} with (force)`),
    );
    await admin.end();
  };
}
