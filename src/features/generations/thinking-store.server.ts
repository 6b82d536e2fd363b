import type { Database } from '#platform/database/database.server.ts';
import { sql } from '#platform/database/sql.server.ts';

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
    select t.id, t.text, t.units, t.ms
      from unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ epoch }) => epoch)}::int[], ${rows.map(({ text }) => text)}::text[],
                  ${rows.map(({ text }) => text.length)}::int[], ${rows.map(({ ms }) => ms)}::int[]) as t(id, epoch, text, units, ms)
      join generations g on g.id = t.id and g.epoch = t.epoch and g.state in ('queued', 'running')
    on conflict (generation_id) do update set text = excluded.text, units = excluded.units, ms = excluded.ms
      where (excluded.units, excluded.ms) > (thinking.units, thinking.ms)`);
}

export const thinkingOf = (db: Database, generationId: string): Promise<Thinking | null> =>
  db.row<Thinking>(sql`select text, ms from thinking where generation_id = ${generationId}`);
