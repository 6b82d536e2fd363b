import type { Database } from '#platform/database/database.server.ts';
import { raw, sql } from '#platform/database/sql.server.ts';
import type { SharedMessage, ShareSnapshot } from './contract.ts';

export interface ShareRow {
  id: string;
  user_id: string;
  chat_id: string;
  message_id: string | null;
  title: string;
  message_count: number;
  show_name: boolean;
  indexed: boolean;
  created_at: Date;
  updated_at: Date;
  ends_at: Date | null;
  ended: boolean;
  taken_down: boolean;
}

const columns =
  raw(`s.id, s.user_id, s.chat_id, s.message_id, s.title, s.message_count, s.show_name, s.indexed,
  s.created_at, s.updated_at, s.ends_at, coalesce(s.ends_at <= app_now(), false) as ended,
  s.taken_down_at is not null as taken_down`);

const withLiveChat = raw('shares s join chat_sessions c on c.id = s.chat_id and c.deleted_at is null');

/** Those of deleted chats come back with them. */
export const sharesOf = (db: Database, userId: string) =>
  db.rows<ShareRow>(sql`
    select ${columns} from ${withLiveChat} where s.user_id = ${userId} order by s.created_at desc, s.id desc`);

export const ownShare = (db: Database, userId: string, id: string) =>
  db.row<ShareRow>(sql`select ${columns} from ${withLiveChat} where s.id = ${id} and s.user_id = ${userId}`);

export const lockShare = (tx: Database, userId: string, id: string) =>
  tx.row<ShareRow>(sql`
    select ${columns} from ${withLiveChat} where s.id = ${id} and s.user_id = ${userId} for update of s`);

export interface StoredSource {
  chatId: string;
  messageId: string | null;
}

export const shareOfSource = (db: Database, userId: string, { chatId, messageId }: StoredSource) =>
  db.row<ShareRow>(sql`
    select ${columns} from ${withLiveChat}
     where s.user_id = ${userId} and s.chat_id = ${chatId} and s.message_id is not distinct from ${messageId}::uuid`);

/** Until the transaction ends, so that pages made at the same moment are counted. */
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

export interface NewShare extends StoredSource {
  id: string;
  userId: string;
  snapshot: ShareSnapshot;
  showName: boolean;
  indexed: boolean;
  days: number | null;
}

export async function insertShare(tx: Database, share: NewShare): Promise<void> {
  const { title, messages } = share.snapshot;
  await tx.run(sql`
    insert into shares (id, user_id, chat_id, message_id, title, messages, message_count, show_name, indexed, ends_at)
    values (${share.id}, ${share.userId}, ${share.chatId}, ${share.messageId}, ${title}, ${JSON.stringify(messages)}::jsonb,
            ${messages.length}, ${share.showName}, ${share.indexed}, ${endsAfter(share.days)})`);
}

/** @param change undefined `days` keep the end. */
export async function updateOptions(
  tx: Database,
  id: string,
  change: { showName: boolean; indexed: boolean; days: number | null | undefined },
): Promise<void> {
  const end = change.days === undefined ? raw('ends_at') : endsAfter(change.days);
  await tx.run(sql`
    update shares set show_name = ${change.showName}, indexed = ${change.indexed}, ends_at = ${end} where id = ${id}`);
}

export async function updateSnapshot(
  tx: Database,
  id: string,
  { title, messages }: ShareSnapshot,
): Promise<void> {
  await tx.run(sql`
    update shares set title = ${title}, messages = ${JSON.stringify(messages)}::jsonb, message_count = ${messages.length},
           updated_at = app_now() where id = ${id}`);
}

/** What was taken down stays, so that it is not shared again. */
export const deleteShare = (db: Database, userId: string, id: string) =>
  db.run(sql`delete from shares where id = ${id} and user_id = ${userId} and taken_down_at is null`);

export const deleteEndedShares = (db: Database) =>
  db.run(sql`delete from shares where ends_at <= app_now() and taken_down_at is null`);

export const deleteSharesOf = (tx: Database, userId: string) =>
  tx.run(sql`delete from shares where user_id = ${userId}`);

export interface ShownRow extends ShareRow {
  messages: SharedMessage[];
  owner: string;
}

/** While its chat and its owner are there. */
const shown = (id: string) => sql`
  from ${withLiveChat} join users u on u.id = s.user_id
 where s.id = ${id} and s.taken_down_at is null and (s.ends_at is null or s.ends_at > app_now())
   and u.deleted_at is null and u.banned_at is null and u.erased_at is null`;

export const shownShare = (db: Database, id: string) =>
  db.row<ShownRow>(sql`select ${columns}, s.messages, u.name as owner ${shown(id)}`);

/** Reports of one page are counted one after the other. */
export const lockShown = (tx: Database, id: string) =>
  tx.row<ShareRow>(sql`select ${columns} ${shown(id)} for update of s`);

export const sharesAfter = (db: Database, userId: string, after: string | null, limit: number) =>
  db.rows<ShareRow & { messages: SharedMessage[] | null }>(sql`
    select ${columns}, s.messages from shares s where s.user_id = ${userId} and (${after}::text is null or s.id > ${after}::text)
     order by s.id limit ${limit}`);
