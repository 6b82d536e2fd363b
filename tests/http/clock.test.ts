import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { uniqueWord } from '../support/chat.ts';
import { createPerson } from '../support/people.ts';
import { eventually, startTestServer, type TestServer } from '../support/server.ts';
import { moveClock } from '../support/visitor.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ postgres: inject('postgres'), timeZone: 'America/New_York' });
});
afterAll(() => server.stop());

it.each([
  ['is an hour short', '2027-03-14T23:30:00Z', 1_800],
  ['is an hour long', '2027-11-07T12:00:00Z', 43_200],
])(
  'on a day that %s in the default time zone of the database, a day ends at 00:00 UTC',
  async (_, at, seconds) => {
    await moveClock(server, Date.parse(at) - Date.now());
    const person = await createPerson(server);
    for (let i = 0; i < 3; i++) expect((await person.send('POST', '/api/chats', {})).status).toBe(201);
    const refused = await person.send(
      'POST',
      `/api/chats/${randomUUID()}/messages`,
      { text: uniqueWord(), create: true },
      { 'idempotency-key': uniqueWord() },
    );
    expect(refused.status).toBe(429);
    const wait = Number(refused.headers.get('retry-after'));
    expect(wait).toBeLessThanOrEqual(seconds);
    expect(wait).toBeGreaterThan(seconds - 60);
    await moveClock(server, 0);
  },
);

it('the site follows the clock of the stand-ins: a session ends after its 30 days', async () => {
  const person = await createPerson(server);
  expect((await person.get('/api/me')).status).toBe(200);
  const moved = await fetch(`${server.standins}/control`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ clock: { advanceMs: 31 * 24 * 3600 * 1000 } }),
  });
  expect(moved.status).toBe(200);
  await eventually(async () => (await person.get('/api/me')).status === 401);
});
