import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { listen, type SseEvent, send, stop, textOf, uniqueWord, waitForText } from '../support/chat.ts';
import { client, createPerson, type Person } from '../support/people.ts';
import { eventually, startSecondProcess, startTestServer, type TestServer } from '../support/server.ts';
import { expectWithin, soak } from '../support/soak.ts';
import { moveClock, network, newAddress, visitor } from '../support/visitor.ts';

let server: TestServer;
let visit: ReturnType<typeof visitor>;
beforeAll(async () => {
  server = await startTestServer({ postgres: inject('postgres'), env: { TRUSTED_PROXIES: '127.0.0.1,::1' } });
  visit = visitor(server);
});
afterAll(() => server.stop());

test('only their owner lists and ends sessions', async () => {
  const email = newAddress();
  const from = network();
  const first = await visit.signIn(email, { from });
  const second = await visit.signIn(email, { from, count: 2 });
  const { sessions } = (await (await first.get('/api/me/sessions')).json()) as {
    sessions: Array<{ id: string; current: boolean }>;
  };
  expect(sessions.map(({ current }) => current).sort()).toEqual([false, true]);
  const other = sessions.find(({ current }) => !current)?.id;
  const otherPerson = await createPerson(server);
  expect((await otherPerson.send('DELETE', `/api/me/sessions/${other}`)).status).toBe(404);
  expect((await otherPerson.send('DELETE', '/api/me/sessions/none')).status).toBe(404);
  expect((await second.get('/api/me')).status).toBe(200);
  expect((await first.send('DELETE', `/api/me/sessions/${other}`)).status).toBe(204);
  expect((await second.get('/api/me')).status).toBe(401);
  expect((await first.get('/api/me')).status).toBe(200);
});

test('sessions end with the sign-out, or all others at once', async () => {
  const one = await visit.signIn(newAddress());
  expect((await one.send('DELETE', '/api/me/sessions')).status).toBe(204);
  expect((await one.get('/api/me')).status).toBe(200);
  const signedOut = await one.send('POST', '/api/sign-out');
  expect(signedOut.status).toBe(204);
  expect(signedOut.headers.getSetCookie()).toEqual(['session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax']);
  for (const path of ['/api/me', '/api/me/sessions']) expect((await one.get(path)).status).toBe(401);
});

test('sessions get a new token at each sign-in, and the old one stops working', async () => {
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

test('sessions end 180 days after the sign-in, however often they are used', async () => {
  const one = await visit.signIn(newAddress());
  const day = 24 * 3600_000;
  for (const days of [25, 50, 75, 100, 125, 150, 175, 179]) {
    await moveClock(server, days * day);
    expect((await one.get('/api/me')).status).toBe(200);
  }
  await moveClock(server, 181 * day);
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

/** Starts a reply that never ends, with readers of its events. */
async function startReply(person: Person, readers: Array<Pick<Person, 'get'>>) {
  const sent = await send(person, `${uniqueWord()} [[mode:hold]] [[holdAfter:3]]`);
  expect(sent.status).toBe(202);
  const { id } = sent.body.generation;
  await waitForText(person, id);
  const received = await Promise.all(
    readers.map(async (reader) => listen(await reader.get(`/api/generations/${id}/events`))),
  );
  await eventually(async () => received.every(({ events }) => textOf(events) !== ''));
  return { id, received };
}

/** Returns how many ms a stream took to close; expects it to have no `end` event. */
async function closingTime({
  received,
  from,
}: {
  received: { events: SseEvent[]; finished: Promise<unknown> };
  from: number;
}) {
  await received.finished;
  expect(received.events.some(({ event }) => event === 'end')).toBe(false);
  return performance.now() - from;
}

test('an ended session closes its open streams within a second, and no others', async () => {
  const person = await createPerson(server, { plan: 'pro' });
  const secondClient = await visit.signIn(person.email);
  const { id, received } = await startReply(person, [person, secondClient, secondClient]);
  const { sessions } = (await (await person.get('/api/me/sessions')).json()) as {
    sessions: Array<{ id: string; current: boolean }>;
  };
  const from = performance.now();
  const other = sessions.find(({ current }) => !current)?.id;
  expect((await person.send('DELETE', `/api/me/sessions/${other}`)).status).toBe(204);
  for (const stream of received.slice(1)) expectWithin(await closingTime({ received: stream, from }), 1_000);
  expect((await secondClient.get(`/api/generations/${id}/events`)).status).toBe(401);
  // The remaining session still gets the end.
  await stop(person, id);
  await received[0]?.finished;
  expect(received[0]?.events.at(-1)?.event).toBe('end');
});

test.each([
  ['signed out', async (person: Person) => person.send('POST', '/api/sign-out')],
  ['expired', async () => moveClock(server, 31 * 24 * 3600_000)],
  [
    'of a deleted person',
    async ({ id }: Person) =>
      server.database.query('update users set deleted_at = app_now() where id = $1', [id]),
  ],
])('a session that is %s closes its streams', async (_, end) => {
  const person = await createPerson(server, { plan: 'pro' });
  const { received } = await startReply(person, [person]);
  await end(person);
  const from = performance.now();
  expectWithin(await closingTime({ received: received[0]!, from }), 1_000);
  await moveClock(server, 0);
});

test.runIf(soak)('a stream of another process is closed too', async () => {
  const second = await startSecondProcess(server);
  const person = await createPerson(server, { plan: 'pro' });
  const remote = client(second, person.cookie);
  const { received } = await startReply(person, [remote]);
  await person.send('POST', '/api/sign-out');
  expectWithin(await closingTime({ received: received[0]!, from: performance.now() }), 1_000);
  expect((await remote.get('/api/me')).status).toBe(401);
  await second.stop();
});
