import type { Feature } from '#features/credits/contract.ts';
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

const title = raw('lower(w.title)');
const words = searchable('v.content');

/** The newest text of a work, which is the one shown. */
const newest = raw(`select v.content from work_versions v where v.work_id = w.id and v.content <> ''
                     order by v.position desc limit 1`);

function condition(feature: Feature, query: ItemQuery, ids: string[] | null): Statement {
  const own = sql`w.user_id = ${query.userId} and w.feature = ${feature} and w.deleted_at is null`;
  if (query.words.length === 0) return own;
  return sql`${own} and ${idIn('w.id', ids)} and (${containsWords(title, query.words)}
    or ${anyRow(sql`from (${newest}) v where ${containsWords(words, query.words)}`)})`;
}

/** Searches the texts of all tools, because the index of words does not contain the tool. */
const candidates: ItemSource['candidates'] = (db, { userId, words: queryWords }) =>
  allIds([
    () => idsContaining(db, sql`select w.id from works w where w.user_id = ${userId}`, title, queryWords),
    () =>
      idsContaining(
        db,
        sql`select v.work_id as id from work_versions v where v.user_id = ${userId} and v.content <> ''`,
        words,
        queryWords,
      ),
  ]);

/** The texts of a person that were made with one tool. */
export const textItems = (feature: Feature): ItemSource => ({
  kind: feature,
  candidates,
  page: (query, ids) =>
    itemPage(
      {
        kind: feature,
        from: 'works w',
        id: 'w.id',
        titleSql: 'w.title',
        at: 'w.updated_at',
        name: title.text,
        condition: condition(feature, query, ids),
        details: detailsOf(
          { excerpt: passageOf('v.content', query.words) },
          sql`from (select v.content from work_versions v where v.work_id = item.id and v.content <> ''
                     order by v.position desc limit 1) v`,
        ),
      },
      query,
    ),
});
