import type { Database } from '#platform/database/database.server.ts';
import { olderThan, type TimeCursor } from '#platform/database/page.server.ts';
import { erasable, restorable } from '#platform/database/soft-delete.server.ts';
import { raw, type Statement, sql } from '#platform/database/sql.server.ts';
import { type ChatView, chatLimits } from './contract.ts';
import { ownAssistantColumn, purgeAssistants } from './own-assistants/own-assistants-store.server.ts';
import type { ProjectRow } from './projects/projects-contract.ts';
import {
  projectColumn,
  projectIdColumn,
  projectList,
  purgeProjects,
} from './projects/projects-store.server.ts';

export const restorePeriod = `${chatLimits.restoreDays} days`;

export interface SessionRow {
  id: string;
  user_id: string;
  title: string;
  title_source: 'default' | 'model' | 'user';
  updated_at: Date;
  archived_at: Date | null;
  assistant: string;
  own_assistant_id: string | null;
  own: ChatView['own'];
  tip_id: string | null;
  temporary: boolean;
  model: string | null;
  compared_model: string | null;
  project: ChatView['project'];
}

export const ownSession = (db: Database, userId: string, id: string) =>
  db.row<SessionRow>(sql`
    select s.id, s.user_id, s.title, s.title_source, s.updated_at, s.archived_at, s.assistant, s.own_assistant_id, s.tip_id, s.temporary, s.model, s.compared_model,
           ${projectColumn}, ${ownAssistantColumn}
      from chat_sessions s where s.id = ${id} and s.user_id = ${userId} and s.deleted_at is null`);

export async function newestSessionId(db: Database, userId: string): Promise<string | null> {
  const row = await db.row<{ id: string }>(sql`
    select id from chat_sessions
     where user_id = ${userId} and deleted_at is null and archived_at is null and not temporary
     order by updated_at desc, id desc limit 1`);
  return row?.id ?? null;
}

export interface ListedRow {
  id: string;
  title: string;
  provisional: boolean;
  updated_at: Date;
  running: boolean;
  pinned_at: Date | null;
  archived_at: Date | null;
  project_id: string | null;
  assistant: string;
}

const listedColumns =
  raw(`s.id, s.title, s.title_source = 'default' as provisional, s.updated_at, s.pinned_at, s.archived_at, ${projectIdColumn.text}, coalesce(s.own_assistant_id::text, s.assistant) as assistant,
  exists (select 1 from generations g join chat_messages m on m.generation_id = g.id
           where g.user_id = s.user_id and g.state in ('queued', 'running') and m.session_id = s.id) as running`);

export const listedSessions = (db: Database, userId: string, ids: string[]) =>
  db.rows<ListedRow>(sql`
    select ${listedColumns} from chat_sessions s
     where s.id = any(${ids}::uuid[]) and s.user_id = ${userId} and s.deleted_at is null
     order by s.updated_at desc, s.id desc`);

const isListed = (userId: string) =>
  sql`s.user_id = ${userId} and s.deleted_at is null and s.archived_at is null and not s.temporary`;

interface SessionPage {
  rows: ListedRow[];
  projects: ProjectRow[];
}

/** The first page also has the projects, and the pinned chats before the `limit` others. */
export async function sessionPage(
  db: Database,
  userId: string,
  before: TimeCursor | null,
  limit: number,
): Promise<SessionPage> {
  const own = isListed(userId);
  const others = sql`
    select ${listedColumns} from chat_sessions s where ${own} and s.pinned_at is null and ${olderThan('s', before)}
     order by s.updated_at desc, s.id desc limit ${limit}`;
  if (before) return { rows: await db.rows<ListedRow>(others), projects: [] };
  // Without chats there is one row, with only the projects.
  const rows = await db.rows<ListedRow & { projects: ProjectRow[] }>(sql`
    select listed.*, p.projects from (select ${projectList(userId)} as projects) p left join (
      (select ${listedColumns} from chat_sessions s where ${own} and s.pinned_at is not null) union all (${others})) listed on true
     order by listed.pinned_at desc nulls last, listed.updated_at desc, listed.id desc`);
  return { rows: rows.filter(({ id }) => id !== null), projects: rows[0]?.projects ?? [] };
}

