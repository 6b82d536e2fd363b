import type { Database } from '#platform/database/database.server.ts';
import { sql } from '#platform/database/sql.server.ts';
import { type GenerationRow, loggedText } from './store.server.ts';

export interface ShownPiece {
  id: string;
  from: number;
  text: string;
}

/** Stores the text that a process is about to show, one piece per run. */
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

interface StoredPiece {
  from: number;
  text: string;
}

/** Returns the logged text, extended by what was shown beyond it. */
const joinPieces = (logged: string, pieces: StoredPiece[]) =>
  pieces.reduce(
    (soFar, { from, text }) => (from <= soFar.length ? soFar + text.slice(soFar.length - from) : soFar),
    logged,
  );

type StoredRun = Pick<GenerationRow, 'id' | 'owner' | 'epoch'>;

/** Returns all stored text of a running run. */
export async function storedText(db: Database, run: StoredRun): Promise<string> {
  // Read the pieces before the log, because a piece that is deleted meanwhile is in the log.
  const pieces = await db.rows<StoredPiece>(sql`
    select (pieces -> ${run.id}::text -> 0)::int as from, pieces -> ${run.id}::text ->> 1 as text
      from shown_pieces where owner = ${run.owner} and pieces ? ${run.id}::text order by seq`);
  return joinPieces((await loggedText(db, run.id, run.epoch)).text, pieces);
}

export interface StoredText {
  text: string;
  /** The length of the log and the last `seq` that the run's process had shown, when they were read. */
  logged: number;
  shown: number;
}

/** Reads many runs in three statements. */
export async function storedTexts(
  db: Database,
  runs: readonly StoredRun[],
): Promise<Map<string, StoredText>> {
  const ids = runs.map(({ id }) => id);
  const owners = [...new Set(runs.map(({ owner }) => owner))];
  const last = await db.rows<{ owner: string; seq: number }>(sql`
    select owner, max(seq) as seq from shown_pieces where owner = any(${owners}::text[]) group by owner`);
  const pieces = await db.rows<StoredPiece & { id: string }>(sql`
    select p.key as id, (p.value -> 0)::int as from, p.value ->> 1 as text
      from shown_pieces s cross join lateral jsonb_each(s.pieces) p
     where s.owner = any(${owners}::text[]) and p.key = any(${ids}::text[]) order by s.seq`);
  const chunks = await db.rows<{ id: string; to: number; text: string }>(sql`
    select c.generation_id as id, max(c.seq_to) as to, string_agg(c.text, '' order by c.seq_from) as text
      from generation_chunks c
      join unnest(${ids}::uuid[], ${runs.map(({ epoch }) => epoch)}::int[]) as r(id, epoch)
        on c.generation_id = r.id and c.epoch = r.epoch
     group by c.generation_id`);
  const shownOf = new Map(last.map(({ owner, seq }) => [owner, seq]));
  const logOf = new Map(chunks.map((chunk) => [chunk.id, chunk]));
  const piecesOf = Map.groupBy(pieces, ({ id }) => id);
  return new Map(
    runs.map(({ id, owner }) => [
      id,
      {
        text: joinPieces(logOf.get(id)?.text ?? '', piecesOf.get(id) ?? []),
        logged: logOf.get(id)?.to ?? 0,
        shown: shownOf.get(owner) ?? 0,
      },
    ]),
  );
}

/** Call it once the log, or the result, contains these pieces. */
export async function deleteShown(db: Database, owner: string, upTo: number): Promise<void> {
  await db.run(sql`delete from shown_pieces where owner = ${owner} and seq <= ${upTo}`);
}

/** Deletes pieces of dead processes whose runs are closed. */
export async function deleteAbandonedShown(db: Database): Promise<void> {
  await db.run(sql`
    delete from shown_pieces s
     where not exists (select 1 from engine_leases l where l.owner = s.owner and l.lease_until >= app_now())
       and not exists (select 1 from generations g where g.owner = s.owner and g.state in ('queued', 'running'))`);
}
