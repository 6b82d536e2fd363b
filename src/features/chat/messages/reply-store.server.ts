import type { Database } from '#platform/database/database.server.ts';
import { type Statement, sql } from '#platform/database/sql.server.ts';
import type { FileLeftOut } from '../knowledge/file-left-out.ts';

export interface SentFile {
  id: string;
  kind: 'image' | 'pdf';
  name: string;
  /** UTF-8 bytes of a document's text; null for pictures. */
  textBytes: number | null;
}

export interface HistoryMessage {
  role: 'user' | 'assistant';
  content: string;
  /** Its place in the branch, from 1. */
  depth: number;
  attachments: SentFile[];
  /** That it shows, or showed. */
  images?: number;
}

interface HistoryBounds {
  bytes: number;
  perMessage: number;
  perPicture: number;
  leastText: number;
}

/**
 * Newest first: as many messages as surely hold `bytes` and, where there is more, at least one above them.
 * `perMessage` and `perPicture` are bytes that each costs beside its text, `leastText` those that the documents of a
 * message have at least, where they have more.
 */
export function recentHistory(
  db: Database,
  { sessionId, messageId }: { sessionId: string; messageId: string },
  { bytes, perMessage, perPicture, leastText }: HistoryBounds,
): Promise<Array<HistoryMessage & { assistant: string }>> {
  return db.rows(sql`
    with recursive up as (
      select m.id, m.parent_id, 0::bigint as below from chat_messages m
       where m.id = ${messageId} and m.session_id = ${sessionId}
      union all
      select m.parent_id, p.parent_id, up.below + cost.bytes
        from up join chat_messages m on m.id = up.id
        cross join lateral (
          select count(*) filter (where a.kind = 'image') as pictures, coalesce(sum(octet_length(a.text)), 0) as text
            from message_attachments f join attachments a on a.id = f.attachment_id where f.message_id = m.id) as files
        cross join lateral (
          select case when m.content = '' and files.pictures = 0 and files.text = 0 then 0
                      else octet_length(m.content) + ${perMessage}::bigint + files.pictures * ${perPicture}::bigint
                         + least(files.text, ${leastText}::bigint)
                 end as bytes) as cost
        join chat_messages p on p.id = m.parent_id
       where up.below < ${bytes})
    select m.role, m.content, m.depth, s.assistant,
           (select count(*)::int from image_pictures p where p.job_id = coalesce(m.drawn_by, m.generation_id)) as images,
           (select coalesce(json_agg(json_build_object('id', a.id, 'kind', a.kind, 'name', a.name,
                                                       'textBytes', octet_length(a.text)) order by f.position), '[]')
              from message_attachments f join attachments a on a.id = f.attachment_id where f.message_id = m.id) as attachments
      from up join chat_messages m on m.id = up.id join chat_sessions s on s.id = m.session_id
     order by m.depth desc`);
}

export async function textSoFar(db: Database, generationId: string): Promise<string> {
  const row = await db.row<{ content: string }>(sql`
    select content from chat_messages where generation_id = ${generationId}`);
  return row?.content ?? '';
}

export interface LeftOutOfReply {
  /** At the start of the chat. */
  messages: number;
  files: FileLeftOut[];
}

/** What the page says of a reply's request. */
export async function noteRequest(
  db: Database,
  generationId: string,
  { messages, files, assistant }: LeftOutOfReply & { assistant: string | null },
): Promise<void> {
  await db.run(sql`
    update chat_messages set left_out = ${messages}, files_left_out = ${files.length > 0 ? JSON.stringify(files) : null}::jsonb,
           assistant_name = ${assistant}
     where generation_id = ${generationId}`);
}

export interface StoredReply {
  /** Of its chat; null for one that was deleted meanwhile. */
  title_source: string | null;
}

export function replyStatement(closing: Statement, generationId: string, text: string): Statement {
  return sql`
    with c as materialized (${closing}), m as (
      update chat_messages set content = content || ${text}::text from c where generation_id = ${generationId} returning session_id), s as (
      update chat_sessions set updated_at = app_now() from m where id = m.session_id
      returning case when deleted_at is null then title_source end as title_source)
    select c.*, s.title_source from c left join s on true`;
}
