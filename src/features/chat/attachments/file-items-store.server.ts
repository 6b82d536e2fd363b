import type { Database } from '#platform/database/database.server.ts';
import {
  anyRow,
  containsWords,
  detailsOf,
  type ItemQuery,
  type ItemSource,
  idIn,
  idsContaining,
  itemPage,
} from '#platform/database/item-list.server.ts';
import { raw, type Statement, sql } from '#platform/database/sql.server.ts';
import { fromOwnProject } from '../projects/projects-store.server.ts';

const lowerName = raw('lower(a.name)');

const fromMessages = (attachment: string): Statement => sql`
  from message_attachments f join chat_messages m on m.id = f.message_id join chat_sessions s on s.id = m.session_id
 where f.attachment_id = ${raw(attachment)} and s.deleted_at is null and not s.temporary`;

const fromKeepers = (attachment: string): Statement => sql`
  from knowledge_files k left join projects p on p.id = k.project_id left join own_assistants o on o.id = k.assistant_id
 where k.attachment_id = ${raw(attachment)} and coalesce(p.deleted_at, o.deleted_at) is null`;

const isUsed = sql`(${anyRow(fromMessages('a.id'))} or ${anyRow(fromKeepers('a.id'))})`;

const isInProject = (userId: string, projectId: string): Statement => sql`
  a.id = any(array(select k.attachment_id from knowledge_files k where k.project_id = ${projectId}))
  and ${anyRow(fromOwnProject(userId, projectId))}`;

const condition = (query: ItemQuery, candidates: string[] | null): Statement => sql`
  a.user_id = ${query.userId} and ${idIn('a.id', candidates)} and ${containsWords(lowerName, query.words)}
  and ${query.projectId ? isInProject(query.userId, query.projectId) : isUsed}`;

/** Returns those ids that are files of the person in existing chats, projects or assistants. */
export async function filterUsed(db: Database, userId: string, ids: string[]): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(sql`
    select a.id from attachments a
     where a.id = any(${ids}::uuid[]) and a.user_id = ${userId} and ${isUsed}`);
  return rows.map(({ id }) => id);
}

/** The project that the query filters by, otherwise the one that got the file last. */
const projectOfFile = ({ projectId }: ItemQuery): Statement => sql`
  select p.id, p.name from knowledge_files k join projects p on p.id = k.project_id
   where k.attachment_id = a.id and p.deleted_at is null and ${projectId ? sql`p.id = ${projectId}` : sql`true`}
   order by k.added_at desc limit 1`;

/** The files that a person sent in chats or added to projects and assistants, found by their names. */
export const fileItems: ItemSource = {
  kind: 'file',
  inProjects: true,
  candidates: (db, { userId, words }) =>
    idsContaining(db, sql`select a.id from attachments a where a.user_id = ${userId}`, lowerName, words),
  page: (query, candidates) =>
    itemPage(
      {
        kind: 'file',
        from: 'attachments a',
        id: 'a.id',
        titleSql: 'a.name',
        at: 'a.created_at',
        name: lowerName.text,
        condition: condition(query, candidates),
        details: detailsOf(
          {
            message_id: sql`chat.message_id`,
            chat_id: sql`chat.id`,
            chat_title: sql`chat.title`,
            project_id: sql`project.id`,
            project_name: sql`project.name`,
            bytes: sql`a.bytes`,
          },
          sql`from attachments a left join lateral (
                select s.id, s.title, m.id as message_id ${fromMessages('a.id')}
                 order by m.created_at desc, m.id desc limit 1) chat on true
                left join lateral (${projectOfFile(query)}) project on true
               where a.id = item.id`,
        ),
      },
      query,
    ),
};
