import {
  among,
  detailsOf,
  holdsWords,
  type ItemSource,
  idsHolding,
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
    idsHolding(db, sql`select j.id from image_jobs j where j.user_id = ${userId}`, words, queryWords),
  page: (query, candidates) =>
    itemPage(
      {
        kind: 'image',
        from: 'image_jobs j',
        id: 'j.id',
        shown: 'left(j.prompt, 120)',
        at: 'j.created_at',
        name: 'lower(left(j.prompt, 120))',
        condition: sql`j.user_id = ${query.userId} and j.deleted_at is null and ${among('j.id', candidates)}
          and ${query.words.length > 0 ? holdsWords(words, query.words) : sql`true`}`,
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
