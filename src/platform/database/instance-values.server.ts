import type { Database } from './database.server.ts';
import { sql } from './sql.server.ts';

/** Waits while another transaction adds the key. @returns false if the key already exists. */
export async function insertInstanceValue(db: Database, key: string, value: string): Promise<boolean> {
  const added = await db.run(
    sql`insert into instance_values (key, value) values (${key}, ${value}) on conflict (key) do nothing`,
  );
  return added > 0;
}

/** Returns the site's value for `key`, the same in every process. Stores `fresh` if there is none yet. */
export async function instanceValue(db: Database, key: string, fresh: string): Promise<string> {
  await insertInstanceValue(db, key, fresh);
  const row = await db.row<{ value: string }>(sql`select value from instance_values where key = ${key}`);
  if (!row) throw new Error(`The instance value ${key} is missing.`);
  return row.value;
}
