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

const name = raw('lower(d.name)');
const pageWords = searchable('p.text');
const result = 'words_of_run(r.question, r.result)';
const resultWords = searchable(result);
/** The same text without JSON punctuation, which only the index contains. */
const resultText = `concat_ws(' ', r.question, (select string_agg(word #>> '{}', ' ')
  from jsonb_path_query(r.result, 'strict $.** ? (@.type() == "string")') word))`;

function condition(query: ItemQuery, candidates: string[] | null): Statement {
  const own = sql`d.user_id = ${query.userId} and d.deleted_at is null`;
  if (query.words.length === 0) return own;
  // All candidates contain the words.
  if (candidates) return sql`${own} and ${idIn('d.id', candidates)}`;
  return sql`${own} and (${containsWords(name, query.words)}
    or ${anyRow(sql`from document_pages p where p.document_id = d.id and ${containsWords(pageWords, query.words)}`)}
    or ${anyRow(sql`from document_runs r where r.document_id = d.id and ${containsWords(resultWords, query.words)}`)})`;
}

/** Prefers a passage of a page to one of a result. */
const hit = ({ words }: ItemQuery): Statement => sql`
  from (
    (select 1 as place, p.page, ${passageOf('p.text', words)} as excerpt from document_pages p
      where p.document_id = item.id and ${containsWords(pageWords, words)} order by p.page limit 1)
    union all
    (select 2, null, ${passageOf(resultText, words)} from document_runs r
      where r.document_id = item.id and ${containsWords(resultWords, words)} order by r.created_at desc limit 1)) hit
   order by hit.place limit 1`;

/** Pages and results: if more of them contain a word, checking each document is fast as well. */
const MATCH_LIMIT = 300;

/** A person's documents; `DOCUMENT_QUOTA` keeps their number low. */
export const documentItems: ItemSource = {
  kind: 'pdf',
  candidates: (db, { userId, words }) => {
    const ownIds = sql`any(array(select id from documents where user_id = ${userId}))`;
    const idsFrom = (table: string) =>
      sql`select document_id as id from ${raw(table)} where document_id = ${ownIds}`;
    return allIds([
      () => idsContaining(db, sql`select d.id from documents d where d.user_id = ${userId}`, name, words),
      () => idsContaining(db, idsFrom('document_pages p'), pageWords, words, MATCH_LIMIT),
      () => idsContaining(db, idsFrom('document_runs r'), resultWords, words, MATCH_LIMIT),
    ]);
  },
  page: (query, candidates) =>
    itemPage(
      {
        kind: 'pdf',
        from: 'documents d',
        id: 'd.id',
        titleSql: 'd.name',
        at: 'd.created_at',
        name: name.text,
        condition: condition(query, candidates),
        details:
          query.words.length > 0
            ? detailsOf({ excerpt: sql`hit.excerpt`, page: sql`hit.page` }, hit(query))
            : detailsOf({}),
      },
      query,
    ),
};
