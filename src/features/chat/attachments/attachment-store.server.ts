import type { Database } from '#platform/database/database.server.ts';
import { raw, type Statement, sql } from '#platform/database/sql.server.ts';
import { type Attachment, docxType, epubType, xlsxType } from '../contract.ts';
import type { LeftOut } from './left-out.server.ts';

export interface AttachmentRow {
  id: string;
  user_id: string;
  /** 'pdf' means any document, because earlier builds send all documents as PDFs; `type` is the exact type. */
  kind: 'image' | 'pdf';
  name: string;
  type: string;
  bytes: number;
  file_key: string;
  width: number | null;
  height: number | null;
  pages: number | null;
  pages_read: number | null;
  text: string | null;
  left_out: LeftOut | null;
  /** A sentence instead of `left_out`, in older rows. */
  note: string | null;
  created_at: Date;
}

/** A file as the request for a reply needs it. */
export interface SentFile {
  id: string;
  kind: 'image' | 'pdf';
  name: string;
  /** UTF-8 bytes of a document's text; null for pictures. */
  textBytes: number | null;
}

export const textType = 'text/plain';

const unpaged = { [textType]: 'text', [docxType]: 'docx', [xlsxType]: 'xlsx', [epubType]: 'epub' } as const;
const unpagedTypes = Object.keys(unpaged).map((type) => `'${type}'`);

/** The kind of a row `a`. */
export const shownKind = raw(
  `case a.type ${Object.entries(unpaged)
    .map(([type, kind]) => `when '${type}' then '${kind}'`)
    .join(' ')} else a.kind end`,
);

/** Null for documents without pages. */
export const shownPages = (column: 'pages' | 'pages_read') =>
  `case when a.type in (${unpagedTypes.join(', ')}) then null else a.${column} end`;

export const attachmentKind = ({ kind, type }: Pick<AttachmentRow, 'kind' | 'type'>): Attachment['kind'] =>
  unpaged[type as keyof typeof unpaged] ?? kind;

/** The note is generated from `left_out` when it is shown. */
export type ShownAttachment = Attachment & { left_out: LeftOut | null };

export const shownAttachment =
  raw(`json_build_object('id', a.id, 'kind', ${shownKind.text}, 'name', a.name, 'bytes', a.bytes,
    'width', a.width, 'height', a.height, 'pages', ${shownPages('pages')},
    'pagesRead', ${shownPages('pages_read')},
    'textBytes', octet_length(a.text), 'note', a.note, 'left_out', a.left_out)`);

/** How long an unused file is kept; until then a removed one can be added again. */
const keptUntil = raw(`coalesce(a.removed_at + interval '30 minutes', a.created_at + interval '24 hours')`);

const isReferenced = raw(`(exists (select 1 from message_attachments f where f.attachment_id = a.id)
  or exists (select 1 from knowledge_files k where k.attachment_id = a.id))`);

export const insertAttachment = (db: Database, row: Omit<AttachmentRow, 'created_at' | 'note'>) =>
  db.row<AttachmentRow>(sql`
    insert into attachments (id, user_id, kind, name, type, bytes, file_key, width, height, pages, pages_read, text, left_out)
    select ${row.id}, u.id, ${row.kind}, ${row.name}, ${row.type}, ${row.bytes}, ${row.file_key}, ${row.width}::int,
           ${row.height}::int, ${row.pages}::int, ${row.pages_read}::int, ${row.text}::text,
           ${row.left_out && JSON.stringify(row.left_out)}::jsonb
      from users u where u.id = ${row.user_id} and u.deleted_at is null
    returning *`);

/** Returns files of chats, projects and assistants that are not deleted, and unused files that are not too old. */
export const visibleAttachments = (db: Database, userId: string, ids: string[]) =>
  db.rows<AttachmentRow>(sql`
    select a.* from attachments a where a.id = any(${ids}::uuid[]) and a.user_id = ${userId}
       and (exists (select 1 from message_attachments f join chat_messages m on m.id = f.message_id
                      join chat_sessions s on s.id = m.session_id
                     where f.attachment_id = a.id and s.deleted_at is null)
            or exists (select 1 from knowledge_files k left join projects p on p.id = k.project_id
                         left join own_assistants o on o.id = k.assistant_id
                        where k.attachment_id = a.id and coalesce(p.deleted_at, o.deleted_at) is null)
            or (not ${isReferenced} and ${keptUntil} > app_now()))`);

