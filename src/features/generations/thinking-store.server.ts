import type { Database } from '#platform/database/database.server.ts';
import { sql } from '#platform/database/sql.server.ts';
import { withOpenRun } from './store.server.ts';

export interface Thinking {
  text: string;
  /** From the run's start to the first text of the reply, so far. */
  ms: number;
}

export interface ThinkingRow extends Thinking {
  id: string;
  epoch: number;
}

/** Writes only for open runs that this process still owns; a late write never replaces a longer text. */
export async function writeThinking(db: Database, rows: readonly ThinkingRow[]): Promise<void> {
  await db.run(sql`
    insert into thinking (generation_id, text, units, ms)
    select given.id, given.text, given.units, given.ms
      from unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ epoch }) => epoch)}::int[], ${rows.map(({ text }) => text)}::text[],
                  ${rows.map(({ text }) => text.length)}::int[], ${rows.map(({ ms }) => ms)}::int[]) as given (id, epoch, text, units, ms)
      ${withOpenRun}
    on conflict (generation_id) do update set text = excluded.text, units = excluded.units, ms = excluded.ms
      where (excluded.units, excluded.ms) > (thinking.units, thinking.ms)`);
}

export const thinkingOf = (db: Database, generationId: string): Promise<Thinking | null> =>
  db.row<Thinking>(sql`select text, ms from thinking where generation_id = ${generationId}`);
