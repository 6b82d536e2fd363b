import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type Database, database } from '#platform/database/database.server.ts';
import type { ItemQuery } from '#platform/database/item-list.server.ts';
import { raw, type Statement, sql } from '#platform/database/sql.server.ts';
import { useTestDatabase } from '#tests/support/database.ts';
import { itemSources, readItems } from './item-rows.server.ts';
import { itemsTagged } from './tags/tags-store.server.ts';

const CHATS = 12_000;
/** The oldest of the chats. */
const IN_PROJECT = 300;
const userId = randomUUID();
const projectId = randomUUID();
const tagId = randomUUID();
let end: () => Promise<void>;

beforeAll(async () => {
  end = await useTestDatabase(inject('postgres'));
  const run = (statement: Statement) => database().run(statement);
  await run(sql`insert into users (id, email, name) values (${userId}, 'a@plans.example', 'A')`);
  await run(sql`insert into projects (id, user_id, name) values (${projectId}, ${userId}, 'Garden')`);
  await run(sql`
    insert into tags (id, user_id, name, key)
    select case n when 0 then ${tagId} else gen_random_uuid() end, ${userId}, n, n from generate_series(0, 20) n`);
  await run(sql`
    insert into chat_sessions (id, user_id, title, updated_at, project_id)
    select gen_random_uuid(), ${userId}, 'Chat ' || n, app_now() - n * interval '1 minute',
           case when n > ${CHATS - IN_PROJECT}::int then ${projectId}::uuid end
      from generate_series(1, ${CHATS}::int) n`);
  await run(sql`
    insert into tagged_items (tag_id, user_id, kind, item_id)
    select t.id, s.user_id, 'chat', s.id from tags t join chat_sessions s
           on case when t.id = ${tagId} then s.project_id is not null else s.project_id is null and s.title like '%' || t.name end`);
  for (const table of ['chat_sessions', 'tagged_items']) await run(sql`analyze ${raw(table)}`);
});
afterAll(() => end());

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  Plans?: Plan[];
}

const partsOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(partsOf)];

/** Returns the nodes of the query plans that read this table while `work` runs. */
async function scansOf(table: string, work: (db: Database) => Promise<unknown>): Promise<Plan[]> {
  const scans: Plan[] = [];
  const rows = async <Row>(statement: Statement): Promise<Row[]> => {
    const [explained] = await database().rows<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      sql`explain (analyze, format json) ${statement}`,
    );
    if (explained) scans.push(...partsOf(explained['QUERY PLAN'][0].Plan));
    return database().rows<Row>(statement);
  };
  await work({ ...database(), rows });
  return scans.filter((scan) => scan['Relation Name'] === table);
}

const rowsRead = (scans: Plan[]) =>
  scans.reduce(
    (sum, scan) => sum + (scan['Actual Rows'] + (scan['Rows Removed by Filter'] ?? 0)) * scan['Actual Loops'],
    0,
  );

const query = (order: ItemQuery['order']): ItemQuery => ({
  userId,
  order,
  after: null,
  limit: 41,
  words: [],
});

test.each(['newest', 'oldest', 'name'] as const)('%s: listing a project uses its index', async (order) => {
  const scans = await scansOf('chat_sessions', (db) =>
    readItems(db, { ...query(order), projectId }, itemSources(null)),
  );
  expect(scans[0]?.['Index Name']).toMatch(/^chat_sessions_in_project/);
  expect(scans.filter((scan) => scan['Node Type'] === 'Seq Scan')).toEqual([]);
  // At most each chat of the project once, and each listed one a second time.
  expect(rowsRead(scans)).toBeLessThanOrEqual(IN_PROJECT + 41);
});

test.each(['newest', 'oldest', 'name'] as const)('%s: listing a tag uses its index', async (order) => {
  const tagged = await scansOf('tagged_items', (db) => itemsTagged(db, userId, tagId));
  expect(tagged.map((scan) => scan['Node Type'])).not.toContain('Seq Scan');
  const ids = await itemsTagged(database(), userId, tagId);
  expect(ids.get('chat')).toHaveLength(IN_PROJECT);
  const scans = await scansOf('chat_sessions', (db) => readItems(db, query(order), itemSources(null), ids));
  expect(scans.filter((scan) => scan['Node Type'] === 'Seq Scan')).toEqual([]);
  expect(rowsRead(scans)).toBeLessThanOrEqual(IN_PROJECT + 41);
});
