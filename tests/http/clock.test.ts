import { afterAll, beforeAll, expect, inject, it } from 'vitest';
import { createPerson } from '../support/people.ts';
import { eventually, startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ postgres: inject('postgres') });
});
afterAll(() => server.stop());

it('follows the clock of the stand-ins: a session ends after its 30 days', async () => {
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
