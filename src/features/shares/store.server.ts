import type { Database } from '#platform/database/database.server.ts';
import { raw, sql } from '#platform/database/sql.server.ts';
import type { SharedMessage, ShareKind } from './contract.ts';
import type { Snapshot, StoredSource } from './source.server.ts';

export interface ShareRow {
  id: string;
  user_id: string;
  kind: ShareKind;
  chat_id: string | null;
  message_id: string | null;
  work_id: string | null;
  picture_ids: string[] | null;
  title: string;
  count: number;
  show_name: boolean;
  show_prompts: boolean;
  indexed: boolean;
  created_at: Date;
  updated_at: Date;
  ends_at: Date | null;
  ended: boolean;
  taken_down: boolean;
}

const columns =
  raw(`s.id, s.user_id, coalesce(s.kind, case when s.message_id is null then 'chat' else 'reply' end) as kind,
  s.chat_id, s.message_id, s.work_id, s.picture_ids, s.title, s.message_count as count, s.show_name, s.show_prompts,
  s.indexed, s.created_at, s.updated_at, s.ends_at, coalesce(s.ends_at <= app_now(), false) as ended,
  s.taken_down_at is not null as taken_down`);

/** What the page shows is not deleted (of images, one must be left); if it is restored, the page works again. */
const isLive = raw(`
  case when s.chat_id is not null
         then exists (select 1 from chat_sessions c where c.id = s.chat_id and c.deleted_at is null)
       when s.work_id is not null
         then exists (select 1 from works w where w.id = s.work_id and w.deleted_at is null)
       else exists (select 1 from image_pictures p join image_jobs j on j.id = p.job_id
                     where p.id = any(s.picture_ids) and p.deleted_at is null and j.deleted_at is null) end`);

export const sharesOf = (db: Database, userId: string) =>
  db.rows<ShareRow>(sql`
    select ${columns} from shares s where s.user_id = ${userId} and ${isLive} order by s.created_at desc, s.id desc`);

const selectOwn = (userId: string, id: string) =>
  sql`select ${columns} from shares s where s.id = ${id} and s.user_id = ${userId} and ${isLive}`;

export const ownShare = (db: Database, userId: string, id: string) => db.row<ShareRow>(selectOwn(userId, id));

export const lockShare = (tx: Database, userId: string, id: string) =>
  tx.row<ShareRow>(sql`${selectOwn(userId, id)} for update of s`);

/** Also finds a page that was taken down with any of these images: they must not be shared again. */
export const shareOfSource = (db: Database, userId: string, source: StoredSource) =>
  db.row<ShareRow>(sql`
    select ${columns} from shares s
     where s.user_id = ${userId} and s.chat_id is not distinct from ${source.chatId}::uuid
       and s.message_id is not distinct from ${source.messageId}::uuid
       and s.work_id is not distinct from ${source.workId}::uuid
       and (s.picture_ids is not distinct from ${source.pictureIds}::uuid[]
            or (s.taken_down_at is not null and s.picture_ids && ${source.pictureIds}::uuid[])) and ${isLive}
     order by s.taken_down_at is null limit 1`);

/** Locks the owner until the transaction ends, so that concurrent pages are counted. */
export async function lockOwner(tx: Database, userId: string): Promise<boolean> {
  const row = await tx.row(sql`
    select 1 from users where id = ${userId} and deleted_at is null and banned_at is null for update`);
  return row !== null;
}

export async function countShares(tx: Database, userId: string): Promise<number> {
  const row = await tx.row<{ count: number }>(sql`
    select count(*)::int as count from shares
     where user_id = ${userId} and taken_down_at is null and (ends_at is null or ends_at > app_now())`);
  return row?.count ?? 0;
}

const endsAfter = (days: number | null) =>
  sql`(case when ${days}::int is null then null else app_now() + ${days}::int * interval '1 day' end)`;

const json = (messages: SharedMessage[] | null) => messages && JSON.stringify(messages);

