import type { Database } from '#platform/database/database.server.ts';
import { raw, sql } from '#platform/database/sql.server.ts';
import type { WebSearch } from '../contract.ts';

/**
 * For the run `g`, which has no web search row at first. A search whose end was not stored has failed; if the credits
 * of the run were released, nothing that it found is shown.
 */
export const webSearchColumn = raw(`
  coalesce((select case when g.released or (g.finished_at is not null and w.state = 'searching')
                        then json_build_object('state', 'failed', 'queries', w.queries, 'sources', json '[]')
                        else json_build_object('state', w.state, 'queries', w.queries, 'sources', w.sources) end
              from web_searches w where w.generation_id = g.id),
           case when g.finished_at is null and g.input ? 'web'
                then json '{"state": "searching", "queries": [], "sources": []}' end) as web`);

export async function startSearch(db: Database, generationId: string, credits: number): Promise<void> {
  await db.run(sql`
    insert into web_searches (generation_id, state, price) values (${generationId}, 'searching', ${credits})`);
}

export async function endSearch(
  db: Database,
  generationId: string,
  { state, queries, sources }: WebSearch,
): Promise<void> {
  await db.run(sql`
    update web_searches set state = ${state}, queries = ${queries}::text[], sources = ${JSON.stringify(sources)}::jsonb
     where generation_id = ${generationId}`);
}

/** A reply that continues another one lists its sources, at no further cost. */
export async function copySources(db: Database, generationId: string, messageId: string): Promise<void> {
  await db.run(sql`
    insert into web_searches (generation_id, state, price, queries, sources)
    select ${generationId}::uuid, w.state, 0, w.queries, w.sources
      from chat_messages m join web_searches w on w.generation_id = m.generation_id
     where m.id = ${messageId} and w.state = 'found'`);
}

export const findWebSearch = (db: Database, userId: string, generationId: string) =>
  db.row<{ web: WebSearch | null }>(sql`
    select ${webSearchColumn} from generations g where g.id = ${generationId} and g.user_id = ${userId}`);
