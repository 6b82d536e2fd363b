import {
  allIds,
  anyRow,
  containsWords,
  detailsOf,
  type ItemQuery,
  type ItemSource,
  idIn,
  idsContaining,
  itemPage,
  passageOf,
  searchable,
} from '#platform/database/item-list.server.ts';
import { raw, type Statement, sql } from '#platform/database/sql.server.ts';
import { fromOwnProject } from './projects/projects-store.server.ts';

const title = raw('lower(s.title)');
const messageWords = searchable('m.content');

const ownChats = ({ userId, projectId }: ItemQuery): Statement => sql`
  s.user_id = ${userId} and s.deleted_at is null and not s.temporary
  and ${projectId ? sql`s.project_id = ${projectId} and ${anyRow(fromOwnProject(userId, projectId))}` : sql`true`}`;

function condition(query: ItemQuery, candidates: string[] | null): Statement {
  if (query.words.length === 0) return ownChats(query);
  // Every candidate contains the words.
  if (candidates) return sql`${ownChats(query)} and ${idIn('s.id', candidates)}`;
  return sql`${ownChats(query)} and (${containsWords(title, query.words)} or ${anyRow(
    sql`from chat_messages m where m.session_id = s.id and ${containsWords(messageWords, query.words)}`,
  )})`;
}

const hit = ({ words: searchWords }: ItemQuery): Statement =>
  searchWords.length === 0
    ? sql`select null::uuid as id, null::text as excerpt`
    : sql`select m.id, ${passageOf('m.content', searchWords)} as excerpt
            from chat_messages m where m.session_id = item.id and ${containsWords(messageWords, searchWords)}
           order by m.position desc limit 1`;

/** A person's chats, including archived ones but no temporary ones. */
export const chatItems: ItemSource = {
  kind: 'chat',
  inProjects: true,
  candidates: (db, { userId, words: searchWords }) =>
    allIds([
      () =>
        idsContaining(
          db,
          sql`select s.id from chat_sessions s where s.user_id = ${userId}`,
          title,
          searchWords,
        ),
      () =>
        idsContaining(
          db,
          sql`select m.session_id as id from chat_messages m where m.user_id = ${userId}`,
          messageWords,
          searchWords,
        ),
    ]),
  page: (query, candidates) =>
    itemPage(
      {
        kind: 'chat',
        from: 'chat_sessions s',
        id: 's.id',
        titleSql: 's.title',
        at: 's.updated_at',
        name: title.text,
        archived: 's.archived_at is not null',
        condition: condition(query, candidates),
        details: detailsOf(
          {
            message_id: sql`hit.id`,
            project_id: sql`p.id`,
            project_name: sql`p.name`,
            excerpt: sql`hit.excerpt`,
          },
          sql`from chat_sessions c left join projects p on p.id = c.project_id and p.deleted_at is null
                left join lateral (${hit(query)}) hit on true where c.id = item.id`,
        ),
      },
      query,
    ),
};
