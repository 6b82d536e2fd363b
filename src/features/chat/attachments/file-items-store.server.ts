import type { Database } from '#platform/database/database.server.ts';
import {
  among,
  detailsOf,
  holdsWords,
  type ItemQuery,
  type ItemSource,
  idsHolding,
  isThere,
  itemPage,
} from '#platform/database/item-list.server.ts';
import { raw, type Statement, sql } from '#platform/database/sql.server.ts';

const name = raw('lower(a.name)');

const sentIn = (attachment: string): Statement => sql`
  from message_attachments f join chat_messages m on m.id = f.message_id join chat_sessions s on s.id = m.session_id
 where f.attachment_id = ${raw(attachment)} and s.deleted_at is null and not s.temporary`;

const condition = (query: ItemQuery, candidates: string[] | null): Statement => sql`
  a.user_id = ${query.userId} and ${among('a.id', candidates)} and ${holdsWords(name, query.words)}
  and ${isThere(sentIn('a.id'))}`;

/** Those of the ids that a person sent in chats that are there. */
export async function sentAmong(db: Database, userId: string, ids: string[]): Promise<string[]> {
  const rows = await db.rows<{ id: string }>(sql`
    select a.id from attachments a
     where a.id = any(${ids}::uuid[]) and a.user_id = ${userId} and ${isThere(sentIn('a.id'))}`);
  return rows.map(({ id }) => id);
}

/** The files that a person sent in chats, found by their names. */
export const fileItems: ItemSource = {
  kind: 'file',
  candidates: (db, { userId, words }) =>
    idsHolding(db, sql`select a.id from attachments a where a.user_id = ${userId}`, name, words),
  page: (query, candidates) =>
    itemPage(
      {
        kind: 'file',
        from: 'attachments a',
        id: 'a.id',
        shown: 'a.name',
        at: 'a.created_at',
        name: name.text,
        condition: condition(query, candidates),
        details: detailsOf(
          {
            message_id: sql`chat.message_id`,
            chat_id: sql`chat.id`,
            chat_title: sql`chat.title`,
            bytes: sql`a.bytes`,
          },
          sql`from attachments a cross join lateral (
                select s.id, s.title, m.id as message_id ${sentIn('a.id')}
                 order by m.created_at desc, m.id desc limit 1) chat
               where a.id = item.id`,
        ),
      },
      query,
    ),
};
