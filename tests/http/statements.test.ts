import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { JOBS_SCHEMA } from '#platform/job-queue.server.ts';
import { listen, sendBody, stream } from '../support/chat.ts';
import { quick } from '../support/images.ts';
import { createPerson, type Person, personAt } from '../support/people.ts';
import { makeDatabase } from '../support/postgres.ts';
import { throughProxy } from '../support/proxy.ts';
import { eventually, startTestServer, type TestServer } from '../support/server.ts';
import { changeSetting } from '../support/settings.ts';
import { countStatements, type StatementCount } from '../support/statements.ts';

// Statements that a request and a run cost. Unlike times, their number does not depend on the machine's load.

let count: StatementCount;
let server: TestServer;
let person: Person;
beforeAll(async () => {
  const url = await makeDatabase(inject('postgres'));
  count = await countStatements(url);
  server = await startTestServer({ postgres: url, databaseUrl: throughProxy(url, count.proxy.port) });
  person = personAt(server, await createPerson(server, { plan: 'pro' }));
  // Waits for the last schedule, which is written at the end of the start; then deletes all, so that no minutely job is
  // counted.
  await eventually(async () => {
    const { rows } = await server.database.query(
      `select 1 from ${JOBS_SCHEMA}.schedule where name = 'audit'`,
    );
    return rows.length > 0;
  });
  await server.database.query(`delete from ${JOBS_SCHEMA}.schedule`);
});
afterAll(async () => {
  await server.stop();
  await count.proxy.down();
});

test.each([
  ['/chat/new', 3],
  ['/chat', 4],
  ['/pricing', 3],
  ['/dashboard', 7],
  ['/library', 3],
  ['/api/chats', 2],
  ['/api/me/usage', 2],
])('%s takes %i statements at most', async (path, most) => {
  await (await person.get(path)).text();
  count.drain();
  expect((await person.get(path)).status).toBe(200);
  const statements = count.drain();
  expect(statements.length, statements.join('\n')).toBeLessThanOrEqual(most);
});

/** Sends a message and returns the statements until `runs` runs have ended (the reply's and the title's). */
async function statementsOf(text: string, chatId: string, runs: number): Promise<string[]> {
  count.drain();
  await listen(await stream(person, text, { chatId })).finished;
  const statements: string[] = [];
  await eventually(async () => {
    statements.push(...count.drain());
    return statements.filter((statement) => statement.includes('close_generation')).length === runs;
  });
  return statements;
}

test('a message takes only these statements', async () => {
  const chatId = randomUUID();
  expect(await statementsOf(`Hello ${quick}`, chatId, 2)).toEqual([
    expect.stringContaining('from sessions s cross join'),
    expect.stringContaining('admit_generation'),
    expect.stringContaining('close_generation'),
    // The title.
    expect.stringContaining('admit_generation'),
    expect.stringContaining('close_generation'),
  ]);
  expect(await statementsOf(`Again ${quick}`, chatId, 1)).toEqual([
    expect.stringContaining('from sessions s cross join'),
    expect.stringContaining('admit_generation'),
    expect.stringContaining('with recursive up'),
    expect.stringContaining('close_generation'),
  ]);
});

test('two replies to one question take one transaction', async () => {
  await changeSetting([server], ['set', 'models.list', 'a/one | One | First', 'b/two | Two | Second']);
  const chatId = randomUUID();
  count.drain();
  const body = { text: `Both ${quick}`, create: true, model: 'a/one', compare: { model: 'b/two' } };
  await sendBody(person, chatId, body);
  const statements: string[] = [];
  await eventually(async () => {
    statements.push(...count.drain());
    return statements.filter((statement) => statement.includes('close_generation')).length === 3;
  });
  expect(statements.slice(0, 5)).toEqual([
    expect.stringContaining('from sessions s cross join'),
    'begin',
    expect.stringContaining('admit_generation'),
    expect.stringContaining('admit_generation'),
    'commit',
  ]);
  expect(statements.length, statements.join('\n')).toBeLessThanOrEqual(11);
});
