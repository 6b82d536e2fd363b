import { database } from '../database/database.server.ts';
import { sql } from '../database/sql.server.ts';

/** Held by a backup for as long as it reads; one key of PostgreSQL's advisory locks, like those of the migrations. */
export const BACKUP_LOCK = 7_241_003;

/** Whether a backup of this database reads it now, in whichever process. */
export async function backupIsRunning(): Promise<boolean> {
  const row = await database().row<{ free: boolean }>(
    sql`select pg_try_advisory_xact_lock_shared(${BACKUP_LOCK}) as free`,
  );
  return row?.free !== true;
}
