import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { storedItems } from '#app/pages/legal/stored-items.ts';
import { mailTo } from '../support/mailbox.ts';
import { client, createPerson } from '../support/people.ts';
import type { TestServer } from '../support/server.ts';
import { borrowServer } from '../support/shared-server.ts';
import { newAddress, visitor } from '../support/visitor.ts';

let server: TestServer;

beforeAll(async () => {
  server = await borrowServer(inject('servers'));
});
afterAll(() => server.stop());

const cookies = storedItems.filter(({ kind }) => kind === 'cookie');

/** Returns the cookies that responses set, with their Max-Age in seconds (NaN without one). */
function cookiesSetBy(...answers: Response[]): Map<string, number> {
  const lines = answers.flatMap((answer) => answer.headers.getSetCookie());
  return new Map(
    lines.map((line) => [line.split('=')[0] ?? '', Number(/Max-Age=(\d+)/.exec(line)?.[1] ?? Number.NaN)]),
  );
}

test('the cookies of a sign-in are in the table of /cookies, with their actual lifetimes', async () => {
  const email = newAddress();
  const { ask, press } = visitor(server);
  const response = await ask(email);
  const { token } = await mailTo(server, email);
  const set = cookiesSetBy(response, await press(token));
  expect([...set.keys()].sort()).toEqual(['device', 'session', 'sign-in']);
  for (const [name, seconds] of set)
    expect(cookies.find((item) => item.name === name)?.maxAge, name).toBe(seconds);
});

test('the cookie of a sign-in with a provider is in the table', async () => {
  const { get } = client(server);
  for (const provider of ['google', 'github']) {
    const response = await get(`/api/auth/${provider}`);
    expect(response.status).toBe(302);
    for (const [name, seconds] of cookiesSetBy(response))
      expect(cookies.find((item) => item.name === name)?.maxAge, name).toBe(seconds);
    expect([...cookiesSetBy(response).keys()]).toEqual(['sign-in']);
  }
});

test('a person who returns to a deleted account gets no cookie that is not in the table', async () => {
  const email = newAddress();
  const { signIn, ask, press } = visitor(server);
  await signIn(email);
  await server.database.query('update users set deleted_at = app_now() where email = $1', [email]);
  const response = await ask(email);
  const { token } = await mailTo(server, email, 2);
  const set = cookiesSetBy(response, await press(token));
  expect(set.has('session')).toBe(false);
  for (const [name, seconds] of set)
    expect(cookies.find((item) => item.name === name)?.maxAge, name).toBe(seconds);
});

test('pages and the API set no cookie for a guest who only reads', async () => {
  for (const path of [
    '/',
    '/chat',
    '/sign-in',
    '/privacy',
    '/terms',
    '/cookies',
    '/tools',
    '/use-cases',
    '/about',
    '/sitemap',
    '/api/me',
    '/nothing',
  ]) {
    const answer = await client(server).get(path, { accept: 'text/html' });
    expect(answer.headers.getSetCookie(), path).toEqual([]);
    await answer.arrayBuffer();
  }
});

test('the page shows each item of the list', async () => {
  const html = await (await fetch(`${server.url}/cookies`)).text();
  for (const { name, purpose, lifetime } of storedItems)
    for (const text of [name, purpose, lifetime]) expect(html).toContain(text);
});

test('the cookie of a chosen language is in the table, and the account stores the language too', async () => {
  const person = await createPerson(server);
  const choose = (language: string, referer = `${server.url}/pricing?payment=cancelled`) =>
    fetch(`${server.url}/api/language`, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie: person.cookie, origin: server.url, referer },
      body: new URLSearchParams({ language }),
    });
  const chosen = await choose('en');
  expect([chosen.status, chosen.headers.get('location')]).toEqual([303, '/pricing?payment=cancelled']);
  expect(cookiesSetBy(chosen)).toEqual(
    new Map([['language', cookies.find(({ name }) => name === 'language')?.maxAge]]),
  );
  const { rows } = await server.database.query('select language from users where id = $1', [person.id]);
  expect(rows).toEqual([{ language: 'en' }]);
  expect((await choose('en', 'https://elsewhere.example//elsewhere.example/x')).headers.get('location')).toBe(
    '/',
  );
  for (const unknown of ['xx', '', 'en,de']) expect((await choose(unknown)).status).toBe(400);
});
