import type { Database } from '../../platform/database/database.server.ts';
import { raw, type Statement, sql } from '../../platform/database/sql.server.ts';
import type { FinishReason, GenerationState } from '../generations/contract.ts';
import type { Attachment } from './attachments/contract.ts';

export interface SessionRow {
  id: string;
  user_id: string;
  title: string;
  title_source: 'default' | 'model' | 'user';
  updated_at: Date;
  assistant: string;
  /** End of the branch that is shown; null: the newest. */
  tip_id: string | null;
}

export interface MessageRow {
  id: string;
  parent_id: string | null;
  role: 'user' | 'assistant';
  content: string;
  created_at: Date;
  generation_id: string | null;
  state: GenerationState | null;
  finish_reason: FinishReason | null;
  error_message: string | null;
  credits_charged: number | null;
  model: string | null;
  taken_over: number;
  left_out: number;
  versions: string[] | null;
  attachment: Attachment | null;
}

/** All of `MessageRow` of a message `m`. */
const messageColumns = raw(`
  m.id, m.parent_id, m.role, m.content, m.created_at, m.generation_id, m.taken_over, m.left_out,
  g.state, g.finish_reason, g.error_message, g.credits_charged,
  (select c.model from gateway_calls c where c.generation_id = g.id order by c.started_at limit 1) as model,
  (select array_agg(v.id order by v.position) from chat_messages v
    where v.session_id = m.session_id and (v.parent_id = m.parent_id or m.parent_id is null and v.parent_id is null)
   having count(*) > 1) as versions,
  (select json_build_object('id', a.id, 'kind', a.kind, 'name', a.name, 'bytes', a.bytes, 'width', a.width,
          'height', a.height, 'pages', a.pages, 'pagesRead', a.pages_read, 'note', a.note)
     from attachments a where a.id = m.attachment_id) as attachment`);

/** The owner's chat, or null for a stranger's, a deleted or a missing one. */
export function ownSession(db: Database, userId: string, id: string): Promise<SessionRow | null> {
  return db.row<SessionRow>(sql`
    select id, user_id, title, title_source, updated_at, assistant, tip_id from chat_sessions
     where id = ${id} and user_id = ${userId} and deleted_at is null`);
}

export async function newestSessionId(db: Database, userId: string): Promise<string | null> {
  const row = await db.row<{ id: string }>(sql`
    select id from chat_sessions where user_id = ${userId} and deleted_at is null order by updated_at desc, id desc limit 1`);
  return row?.id ?? null;
}

export interface ListedRow {
  id: string;
  title: string;
  updated_at: Date;
  running: boolean;
}

/** Chats by last update, newest first, after the cursor (`updated_at`, `id`). */
export function sessionPage(
  db: Database,
  userId: string,
  before: { at: string; id: string } | null,
  limit: number,
): Promise<ListedRow[]> {
  return db.rows(sql`
    select s.id, s.title, s.updated_at,
           exists (select 1 from generations g join chat_messages m on m.generation_id = g.id
                    where g.user_id = ${userId} and g.state in ('queued', 'running') and m.session_id = s.id) as running
      from chat_sessions s
     where s.user_id = ${userId} and s.deleted_at is null
       and (${before?.at ?? null}::timestamptz is null or (s.updated_at, s.id) < (${before?.at ?? null}::timestamptz, ${before?.id ?? null}::uuid))
     order by s.updated_at desc, s.id desc limit ${limit}`);
}

/** Makes a chat unless the id is taken. */
export async function insertSession(
  tx: Database,
  row: { id: string; userId: string; title: string; source: string },
): Promise<void> {
  await tx.run(sql`
    insert into chat_sessions (id, user_id, title, title_source) values (${row.id}, ${row.userId}, ${row.title}, ${row.source})
    on conflict (id) do nothing`);
}

/** What `write_exchange` of the migrations answers. */
export interface WrittenExchange {
  /** null when there is none any more. */
  session_id: string | null;
  title: string;
  is_new: boolean;
  message_id: string;
  content: string;
  reply_id: string;
}

/** What a run writes down beside its admission. */
export interface ExchangeRow {
  userId: string;
  chatId: string;
  /** The assistant of the chat that is made if it does not exist; null makes none. */
  create: string | null;
  replyId: string;
  question: Question;
  /** The reply that is gone on with, and the UTF-16 units of it. */
  continues: { id: string; length: number } | null;
}

