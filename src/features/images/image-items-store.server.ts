import {
  containsWords,
  detailsOf,
  type ItemSource,
  idIn,
  idsContaining,
  itemPage,
  passageOf,
  searchable,
} from '#platform/database/item-list.server.ts';
import { sql } from '#platform/database/sql.server.ts';

const words = searchable('j.prompt');

/** A person's image sets, searchable by their prompts. */
export const imageItems: ItemSource = {
  kind: 'image',
  candidates: (db, { userId, words: queryWords }) =>
    idsContaining(db, sql`select j.id from image_jobs j where j.user_id = ${userId}`, words, queryWords),
  page: (query, candidates) =>
    itemPage(
      {
        kind: 'image',
        from: 'image_jobs j',
        id: 'j.id',
        titleSql: 'left(j.prompt, 120)',
        at: 'j.created_at',
        name: 'lower(left(j.prompt, 120))',
        condition: sql`j.user_id = ${query.userId} and j.deleted_at is null and ${idIn('j.id', candidates)}
          and ${query.words.length > 0 ? containsWords(words, query.words) : sql`true`}`,
        details: detailsOf(
          {
            excerpt: passageOf('j.prompt', query.words),
            picture_id: sql`(select p.id from image_pictures p where p.job_id = item.id and p.deleted_at is null
                              order by p.position limit 1)`,
          },
          sql`from image_jobs j where j.id = item.id`,
        ),
      },
      query,
    ),
};
