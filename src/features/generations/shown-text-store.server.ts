import type { Database } from '#platform/database/database.server.ts';
import { sql } from '#platform/database/sql.server.ts';
import { loggedText } from './store.server.ts';

export interface ShownPiece {
  id: string;
  from: number;
  text: string;
}

/** What a process is about to show of its runs, one piece a run. */
export async function insertShown(
  db: Database,
  owner: string,
  seq: number,
  pieces: readonly ShownPiece[],
): Promise<void> {
  const byRun = Object.fromEntries(pieces.map(({ id, from, text }) => [id, [from, text]]));
  await db.run(sql`
    insert into shown_pieces (owner, seq, pieces) values (${owner}, ${seq}, ${JSON.stringify(byRun)}::jsonb)`);
}

/** All that is kept of a running text: what the log has, and what was shown beyond it. */
export async function keptText(
  db: Database,
  run: { id: string; owner: string; epoch: number },
): Promise<string> {
  // First, because what leaves them meanwhile is in the log.
  const pieces = await db.rows<{ from: number; text: string }>(sql`
    select (pieces -> ${run.id}::text -> 0)::int as from, pieces -> ${run.id}::text ->> 1 as text
      from shown_pieces where owner = ${run.owner} and pieces ? ${run.id}::text order by seq`);
  const { text: logged } = await loggedText(db, run.id, run.epoch);
  return pieces.reduce(
    (whole, { from, text }) => (from <= whole.length ? whole + text.slice(whole.length - from) : whole),
    logged,
  );
}

/** Once the log, or the result, has what they tell. */
export async function deleteShown(db: Database, owner: string, upTo: number): Promise<void> {
  await db.run(sql`delete from shown_pieces where owner = ${owner} and seq <= ${upTo}`);
}

/** Of processes that are gone and whose runs are closed. */
export async function deleteAbandonedShown(db: Database): Promise<void> {
  await db.run(sql`
    delete from shown_pieces s
     where not exists (select 1 from engine_leases l where l.owner = s.owner and l.lease_until >= app_now())
       and not exists (select 1 from generations g where g.owner = s.owner and g.state in ('queued', 'running'))`);
}
