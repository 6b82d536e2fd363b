import type { Database } from './database.server.ts';
import { sql } from './sql.server.ts';

/** Waits while another adds it. @returns false when it is there. */
export async function insertInstanceValue(db: Database, key: string, value: string): Promise<boolean> {
  const added = await db.run(
    sql`insert into instance_values (key, value) values (${key}, ${value}) on conflict (key) do nothing`,
  );
  return added > 0;
}

/** The site's value of this name, made once from `fresh` when there is none, the same for every process. */
export async function instanceValue(db: Database, key: string, fresh: string): Promise<string> {
  await insertInstanceValue(db, key, fresh);
  const row = await db.row<{ value: string }>(sql`select value from instance_values where key = ${key}`);
  if (!row) throw new Error(`The instance value ${key} is missing.`);
  return row.value;
}
