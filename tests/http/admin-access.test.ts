import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { client, createPerson, type Person } from '../support/people.ts';
import { siteRoutes } from '../support/raw.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { expectSound } from '../support/soundness.ts';

const ADMIN = 'operator@example.com';

let server: TestServer;
let operator: Person;
let routes: string[];
let strangers: Record<string, Pick<Person, 'get' | 'send'>>;

async function rename(person: Person, email: string): Promise<Person> {
  await server.database.query('update users set email = $1 where id = $2', [email, person.id]);
  return { ...person, email };
}

beforeAll(async () => {
  server = await startTestServer({
    postgres: inject('postgres'),
    env: { ADMIN_EMAILS: `Other@example.com, ${ADMIN}` },
  });
  operator = await rename(await createPerson(server), ADMIN);
  routes = (await siteRoutes()).admin;
  strangers = {
    guest: client(server),
    free: await createPerson(server),
    pro: await createPerson(server, { plan: 'pro' }),
    // The addresses are compared whole.
    'of a like address': await rename(await createPerson(server), `x${ADMIN}`),
  };
});
afterAll(async () => {
  await expectSound(server);
  await server.stop();
});

const pathFor = (pattern: string) => pattern.replaceAll(/:\w+/g, operator.id);
const split = (route: string) => route.split(' ') as [string, string];

/** What a visitor can see of an answer, without what is new in each. */
async function seen(answer: Response, path: string) {
  const id = answer.headers.get('x-request-id') ?? '';
  const nonce = /'nonce-([^']+)'/.exec(answer.headers.get('content-security-policy') ?? '')?.[1] ?? '\0';
  const plain = (text: string) =>
    text
      .replaceAll(id, 'ID')
      .replaceAll(nonce, 'NONCE')
      .replaceAll(path, 'PATH')
      .replaceAll(path.slice(1), 'PATH');
  const headers = [...answer.headers]
    .filter(([name]) => !['x-request-id', 'date', 'content-length'].includes(name))
    .map(([name, value]) => [name, plain(value)]);
  return { status: answer.status, headers, body: plain(await answer.text()) };
}

describe('to whoever is no operator /admin answers as a path that there is not', () => {
  const missing = '/amdin/people';

  test('the list of its routes is not empty', () => expect(routes.length).toBeGreaterThan(5));

  test.each(['guest', 'free', 'pro', 'of a like address'])('%s', async (name) => {
    const stranger = strangers[name] ?? client(server);
    const form = { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' };
    const ask = (method: string, path: string) =>
      method === 'GET'
        ? stranger.get(path, { accept: 'text/html' })
        : stranger.send(method, path, { press: randomUUID() }, form);
    for (const route of [...routes, 'GET /admin/nothing', 'GET /admin/people.data', 'GET /admin.data']) {
      const [method, pattern] = split(route);
      const path = pathFor(pattern);
      const nowhere = path.endsWith('.data') ? `${missing}.data` : missing;
      const [answer, other] = [await ask(method, path), await ask(method, nowhere)];
      expect(answer.status, route).toBe(method === 'GET' ? 404 : 405);
      expect(await seen(answer, path), route).toEqual(await seen(other, nowhere));
    }
    for (const path of ['/api/admin', '/api/admin/people']) {
      expect((await stranger.get(path)).status).toBe(404);
      expect((await stranger.send('POST', path, {})).status).toBe(404);
    }
  });

  test('neither the map of the site, robots.txt nor a page names it', async () => {
    for (const path of ['/sitemap.xml', '/robots.txt', '/', '/sitemap', '/dashboard', '/settings'])
      expect(await (await operator.get(path)).text()).not.toContain('/admin');
  });
});

describe('an operator', () => {
  const age = (minutes: number) =>
    server.database.query(
      `update sessions set created_at = app_now() - $1 * interval '1 minute' where user_id = $2`,
      [minutes, operator.id],
    );

  test('sees the pages, which no search engine keeps', async () => {
    await age(0);
    for (const route of routes) {
      const [method, pattern] = split(route);
      if (method !== 'GET') continue;
      const answer = await operator.get(pathFor(pattern), { accept: 'text/html' });
      expect([200, 303], route).toContain(answer.status);
      if (answer.status !== 200 || pattern.endsWith('.css')) continue;
      const html = await answer.text();
      expect(answer.headers.get('x-robots-tag')).toBe('noindex');
      expect(html).toContain('<html lang="en" dir="ltr"');
      expect(html).not.toContain('type="module"');
    }
  });

  test('is asked for a new sign-in to read after an hour, and to change anything after a quarter', async () => {
    const press = { press: randomUUID() };
    const form = (path: string, fields: Record<string, string>) =>
      fetch(server.url + path, {
        method: 'POST',
        redirect: 'manual',
        headers: { cookie: operator.cookie, origin: server.url },
        body: new URLSearchParams(fields),
      });
    await age(14);
    expect((await form('/admin/people.csv', press)).status).toBe(200);
    await age(15);
    for (const route of routes) {
      const [method, pattern] = split(route);
      if (method !== 'POST' || pattern.startsWith('/admin/sign-in')) continue;
      const answer = await form(pathFor(pattern), { press: randomUUID() });
      expect(answer.status, route).toBe(403);
      expect(await answer.text()).toContain('Sign in again');
    }
    expect((await operator.get('/admin/people')).status).toBe(200);
    await age(60);
    const late = await operator.get('/admin/people?q=x');
    expect(late.status).toBe(403);
    const html = await late.text();
    expect(html).toContain('value="/admin/people?q=x"');
    expect(html).not.toContain(ADMIN.replace('operator', 'other'));
    await age(0);
  });
});