interface Options {
  showName: boolean;
  showPrompts: boolean;
  indexed: boolean;
}

export interface NewShare extends Options {
  id: string;
  userId: string;
  kind: ShareKind;
  source: StoredSource;
  snapshot: Snapshot;
  days: number | null;
}

export async function insertShare(tx: Database, share: NewShare): Promise<void> {
  const { chatId, messageId, workId, pictureIds } = share.source;
  const { title, count, messages, content } = share.snapshot;
  const kind = chatId === null ? share.kind : null;
  await tx.run(sql`
    insert into shares (id, user_id, kind, chat_id, message_id, work_id, picture_ids, title, messages, content,
                        message_count, show_name, show_prompts, indexed, ends_at)
    values (${share.id}, ${share.userId}, ${kind}, ${chatId}, ${messageId}, ${workId}, ${pictureIds}::uuid[], ${title},
            ${json(messages)}::jsonb, ${content}, ${count}, ${share.showName}, ${share.showPrompts}, ${share.indexed},
            ${endsAfter(share.days)})`);
}

/** @param change `days` undefined: keeps the end. */
export async function updateOptions(
  tx: Database,
  id: string,
  change: Options & { days: number | null | undefined },
): Promise<void> {
  const end = change.days === undefined ? raw('ends_at') : endsAfter(change.days);
  await tx.run(sql`
    update shares set show_name = ${change.showName}, show_prompts = ${change.showPrompts}, indexed = ${change.indexed},
           ends_at = ${end} where id = ${id}`);
}

export async function updateSnapshot(tx: Database, id: string, snapshot: Snapshot): Promise<void> {
  const { title, count, messages, content } = snapshot;
  await tx.run(sql`
    update shares set title = ${title}, messages = ${json(messages)}::jsonb, content = ${content}, message_count = ${count},
           updated_at = app_now() where id = ${id}`);
}

/** Pages that were taken down stay, so that they are not shared again. */
export const deleteShare = (db: Database, userId: string, id: string) =>
  db.run(sql`delete from shares where id = ${id} and user_id = ${userId} and taken_down_at is null`);

export const deleteEndedShares = (db: Database) =>
  db.run(sql`delete from shares where ends_at <= app_now() and taken_down_at is null`);

/** Deletes pages whose images have all been erased. */
export const deleteEmptyShares = (db: Database) =>
  db.run(sql`
    delete from shares s where s.picture_ids is not null
       and not exists (select 1 from image_pictures p where p.id = any(s.picture_ids))`);

export const deleteSharesOf = (tx: Database, userId: string) =>
  tx.run(sql`delete from shares where user_id = ${userId}`);

export interface ShownRow extends ShareRow {
  messages: SharedMessage[] | null;
  content: string | null;
  owner: string;
}

/** Only while the owner's account exists and is not banned. */
const fromShown = (id: string) => sql`
  from shares s join users u on u.id = s.user_id
 where s.id = ${id} and s.taken_down_at is null and (s.ends_at is null or s.ends_at > app_now())
   and u.deleted_at is null and u.banned_at is null and u.erased_at is null and ${isLive}`;

export const shownShare = (db: Database, id: string) =>
  db.row<ShownRow>(sql`select ${columns}, s.messages, s.content, u.name as owner ${fromShown(id)}`);

/** Locks the page, so that its reports are counted one after the other. */
export const lockShown = (tx: Database, id: string) =>
  tx.row<ShareRow>(sql`select ${columns} ${fromShown(id)} for update of s`);

export const sharesAfter = (db: Database, userId: string, after: string | null, limit: number) =>
  db.rows<ShareRow & Pick<ShownRow, 'messages' | 'content'>>(sql`
    select ${columns}, s.messages, s.content from shares s
     where s.user_id = ${userId} and (${after}::text is null or s.id > ${after}::text)
     order by s.id limit ${limit}`);
