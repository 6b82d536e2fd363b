import type { Database } from '#platform/database/database.server.ts';
import { sql } from '#platform/database/sql.server.ts';

export const eraseText = (db: Database, generationId: string) =>
  db.run(sql`
    with erased as (
      update generations set text = '' where id = ${generationId} and feature = 'completion' returning id)
    delete from thinking t using erased e where t.generation_id = e.id`);

const expired = (hours: number) => sql`
  feature = 'completion'
   and (finished_at < app_now() - ${hours}::int * interval '1 hour'
        or not coalesce((input->>'repeatable')::boolean, false))`;

/** Erases texts of repeatable requests after `hours`, and all others at once. */
export async function eraseOldTexts(db: Database, hours: number): Promise<number> {
  await db.run(sql`
    delete from thinking t using generations g
     where g.id = t.generation_id and g.finished_at is not null and ${expired(hours)}`);
  return db.run(sql`update generations set text = '' where text <> '' and ${expired(hours)}`);
}
