import type { Database } from '#platform/database/database.server.ts';
import { sql } from '#platform/database/sql.server.ts';
import type { WebSource } from './contract.ts';

export interface SnapshotRow {
  role: 'user' | 'assistant';
  text: string;
  files: number;
  images: number;
  sources: WebSource[];
  partial: boolean;
}

export const findMessageChat = (db: Database, id: string) =>
  db.row<{ id: string; session_id: string; role: 'user' | 'assistant' }>(sql`
    select id, session_id, role from chat_messages where id = ${id}`);

/**
 * Returns the branch that ends in `leaf`, or its last `limit` messages, without those that are empty or still being
 * written. @returns null if their text has more than `bytes`
 */
export async function snapshotRows(
  db: Database,
  { sessionId, leaf, limit, bytes }: { sessionId: string; leaf: string; limit: number | null; bytes: number },
): Promise<SnapshotRow[] | null> {
  const branch = sql`
    with recursive up as (
      select id, parent_id, depth, 1 as step from chat_messages where id = ${leaf} and session_id = ${sessionId}
      union all
      select p.id, p.parent_id, p.depth, up.step + 1 from up join chat_messages p on p.id = up.parent_id
       where ${limit}::int is null or up.step < ${limit}::int),
    shown as (
      select m.id, up.depth from up join chat_messages m on m.id = up.id left join generations g on g.id = m.generation_id
       where (m.content <> '' or m.attachment_id is not null
              or exists (select 1 from image_pictures p where p.job_id = coalesce(m.drawn_by, m.generation_id)))
         and (g.id is null or g.finished_at is not null))`;
  const sum = await db.row<{ bytes: number }>(sql`
    ${branch} select coalesce(sum(octet_length(m.content)), 0)::float8 as bytes from shown join chat_messages m on m.id = shown.id`);
  if ((sum?.bytes ?? 0) > bytes) return null;
  return db.rows<SnapshotRow>(sql`
    ${branch} select m.role, m.content as text, (select count(*)::int from message_attachments f where f.message_id = m.id) as files,
             (select count(*)::int from image_pictures p where p.job_id = coalesce(m.drawn_by, m.generation_id)) as images,
             coalesce((select w.sources from web_searches w where w.generation_id = m.generation_id), '[]') as sources,
             exists (select from generations g where g.id = m.generation_id
                        and (g.state <> 'done' or g.finish_reason in ('length', 'incomplete'))) as partial
      from shown join chat_messages m on m.id = shown.id order by shown.depth`);
}
