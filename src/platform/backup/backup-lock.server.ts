import { database } from '../database/database.server.ts';
import { sql } from '../database/sql.server.ts';

/** Key of the advisory lock that a backup holds while it reads. */
export const BACKUP_LOCK = 7_241_003;

/** Whether a backup of this database is running, in whichever process. */
export async function backupIsRunning(): Promise<boolean> {
  const row = await database().row<{ free: boolean }>(
    sql`select pg_try_advisory_xact_lock_shared(${BACKUP_LOCK}) as free`,
  );
  return row?.free !== true;
}
