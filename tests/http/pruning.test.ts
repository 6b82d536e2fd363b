import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { openChat, send, uniqueWord, waitForEnd } from '../support/chat.ts';
import { audit, waitUntilIdle } from '../support/consistency.ts';
import { runJob } from '../support/files.ts';
import { createPerson } from '../support/people.ts';
import { eventually, startTestServer, type TestServer } from '../support/server.ts';
import { moveClock } from '../support/visitor.ts';
import { write } from '../support/writer.ts';

const DAY_MS = 86_400_000;

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ postgres: inject('postgres') });
});
afterAll(() => server.stop());

/** Runs a job. A new server creates its queues after its first log line. */
const job = async (name: string) => {
  await eventually(
    async () => (await server.database.query('select 1 from jobs.queue where name = $1', [name])).rowCount,
  );
  await runJob(server, name);
};

async function calls(): Promise<string[]> {
  const { rows } = await server.database.query<{ feature: string }>(
    'select g.feature from gateway_calls c join generations g on g.id = c.generation_id order by 1',
  );
  return rows.map(({ feature }) => feature);
}

test('model calls are deleted after 800 days, except those that record the model of a reply', async () => {
  const person = await createPerson(server);
  const sent = await send(person, `${uniqueWord()} [[tps:0]] [[first:0]]`);
  await waitForEnd(person, sent.body.generation.id);
  await write(person, { prompt: `Write about ${uniqueWord()}. [[tps:0]] [[first:0]]`, length: 'short' });
  await waitUntilIdle(server);
  const all = await calls();
  expect(all).toEqual(expect.arrayContaining(['chat', 'title', 'writer']));
  const before = await openChat(person, sent.chatId);

  await moveClock(server, 799 * DAY_MS);
  await job('forget-model-calls');
  expect(await calls()).toEqual(all);

  await moveClock(server, 801 * DAY_MS);
  await job('forget-model-calls');
  expect(await calls()).toEqual(['chat']);
  await moveClock(server, 0);
  expect(await openChat(person, sent.chatId)).toEqual(before);
  expect(await audit(server)).toEqual([]);
});
