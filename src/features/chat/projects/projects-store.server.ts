import type { Database } from '#platform/database/database.server.ts';
import { erasable, restorable } from '#platform/database/soft-delete.server.ts';
import { raw, type Statement, sql } from '#platform/database/sql.server.ts';
import type { Invariant } from '#platform/feature-module.server.ts';
import type { ShownAttachment } from '../attachments/attachment-store.server.ts';
import { chatLimits } from '../contract.ts';
import { type ChatOfReply, chatProjectId } from '../knowledge/chat-keepers.server.ts';
import { knowledgeFiles, knowledgeIds } from '../knowledge/knowledge-store.server.ts';
import { type Project, type ProjectRow, projectLimits } from './projects-contract.ts';

const restorePeriod = `${chatLimits.restoreDays} days`;

/** For a row `s` of chats: the project that it is in, unless that is deleted. */
const fromProject = `from projects p where p.id = s.project_id and p.deleted_at is null`;
export const projectIdColumn = raw(`(select p.id ${fromProject}) as project_id`);
export const projectColumn = raw(
  `(select json_build_object('id', p.id, 'name', p.name) ${fromProject}) as project`,
);

/** For projects `p`: how many chats each one shows. */
const shownChats = raw(`(select count(*)::int from chat_sessions c
   where c.project_id = p.id and c.deleted_at is null and c.archived_at is null)`);

const columns = raw(
  `p.id, p.name, p.instructions, ${shownChats.text} as chats, ${knowledgeFiles('project').text} as files`,
);

/** SQL expression for the statement that lists the chats. Counts the chats of all projects in one query. */
export const projectList = (userId: string): Statement => sql`
  (select coalesce(json_agg(json_build_object('id', p.id, 'name', p.name, 'chats', coalesce(shown.chats, 0))
                            order by p.created_at desc, p.id desc), '[]')
     from projects p left join (
       select c.project_id, count(*)::int as chats from chat_sessions c
        where c.project_id = any(array(select id from projects where user_id = ${userId} and deleted_at is null))
          and c.deleted_at is null and c.archived_at is null group by c.project_id) shown on shown.project_id = p.id
    where p.user_id = ${userId} and p.deleted_at is null)`;

/** SQL expression for a statement that lists what is in projects: the names of all of them. */
export const projectNames = (userId: string): Statement => sql`
  (select coalesce(json_agg(json_build_object('id', p.id, 'name', p.name) order by lower(p.name), p.id), '[]')
     from projects p where p.user_id = ${userId} and p.deleted_at is null)`;

/** From clause for the person's own project with this id. */
export const fromOwnProject = (userId: string, id: string): Statement => sql`
  from projects p where p.id = ${id} and p.user_id = ${userId} and p.deleted_at is null`;

export async function listUserProjects(db: Database, userId: string): Promise<ProjectRow[]> {
  const row = await db.row<{ projects: ProjectRow[] }>(sql`select ${projectList(userId)} as projects`);
  return row?.projects ?? [];
}

export const ownProject = (db: Database, userId: string, id: string) =>
  db.row<Project & { files: ShownAttachment[] }>(sql`
    select ${columns} from projects p where p.id = ${id} and p.user_id = ${userId} and p.deleted_at is null`);

/** Locks the project, so that it is not deleted before the transaction ends. */
export async function lockProject(tx: Database, userId: string, id: string): Promise<boolean> {
  const row = await tx.row(sql`
    select 1 from projects where id = ${id} and user_id = ${userId} and deleted_at is null for share`);
  return row !== null;
}

/** Locks the count of the person's projects until the transaction ends. @returns whether there is room for another */
export async function canAddProject(tx: Database, userId: string): Promise<boolean> {
  await tx.run(sql`select 1 from users where id = ${userId} for update`);
  const row = await tx.row<{ room: boolean }>(sql`
    select count(*) < ${projectLimits.projects}::int as room from projects
     where user_id = ${userId} and deleted_at is null`);
  return row?.room ?? false;
}

/** @returns false if the id exists */
export async function insertProject(
  tx: Database,
  { id, userId, name, instructions }: { id: string; userId: string; name: string; instructions: string },
): Promise<boolean> {
  const added = await tx.run(sql`
    insert into projects (id, user_id, name, instructions)
    select ${id}::uuid, u.id, ${name}, ${instructions} from users u where u.id = ${userId} and u.deleted_at is null
    on conflict (id) do nothing`);
  return added > 0;
}

export const updateProject = (
  db: Database,
  userId: string,
  { id, name, instructions }: { id: string; name: string | null; instructions: string | null },
) =>
  db.run(sql`
    update projects
       set name = coalesce(${name}, name), instructions = coalesce(${instructions}, instructions), updated_at = app_now()
     where id = ${id} and user_id = ${userId} and deleted_at is null`);

/** Its chats keep their reference, so that restoring the project brings them back into it. */
export const deleteProject = (db: Database, userId: string, id: string) =>
  db.run(sql`
    update projects set deleted_at = app_now() where id = ${id} and user_id = ${userId} and deleted_at is null`);

export const restoreProject = (db: Database, userId: string, id: string) =>
  db.run(sql`
    update projects p set deleted_at = null
     where p.id = ${id} and p.user_id = ${userId} and ${restorable('p', restorePeriod)}`);

/** Chats of an erased project are in none. */
export const purgeProjects = (tx: Database) =>
  tx.run(sql`delete from projects p where ${erasable('p', restorePeriod)}`);

export const deleteProjectsOf = (tx: Database, userId: string) =>
  tx.run(sql`delete from projects where user_id = ${userId}`);

export const moveChats = (tx: Database, ids: string[], projectId: string | null) =>
  tx.run(sql`update chat_sessions set project_id = ${projectId} where id = any(${ids}::uuid[])`);

/** Query for the statement that starts a reply: the instructions of the chat's project, if any. */
export const instructionsOfProject = (userId: string, chat: ChatOfReply): Statement => sql`
  select nullif(p.instructions, '') from projects p
   where p.user_id = ${userId} and p.deleted_at is null
     and p.id = ${chatProjectId(chat)}`;

export const projectOwners: Invariant = {
  id: 'I32',
  description: 'a chat is only in a project of its own person, and a temporary chat is in none',
  violations: sql`select s.id from chat_sessions s join projects p on p.id = s.project_id
    where p.user_id <> s.user_id or s.temporary`,
};

export interface ProjectExportRow {
  id: string;
  name: string;
  instructions: string;
  file_ids: string[];
  created_at: Date;
  updated_at: Date;
  deleted_at: Date | null;
}

export const projectsToExport = (db: Database, userId: string) =>
  db.rows<ProjectExportRow>(sql`
    select p.id, p.name, p.instructions, p.created_at, p.updated_at, p.deleted_at, ${knowledgeIds('project')} as file_ids
      from projects p where p.user_id = ${userId} order by p.created_at, p.id`);
