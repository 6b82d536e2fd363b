import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { expectConsistent } from '../support/consistency.ts';
import { createPerson, type Person } from '../support/people.ts';
import type { TestServer } from '../support/server.ts';
import { borrowServer } from '../support/shared-server.ts';
import { metric } from '../support/stalled-readers.ts';

let server: TestServer;
beforeAll(async () => {
  server = await borrowServer(inject('servers'));
});
afterAll(() => server.stop());

const download = (person: Pick<Person, 'get'>, chatId: string, format: string) =>
  person.get(`/api/chats/${chatId}/export?format=${format}`);

test('a chat of 60 MB is streamed without being held in memory', async () => {
  const person = await createPerson(server);
  const chatId = randomUUID();
  await server.database.query(`insert into chat_sessions (id, user_id, title) values ($1, $2, 'Large')`, [
    chatId,
    person.id,
  ]);
  await server.database.query(
    `with ids as materialized (select gen_random_uuid() as id, place from generate_series(1, 300) place)
     insert into chat_messages (id, session_id, parent_id, role, content)
     select id, $1, lag(id) over (order by place), 'user', place || repeat(' ' || md5(id::text), 6000) from ids order by place`,
    [chatId],
  );
  const memory = () => metric(server, 'process_resident_memory_bytes');
  await (await download(person, chatId, 'md')).arrayBuffer();
  const before = await memory();
  let [most, bytes, parts] = [before, 0, 0];
  for await (const part of (await download(person, chatId, 'json')).body ?? []) {
    bytes += (part as Uint8Array).length;
    if (parts++ % 100 === 0) most = Math.max(most, await memory());
  }
  expect(bytes).toBeGreaterThan(55e6);
  // A text in memory exists three times: as rows, as a string and as bytes.
  expect((most - before) / 1e6).toBeLessThan(120);
});

test('every invariant holds', () => expectConsistent(server));
