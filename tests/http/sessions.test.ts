import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { client, createPerson } from '../support/people.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { moveClock, network, newAddress, visitor } from '../support/visitor.ts';

let server: TestServer;
let visit: ReturnType<typeof visitor>;
beforeAll(async () => {
  server = await startTestServer({ postgres: inject('postgres'), env: { TRUSTED_PROXIES: '127.0.0.1,::1' } });
  visit = visitor(server);
});
afterAll(() => server.stop());

test('sessions are listed and ended by their owner only', async () => {
  const email = newAddress();
  const from = network();
  const first = await visit.signIn(email, { from });
  const there = await visit.signIn(email, { from, count: 2 });
  const { sessions } = (await (await first.get('/api/me/sessions')).json()) as {
    sessions: Array<{ id: string; current: boolean }>;
  };
  expect(sessions.map(({ current }) => current).sort()).toEqual([false, true]);
  const other = sessions.find(({ current }) => !current)?.id;
  const stranger = await createPerson(server);
  expect((await stranger.send('DELETE', `/api/me/sessions/${other}`)).status).toBe(404);
  expect((await stranger.send('DELETE', '/api/me/sessions/none')).status).toBe(404);
  expect((await there.get('/api/me')).status).toBe(200);
  expect((await first.send('DELETE', `/api/me/sessions/${other}`)).status).toBe(204);
  expect((await there.get('/api/me')).status).toBe(401);
  expect((await first.get('/api/me')).status).toBe(200);
});

test('sessions end with the sign-out, and all others at once', async () => {
  const one = await visit.signIn(newAddress());
  expect((await one.send('DELETE', '/api/me/sessions')).status).toBe(204);
  expect((await one.get('/api/me')).status).toBe(200);
  const out = await one.send('POST', '/api/sign-out');
  expect(out.status).toBe(204);
  expect(out.headers.getSetCookie()).toEqual(['session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax']);
  for (const path of ['/api/me', '/api/me/sessions']) expect((await one.get(path)).status).toBe(401);
});

test('sessions get a new token at each sign-in, and the old one dies', async () => {
  const email = newAddress();
  const from = network();
  const first = await visit.signIn(email, { from });
  const again = await visit.signIn(email, { from, cookie: first.cookie, count: 2 });
  expect(again.cookie).toMatch(/^session=[\w-]{43}$/);
  expect(again.cookie).not.toBe(first.cookie);
  expect((await first.get('/api/me')).status).toBe(401);
});

test('sessions last 30 days from their last use', async () => {
  const one = await visit.signIn(newAddress());
  const day = 24 * 3600_000;
  await moveClock(server, 29 * day);
  expect((await one.get('/api/me')).headers.getSetCookie().join()).toContain('Max-Age=2592000');
  expect((await one.get('/api/me/sessions')).headers.getSetCookie()).toEqual([]);
  await moveClock(server, 58 * day);
  expect((await one.get('/api/me')).status).toBe(200);
  await moveClock(server, 89 * day);
  expect((await one.get('/api/me')).status).toBe(401);
  await moveClock(server, 0);
});

test.each([
  'session=',
  'session=x',
  `session=${'a'.repeat(43)}`,
  'session=%00',
  ';;;=',
  `session=${'"'.repeat(200)}`,
])('the cookie %j is a guest', async (cookie) => {
  const answer = await client(server, cookie).get('/api/me');
  expect([answer.status, ((await answer.json()) as { code: string }).code]).toEqual([401, 'unauthorized']);
});

test('sessions end when AUTH_SECRET changes', async () => {
  const one = await visit.signIn(newAddress());
  const rotated = await startTestServer({
    postgres: inject('postgres'),
    databaseUrl: server.databaseUrl,
    standins: server.standins,
    env: { AUTH_SECRET: 'another-0123456789abcdefghijklmnopqrst' },
  });
  expect((await client(rotated, one.cookie).get('/api/me')).status).toBe(401);
  await rotated.stop();
  expect((await one.get('/api/me')).status).toBe(200);
});
