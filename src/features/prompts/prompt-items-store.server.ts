import {
  containsWords,
  detailsOf,
  type ItemSource,
  itemPage,
  passageOf,
  searchable,
} from '#platform/database/item-list.server.ts';
import { sql } from '#platform/database/sql.server.ts';

const text = `concat_ws(' ', p.title, p.description, p.content)`;

/** A person's own prompts; `promptLimits.own` keeps them few enough to scan without an index. */
export const promptItems: ItemSource = {
  kind: 'prompts',
  candidates: async () => null,
  page: (query) =>
    itemPage(
      {
        kind: 'prompts',
        from: 'prompts p',
        id: 'p.id',
        titleSql: 'p.title',
        at: 'p.updated_at',
        name: 'lower(p.title)',
        condition: sql`p.user_id = ${query.userId} and p.deleted_at is null
          and ${query.words.length > 0 ? containsWords(searchable(text), query.words) : sql`true`}`,
        details: detailsOf(
          {
            excerpt: query.words.length > 0 ? passageOf('p.content', query.words) : sql`left(p.content, 200)`,
          },
          sql`from prompts p where p.id = item.id`,
        ),
      },
      query,
    ),
};