/** A new question, or with `text` null the one that is answered again. */
export interface Question {
  id: string;
  text: string | null;
  parentId: string | null;
  /** The question that this one is another version of. */
  replaces: string | null;
  attachmentId: string | null;
}

/** The admission of a reply and the rows of its exchange, in one statement. */
export function exchangeStatement(admission: Statement, row: ExchangeRow): Statement {
  const { question, continues } = row;
  return sql`
    with a as materialized (${admission})
    select a.*, w.* from a left join lateral write_exchange(a.verdict, a.generation_id, ${row.userId}, ${row.chatId},
      ${row.create}, ${question.id}, ${row.replyId}, ${question.text}, ${question.parentId}, ${question.replaces},
      ${question.attachmentId}, ${continues?.id ?? null}, ${continues?.length ?? 0}) w on true`;
}

/** Gives a chat the title that its owner chose. */
export async function setTitle(db: Database, sessionId: string, title: string): Promise<void> {
  await db.run(sql`update chat_sessions set title = ${title}, title_source = 'user' where id = ${sessionId}`);
}

/** The closing of a title's run, and the title where nobody gave one. */
export function titleStatement(closing: Statement, sessionId: string, title: string): Statement {
  return sql`
    with c as materialized (${closing}), w as (
      update chat_sessions set title = ${title}, title_source = 'model' from c
       where id = ${sessionId} and title_source = 'default')
    select * from c`;
}

export async function softDelete(db: Database, userId: string, id: string): Promise<number> {
  return db.run(sql`
    update chat_sessions set deleted_at = app_now() where id = ${id} and user_id = ${userId} and deleted_at is null`);
}

/** The newest message of a chat: the end of its newest branch. */
export async function newestMessageId(db: Database, sessionId: string): Promise<string | null> {
  const row = await db.row<{ id: string }>(sql`
    select id from chat_messages where session_id = ${sessionId} order by position desc limit 1`);
  return row?.id ?? null;
}

/** A message of this chat, or null. */
export function messageOf(db: Database, sessionId: string, id: string): Promise<MessageRow | null> {
  return db.row<MessageRow>(sql`
    select ${messageColumns}
      from chat_messages m left join generations g on g.id = m.generation_id
     where m.id = ${id} and m.session_id = ${sessionId}`);
}

/** From a message up to the root, newest first, at most `limit`. */
export function branch(
  db: Database,
  sessionId: string,
  leafId: string,
  limit: number,
): Promise<MessageRow[]> {
  return db.rows<MessageRow>(sql`
    with recursive up as (
      select id, parent_id, depth from chat_messages where id = ${leafId} and session_id = ${sessionId}
      union all
      select p.id, p.parent_id, p.depth from chat_messages p join up on p.id = up.parent_id),
    page as (select id, depth from up limit ${limit})
    select ${messageColumns}
      from page join chat_messages m on m.id = page.id left join generations g on g.id = m.generation_id
     order by page.depth desc`);
}

/** The closing of a reply's run, its text as the message's content, and the chat's time. */
export function replyStatement(closing: Statement, generationId: string, text: string): Statement {
  return sql`
    with c as materialized (${closing}), m as (
      update chat_messages set content = content || ${text}::text from c where generation_id = ${generationId} returning session_id), s as (
      update chat_sessions set updated_at = app_now() from m where id = m.session_id)
    select * from c`;
}

/** Removes chats deleted before the limit, and the stored texts of their runs. Returns how many chats went. */
export async function purgeDeleted(tx: Database, olderThanDays: number): Promise<number> {
  const old = sql`s.deleted_at < app_now() - ${olderThanDays}::int * interval '1 day'`;
  await tx.run(sql`
    update generations g set text = '' from chat_messages m join chat_sessions s on s.id = m.session_id
     where m.generation_id = g.id and g.finished_at is not null and ${old}`);
  await tx.run(sql`
    update generations g set text = '' from chat_sessions s
     where g.feature = 'title' and g.user_id = s.user_id and g.input ->> 'sessionId' = s.id::text
       and g.finished_at is not null and ${old}`);
  return tx.run(sql`delete from chat_sessions s where ${old}`);
}
