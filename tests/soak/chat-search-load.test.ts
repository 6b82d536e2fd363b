import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { expectConsistent } from '../support/consistency.ts';
import { createPeople, createPerson, type Person } from '../support/people.ts';
import { eventually, startTestServer, type TestServer } from '../support/server.ts';
import { expectWithin } from '../support/soak.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ postgres: inject('postgres') });
});
afterAll(() => server.stop());

/** Runs `work` while a lock makes every search wait. */
async function whileLocked<T>(work: () => Promise<T>): Promise<T> {
  const holder = await server.database.connect();
  try {
    await holder.query('begin');
    await holder.query('lock table chat_messages in access exclusive mode');
    return await work();
  } finally {
    await holder.query('rollback');
    holder.release();
  }
}

const running = (count: number) =>
  eventually(async () => {
    const { rows } = await server.database.query(
      `select 1 from pg_stat_activity
        where datname = current_database() and state = 'active' and wait_event_type = 'Lock' and query like '%chat_messages%'`,
    );
    return rows.length >= count;
  });

async function search(person: Person | undefined) {
  const response = await person?.get('/api/search?q=lighthouse');
  return {
    status: response?.status,
    retryAfter: response?.headers.get('retry-after'),
    body: (await response?.json()) as { error?: string; code?: string; hits?: unknown[] },
  };
}

test('a person runs one search at a time, across processes; one that takes 2 s is cancelled with an explanation', async () => {
  const person = await createPerson(server);
  const second = await startTestServer({
    postgres: inject('postgres'),
    databaseUrl: server.databaseUrl,
    dataDir: server.dataDir,
    standins: server.standins,
  });
  try {
    await whileLocked(async () => {
      const startedAt = Date.now();
      const first = search(person);
      await running(1);
      const otherProcess = await fetch(`${second.url}/api/search?q=lighthouse`, {
        headers: { cookie: person.cookie },
      });
      expect([otherProcess.status, otherProcess.headers.get('retry-after')]).toEqual([429, '1']);
      expect(await search(person)).toMatchObject({
        status: 429,
        retryAfter: '1',
        body: { code: 'rate_limited', error: 'Your last search is still running. Try again in a moment.' },
      });
      expect(await first).toMatchObject({
        status: 503,
        body: { code: 'unavailable', error: 'This search took too long. Try a longer word.' },
      });
      expect(Date.now() - startedAt).toBeGreaterThan(1_900);
    });
  } finally {
    await second.stop();
  }
  expect(await search(person)).toMatchObject({ status: 200, body: { hits: [] } });
});

test('searches that hang delay no page', async () => {
  const people = await createPeople(server, 16);
  const [reader] = people;
  await whileLocked(async () => {
    const searches = Promise.all(people.map((person) => search(person)));
    await running(2);
    const startedAt = Date.now();
    for (let count = 0; count < 5; count += 1) expect((await reader?.get('/api/me'))?.status).toBe(200);
    expectWithin(Date.now() - startedAt, 1_500);
    const answers = await searches;
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]));
    expect(new Set(answers.map(({ body }) => body.error))).toEqual(
      new Set([
        'This search took too long. Try a longer word.',
        'Search is busy right now. Try again in a moment.',
      ]),
    );
  });
  expect(server.output()).not.toContain('the database cannot be reached');
  expect(await search(reader)).toMatchObject({ status: 200 });
});

test('every invariant holds', () => expectConsistent(server));
