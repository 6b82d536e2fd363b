import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { useTestDatabase } from '#tests/support/database.ts';
import { database, transaction } from './database.server.ts';
import { mergeIndexEntries } from './index-entries.server.ts';
import { sql } from './sql.server.ts';

const [person, chat] = [randomUUID(), randomUUID()];

let end: () => Promise<void>;
beforeAll(async () => {
  end = await useTestDatabase(inject('postgres'));
  await database().run(sql`insert into users (id, email, name) values (${person}, 'ada@example.com', 'Ada')`);
  await database().run(sql`insert into chat_sessions (id, user_id) values (${chat}, ${person})`);
});
afterAll(() => end());

const addMessage = (content: string) =>
  database().run(
    sql`insert into chat_messages (id, session_id, role, content) values (${randomUUID()}, ${chat}, 'user', ${content})`,
  );

/** Through the index, however small the table is. */
const find = (part: string) =>
  transaction(async (tx) => {
    await tx.run(sql`set local enable_seqscan = off`);
    return tx.rows<{ content: string }>(
      sql`select content from chat_messages
           where user_id = ${person} and lower(left(content, 100000)) like ${`%${part}%`} order by content`,
    );
  });

test('a message is found before and after its entries are merged into the index', async () => {
  await mergeIndexEntries(database());
  expect(await mergeIndexEntries(database())).toBe(0);
  await addMessage('How long does honey keep?');
  await addMessage('Honeycomb, for decades.');
  const both = [{ content: 'Honeycomb, for decades.' }, { content: 'How long does honey keep?' }];
  expect(await find('honey')).toEqual(both);
  expect(await mergeIndexEntries(database())).toBeGreaterThan(0);
  expect(await find('honey')).toEqual(both);
  expect(await mergeIndexEntries(database())).toBe(0);
});
