import { log } from '../log.server.ts';
import { type Database, database } from './database.server.ts';
import { sql } from './sql.server.ts';

/** Until then, a search also reads the new entries one by one. PostgreSQL itself merges a list that reaches 4 MB. */
const MERGE_MS = 10_000;

let timer: NodeJS.Timeout | undefined;
let isMerging = false;

/**
 * Merges the new entries of search indexes (GIN with `fastupdate`) into them. Entries of many rows are merged together in a
 * fraction of the time and of the write-ahead log that each row's own would take. @returns the pages that they were on
 */
export async function mergeIndexEntries(db: Database): Promise<number> {
  const merged = await db.row<{ pages: number }>(sql`
    with own as materialized (
      select c.oid from pg_class c join pg_am a on a.oid = c.relam
       where a.amname = 'gin' and c.relkind = 'i' and c.relnamespace = current_schema()::regnamespace
         and pg_has_role(c.relowner, 'usage'))
    select coalesce(sum(gin_clean_pending_list(oid)), 0)::int as pages from own`);
  return merged?.pages ?? 0;
}

async function mergeAgain(): Promise<void> {
  if (isMerging) return;
  isMerging = true;
  try {
    await mergeIndexEntries(database());
  } catch (error) {
    log.warn({ error }, 'new entries of search indexes could not be merged yet');
  } finally {
    isMerging = false;
  }
}

export function startMergingIndexEntries(): void {
  timer ??= setInterval(mergeAgain, MERGE_MS).unref();
}

export function stopMergingIndexEntries(): void {
  clearInterval(timer);
  timer = undefined;
}