export const visibleAttachment = async (db: Database, userId: string, id: string) =>
  (await visibleAttachments(db, userId, [id]))[0] ?? null;

/** Returns anybody's files: the caller must have checked access to the chat. */
export const attachmentsByIds = (db: Database, ids: string[]) =>
  db.rows<AttachmentRow>(sql`select * from attachments where id = any(${ids}::uuid[])`);

/** Removed files no longer count, unless something else refers to them. */
export async function storageUsed(db: Database, userId: string): Promise<number> {
  const row = await db.row<{ bytes: number }>(sql`
    select coalesce(sum(a.bytes), 0)::float8 as bytes from attachments a
     where a.user_id = ${userId} and (a.removed_at is null or ${isReferenced})`);
  return row?.bytes ?? 0;
}

/** Locks the file, so that no message can start to refer to it. */
export async function lockOwn(tx: Database, userId: string, id: string): Promise<string[]> {
  const rows = await tx.rows<{ id: string }>(sql`
    select id from attachments where id = ${id} and user_id = ${userId} for update`);
  return rows.map((row) => row.id);
}

export async function lockUnused(tx: Database, limit: number): Promise<string[]> {
  const rows = await tx.rows<{ id: string }>(sql`
    select a.id from attachments a where ${keptUntil} <= app_now() and not ${isReferenced}
     order by a.created_at limit ${limit} for update skip locked`);
  return rows.map((row) => row.id);
}

/** Starts the 30 minutes after which an unused file is erased. */
export const markRemoved = (tx: Database, id: string) =>
  tx.run(sql`update attachments a set removed_at = app_now() where a.id = ${id} and not ${isReferenced}`);

/** @returns the keys of their files */
export async function deleteUnreferenced(tx: Database, ids: string[]): Promise<string[]> {
  const rows = await tx.rows<{ file_key: string }>(sql`
    delete from attachments a where a.id = any(${ids}::uuid[]) and not ${isReferenced} returning a.file_key`);
  return rows.map((row) => row.file_key);
}

/** @returns the keys of their files */
export async function deleteAttachmentsOf(tx: Database, userId: string): Promise<string[]> {
  const rows = await tx.rows<{ file_key: string }>(sql`
    delete from attachments where user_id = ${userId} returning file_key`);
  return rows.map((row) => row.file_key);
}

export const attachmentKeys: Statement = sql`select file_key as key from attachments`;

export async function unknownKeys(db: Database, keys: string[]): Promise<string[]> {
  const rows = await db.rows<{ key: string }>(sql`
    select k.key from unnest(${keys}::text[]) as k(key)
     where not exists (select 1 from attachments a where a.file_key = k.key)`);
  return rows.map((row) => row.key);
}

/** Sent only in temporary chats, and used nowhere else. */
const onlyTemporary =
  raw(`(coalesce((select bool_and(s.temporary) from message_attachments f join chat_messages m on m.id = f.message_id
                   join chat_sessions s on s.id = m.session_id where f.attachment_id = a.id), false)
       and not exists (select 1 from knowledge_files k where k.attachment_id = a.id))`);

/** Returns everybody's files or, with `userId`, those that this person keeps. */
export const attachmentsAfter = (
  db: Database,
  { userId, after, limit }: { userId?: string; after: string | null; limit: number },
) =>
  db.rows<AttachmentRow>(sql`
    select * from attachments a
     where (${userId ?? null}::uuid is null or (a.user_id = ${userId ?? null}::uuid and not ${onlyTemporary}))
       and (${after}::uuid is null or a.id > ${after}::uuid) order by a.id limit ${limit}`);
