import type { Database } from '#platform/database/database.server.ts';
import { raw, sql } from '#platform/database/sql.server.ts';
import type { WebSource } from './contract.ts';
import { type MessageRow, messageColumns } from './messages/branch-store.server.ts';

export const deleteWebSearchesOf = (tx: Database, userId: string) =>
  tx.run(sql`
    delete from web_searches w using generations g where g.id = w.generation_id and g.user_id = ${userId}`);

export const deleteChatsOf = (tx: Database, userId: string) =>
  tx.run(sql`delete from chat_sessions where user_id = ${userId}`);

export interface ChatExportRow {
  id: string;
  title: string;
  created_at: Date;
  updated_at: Date;
  deleted_at: Date | null;
  pinned_at: Date | null;
  archived_at: Date | null;
  project_id: string | null;
  assistant: string;
  own_assistant_id: string | null;
  model: string | null;
  compared_model: string | null;
  shown_id: string | null;
  cursor: string;
}

const chatColumns = raw(
  `id, title, created_at, updated_at, deleted_at, pinned_at, archived_at, project_id, assistant, own_assistant_id, model, compared_model, branch_end(id, tip_id) as shown_id,
   created_at::text as cursor`,
);

export const ownChat = (db: Database, userId: string, id: string) =>
  db.row<ChatExportRow>(sql`
    select ${chatColumns} from chat_sessions where id = ${id} and user_id = ${userId} and deleted_at is null`);

export const ownChats = (db: Database, userId: string, ids: string[]) =>
  db.rows<ChatExportRow>(sql`
    select ${chatColumns} from chat_sessions
     where id = any(${ids}::uuid[]) and user_id = ${userId} and deleted_at is null order by created_at, id`);

export const chatsAfter = (db: Database, userId: string, after: ChatExportRow | null, limit: number) =>
  db.rows<ChatExportRow>(sql`
    select ${chatColumns} from chat_sessions
     where user_id = ${userId} and not temporary
       and (${after?.cursor ?? null}::text is null
            or (created_at, id) > (${after?.cursor ?? null}::timestamptz, ${after?.id ?? null}::uuid))
     order by created_at, id limit ${limit}`);

export type MessageExportRow = Omit<MessageRow, 'versions'> & {
  attachment_ids: string[];
  thinking: string | null;
  position: number;
};

export const messagesAfter = (db: Database, sessionId: string, after: number, limit: number) =>
  db.rows<MessageExportRow>(sql`
    select ${messageColumns}, m.position,
           array(select f.attachment_id from message_attachments f where f.message_id = m.id order by f.position) as attachment_ids,
           (select t.text from thinking t where t.generation_id = g.id) as thinking
      from chat_messages m left join generations g on g.id = m.generation_id
     where m.session_id = ${sessionId} and m.position > ${after} order by m.position limit ${limit}`);

export async function branchIds(db: Database, end: string): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(sql`
    with recursive up as (
      select id, parent_id, depth from chat_messages where id = ${end}
      union all
      select p.id, p.parent_id, p.depth from chat_messages p join up on p.id = up.parent_id)
    select id from up order by depth`);
  return rows.map(({ id }) => id);
}

export interface BranchMessageRow extends Pick<MessageRow, 'role' | 'content' | 'created_at'> {
  files: string[];
  sources: WebSource[];
  /** It shows images, or showed some that were deleted. */
  drawn: boolean;
}

/** Returns the first of these messages, as many as fit into `bytes` but at least one. */
export function messageContents(db: Database, ids: string[], bytes: number): Promise<BranchMessageRow[]> {
  return db.rows<BranchMessageRow>(sql`
    with sized as materialized (
      select asked.id, asked.place, sum(octet_length(m.content)) over (order by asked.place) - octet_length(m.content) as above
        from unnest(${ids}::uuid[]) with ordinality as asked(id, place) join chat_messages m on m.id = asked.id)
    select m.role, m.content, m.created_at,
           exists (select 1 from image_pictures p where p.job_id = coalesce(m.drawn_by, m.generation_id)) as drawn,
           array(select a.name from message_attachments f join attachments a on a.id = f.attachment_id
                  where f.message_id = m.id order by f.position) as files,
           coalesce((select w.sources from web_searches w where w.generation_id = m.generation_id), '[]') as sources
      from sized join chat_messages m on m.id = sized.id
     where sized.above < ${bytes}::bigint order by sized.place`);
}