export const projectPage = (
  db: Database,
  { userId, projectId }: { userId: string; projectId: string },
  before: TimeCursor | null,
  limit: number,
) =>
  db.rows<ListedRow>(sql`
    select ${listedColumns} from chat_sessions s
     where ${isListed(userId)} and s.project_id = ${projectId} and ${olderThan('s', before)}
     order by s.updated_at desc, s.id desc limit ${limit}`);

export const archivedPage = (db: Database, userId: string, before: TimeCursor | null, limit: number) =>
  db.rows<ListedRow & { archived_at: Date }>(sql`
    select ${listedColumns} from chat_sessions s
     where s.user_id = ${userId} and s.deleted_at is null and s.archived_at is not null
       and ${before ? sql`(s.archived_at, s.id) < (${before.at}::timestamptz, ${before.id}::uuid)` : sql`true`}
     order by s.archived_at desc, s.id desc limit ${limit}`);

export async function insertSession(
  tx: Database,
  row: { id: string; userId: string; title: string; source: string },
): Promise<void> {
  await tx.run(sql`
    insert into chat_sessions (id, user_id, title, title_source) values (${row.id}, ${row.userId}, ${row.title}, ${row.source})
    on conflict (id) do nothing`);
}

export async function setTitle(db: Database, sessionId: string, title: string): Promise<void> {
  await db.run(sql`update chat_sessions set title = ${title}, title_source = 'user' where id = ${sessionId}`);
}

export const deletedSession = (db: Database, userId: string, id: string) =>
  db.row<{ id: string; title: string }>(sql`
    select id, title from chat_sessions
     where id = ${id} and user_id = ${userId} and not temporary and ${restorable('chat_sessions', restorePeriod)}`);

export async function purgeDeleted(tx: Database): Promise<number> {
  const isExpired = erasable('s', restorePeriod);
  await tx.run(sql`
    update generations g set text = '' from chat_messages m join chat_sessions s on s.id = m.session_id
     where m.generation_id = g.id and g.finished_at is not null and ${isExpired}`);
  await tx.run(sql`
    delete from thinking t using chat_messages m join chat_sessions s on s.id = m.session_id
     where m.generation_id = t.generation_id and ${isExpired}`);
  await tx.run(sql`
    delete from web_searches w using chat_messages m join chat_sessions s on s.id = m.session_id
     where m.generation_id = w.generation_id and ${isExpired}`);
  await tx.run(sql`
    update generations g set text = '' from chat_sessions s
     where g.feature = 'title' and g.user_id = s.user_id and g.input ->> 'sessionId' = s.id::text
       and g.finished_at is not null and ${isExpired}`);
  await purgeProjects(tx);
  await purgeAssistants(tx);
  return tx.run(sql`delete from chat_sessions s where ${isExpired}`);
}

/** The columns of the first question and its reply, in a statement that also writes the `admission`. */
export const withFirstMessages = (admission: Statement, sessionId: string, length: number): Statement => sql`
  select a.*, f.question, f.reply from (${admission}) a left join lateral (
    select left(q.content, ${length}::int) as question, left(r.content, ${length}::int) as reply
      from chat_messages q join chat_messages r on r.parent_id = q.id
     where q.session_id = ${sessionId} and q.role = 'user' and r.content <> ''
     order by r.depth, r.position desc limit 1) f on true`;

export function titleStatement(closing: Statement, sessionId: string, title: string | null): Statement {
  return sql`
    with c as materialized (${closing}), w as (
      update chat_sessions set title = coalesce(${title}, chat_sessions.title), title_source = 'model' from c
       where id = ${sessionId} and title_source = 'default')
    select * from c`;
}
