import type { FinishReason, GenerationState } from '#features/generations/contract.ts';
import type { DrawnImages } from '#features/images/contract.ts';
import { drawnImages } from '#features/images/service.server.ts';
import type { Database } from '#platform/database/database.server.ts';
import { raw, sql } from '#platform/database/sql.server.ts';
import { type ShownAttachment, shownAttachment } from '../attachments/attachment-store.server.ts';
import type { OtherReply, ReplyRating, WebSearch } from '../contract.ts';
import type { FileLeftOut } from '../knowledge/file-left-out.ts';
import { webSearchColumn } from '../web-search/web-search-store.server.ts';

export interface MessageRow {
  id: string;
  parent_id: string | null;
  role: 'user' | 'assistant';
  content: string;
  created_at: Date;
  generation_id: string | null;
  request_key: string | null;
  state: GenerationState | null;
  finish_reason: FinishReason | null;
  error_message: string | null;
  credits_charged: number | null;
  model: string | null;
  answered_by: string | null;
  thought_ms: number | null;
  web: WebSearch | null;
  taken_over: number;
  left_out: number;
  files_left_out: FileLeftOut[] | null;
  assistant_name: string | null;
  versions: string[] | null;
  beside: OtherReply | null;
  rating: ReplyRating | null;
  images: DrawnImages | null;
  attachments: ShownAttachment[];
  depth: number;
}

export const messageColumns = raw(`
  m.id, m.parent_id, m.role, m.content, m.created_at, m.generation_id, m.taken_over, m.left_out, m.files_left_out, m.assistant_name, m.depth,
  g.idempotency_key as request_key, g.input -> 'beside' as beside, g.state, g.finish_reason, g.error_message, g.credits_charged,
  (select c.model from gateway_calls c where c.generation_id = g.id order by c.started_at limit 1) as model,
  (select c.answered_by from gateway_calls c where c.generation_id = g.id and c.answered_by is not null limit 1) as answered_by,
  (select t.ms from thinking t where t.generation_id = g.id) as thought_ms,
  (select json_build_object('good', r.good, 'reason', r.reason) from reply_ratings r where r.message_id = m.id) as rating,
  case when g.feature = 'image' or m.drawn_by is not null then ${drawnImages('coalesce(m.drawn_by, g.id)').text} end as images,
  ${webSearchColumn.text},
  (select coalesce(json_agg(${shownAttachment.text} order by f.position), '[]')
     from message_attachments f join attachments a on a.id = f.attachment_id where f.message_id = m.id) as attachments`);

const versions = raw(`
  case when m.parent_id is null
       then (select array_agg(v.id order by v.position) from chat_messages v
              where v.session_id = m.session_id and v.parent_id is null having count(*) > 1)
       else (select array_agg(v.id order by v.position) from chat_messages v
              where v.parent_id = m.parent_id having count(*) > 1) end as versions`);

export type MessageRef = Pick<MessageRow, 'id' | 'parent_id' | 'role' | 'depth'>;

export const findMessageRef = (db: Database, sessionId: string, id: string) =>
  db.row<MessageRef>(sql`
    select id, parent_id, role, depth from chat_messages where id = ${id} and session_id = ${sessionId}`);

export const findLeaf = (db: Database, sessionId: string, through: string | null) =>
  db.row<MessageRef>(sql`
    select id, parent_id, role, depth from chat_messages where id = (select branch_end(${sessionId}, ${through}))`);

/**
 * Returns the branch's messages from depth `from` to `to`, ordered by depth. The walk up starts at the nearest message
 * below that is the only one at its depth, because every branch passes through it and the leaf may be thousands of
 * messages away.
 */
export function branchRange(
  db: Database,
  {
    sessionId,
    leaf,
    from,
    to,
  }: { sessionId: string; leaf: Pick<MessageRef, 'id' | 'depth'>; from: number; to: number },
): Promise<MessageRow[]> {
  return db.rows<MessageRow>(sql`
    with recursive alone as materialized (
      select (array_agg(id))[1] as id from chat_messages
       where session_id = ${sessionId} and depth >= ${to} and depth < ${leaf.depth}
       group by depth having count(*) = 1 order by depth limit 1),
    up as (
      select id, parent_id, depth from chat_messages
       where id = coalesce((select id from alone), ${leaf.id}) and session_id = ${sessionId}
      union all
      select p.id, p.parent_id, p.depth from up join chat_messages p on p.id = up.parent_id where up.depth > ${from})
    select ${messageColumns}, ${versions}
      from up join chat_messages m on m.id = up.id left join generations g on g.id = m.generation_id
     where up.depth between ${from} and ${to} order by up.depth`);
}

export const findSibling = (db: Database, parentId: string, id: string) =>
  db.row<MessageRow>(sql`
    select ${messageColumns}, ${versions}
      from chat_messages m left join generations g on g.id = m.generation_id
     where m.id = ${id} and m.parent_id = ${parentId}`);

/** Locks the chat until the transaction ends, so that nobody adds messages or selects another branch meanwhile. */
export async function lockChat(tx: Database, sessionId: string): Promise<void> {
  await tx.run(sql`select 1 from chat_sessions where id = ${sessionId} for update`);
}

export async function setTip(db: Database, sessionId: string, leaf: string): Promise<void> {
  await db.run(sql`update chat_sessions set tip_id = ${leaf} where id = ${sessionId}`);
}
