import type { Database } from '#platform/database/database.server.ts';
import { sql } from '#platform/database/sql.server.ts';
import { published, type Viewer } from './store.server.ts';

export const recordUse = (db: Database, { userId, unlimited }: Viewer, id: string) =>
  db.run(sql`
    insert into prompt_uses (prompt_id, user_id)
    select p.id, ${userId}::uuid from prompts p
     where p.id = ${id}::uuid and ${published} and (not p.locked or ${unlimited}::boolean)
    on conflict (prompt_id, user_id) do update set user_id = excluded.user_id`);

/** Locks the row, so that its rating count stays consistent with its ratings. */
export const lockPublished = (tx: Database, id: string) =>
  tx.row<{ user_id: string | null }>(
    sql`select p.user_id from prompts p where p.id = ${id}::uuid and ${published} for update`,
  );

export const setRating = (tx: Database, userId: string, id: string, stars: number | null) =>
  tx.run(sql`
    update prompt_uses set stars = ${stars}::smallint, rated_at = case when ${stars}::smallint is not null then app_now() end
     where prompt_id = ${id}::uuid and user_id = ${userId}`);

export async function countRatings(tx: Database, ids: string[]): Promise<void> {
  await tx.run(sql`
    update prompts p set rating_count = counted.count, rating_sum = counted.sum
      from (select each.id, count(u.stars)::int as count, coalesce(sum(u.stars), 0)::int as sum
              from unnest(${ids}::uuid[]) as each(id) left join prompt_uses u on u.prompt_id = each.id group by each.id) counted
     where p.id = counted.id`);
}
