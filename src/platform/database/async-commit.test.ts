import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { useTestDatabase } from '#tests/support/database.ts';
import { asyncCommit } from './async-commit.server.ts';
import { type Database, database, transaction } from './database.server.ts';
import { sql } from './sql.server.ts';

let end: () => Promise<void>;
beforeAll(async () => {
  end = await useTestDatabase(inject('postgres'));
});
afterAll(() => end());

const commitOf = async (db: Database) =>
  (await db.row<{ synchronous_commit: string }>(sql`show synchronous_commit`))?.synchronous_commit;

test('a statement returns its own rows, and only its transaction does not wait for the disk', async () => {
  await transaction(async (tx) => {
    expect(await commitOf(tx)).toBe('on');
    expect(await tx.rows(asyncCommit(sql`select ${1}::int as one, ${'b'}::text as two`))).toEqual([
      { one: 1, two: 'b' },
    ]);
    expect(await commitOf(tx)).toBe('off');
  });
  await transaction(async (tx) => expect(await commitOf(tx)).toBe('on'));
  expect(await database().rows(asyncCommit(sql`select 1 where false`))).toEqual([]);
});
