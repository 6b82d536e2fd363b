import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { createOperator, OPERATOR, type Operator, withEmail } from '../support/admin.ts';
import { expectConsistent } from '../support/consistency.ts';
import { mailTo } from '../support/mailbox.ts';
import { client, createPerson, type Person } from '../support/people.ts';
import { siteRoutes } from '../support/raw.ts';
import type { TestServer } from '../support/server.ts';
import { borrowServer } from '../support/shared-server.ts';
import { sampleOf } from '../support/soak.ts';

let server: TestServer;
let operator: Operator;
let routes: string[];
let nonOperators: Record<string, Pick<Person, 'get' | 'send'>>;

beforeAll(async () => {
  server = await borrowServer(inject('servers'));
  operator = await createOperator(server);
  routes = (await siteRoutes()).admin;
  nonOperators = {
    guest: client(server),
    free: await createPerson(server),
    pro: await createPerson(server, { plan: 'pro' }),
    // Addresses must match completely, so this one is not the operator's.
    'of a like address': await withEmail(server, await createPerson(server), `x${OPERATOR}`),
  };
});
afterAll(async () => {
  await expectConsistent(server);
  await server.stop();
});

const pathFor = (pattern: string) => pattern.replaceAll(/:\w+/g, operator.id);
const split = (route: string) => route.split(' ') as [string, string];

/** Returns what a visitor sees of a response, with values that change each time masked. */
async function visibleParts(answer: Response, path: string) {
  const id = answer.headers.get('x-request-id') ?? '';
  const nonce = /'nonce-([^']+)'/.exec(answer.headers.get('content-security-policy') ?? '')?.[1] ?? '\0';
  const masked = (text: string) =>
    text
      .replaceAll(id, 'ID')
      .replaceAll(nonce, 'NONCE')
      .replaceAll(path, 'PATH')
      .replaceAll(path.slice(1), 'PATH');
  const headers = [...answer.headers]
    .filter(([name]) => !['x-request-id', 'date', 'content-length'].includes(name))
    .map(([name, value]) => [name, masked(value)]);
  return { status: answer.status, headers, body: masked(await answer.text()) };
}

describe('to anybody but an operator, /admin answers like a path that does not exist', () => {
  const missingPath = '/amdin/people';

  test('the list of its routes is not empty', () => expect(routes.length).toBeGreaterThan(5));

  test.each(sampleOf(['guest', 'free', 'pro', 'of a like address']))('%s', async (name) => {
    const visitor = nonOperators[name] ?? client(server);
    const form = { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' };
    const fetchPage = (method: string, path: string) =>
      method === 'GET'
        ? visitor.get(path, { accept: 'text/html' })
        : visitor.send(method, path, { press: randomUUID() }, form);
    for (const route of [...routes, 'GET /admin/nothing', 'GET /admin/people.data', 'GET /admin.data']) {
      const [method, pattern] = split(route);
      const path = pathFor(pattern);
      const comparedPath = path.endsWith('.data') ? `${missingPath}.data` : missingPath;
      const [answer, other] = [await fetchPage(method, path), await fetchPage(method, comparedPath)];
      expect(answer.status, route).toBe(method === 'GET' ? 404 : 405);
      expect(await visibleParts(answer, path), route).toEqual(await visibleParts(other, comparedPath));
    }
    for (const path of ['/api/admin', '/api/admin/people']) {
      expect((await visitor.get(path)).status).toBe(404);
      expect((await visitor.send('POST', path, {})).status).toBe(404);
    }
  });

  test('neither the sitemap, robots.txt nor any page mentions it', async () => {
    for (const path of ['/sitemap.xml', '/robots.txt', '/', '/sitemap', '/dashboard', '/settings'])
      expect(await (await operator.get(path)).text()).not.toContain('/admin');
  });
});

describe('an operator', () => {
  test('sees the pages, which search engines may not index', async () => {
    await operator.ageSession(0);
    for (const route of routes) {
      const [method, pattern] = split(route);
      if (method !== 'GET') continue;
      const answer = await operator.get(pathFor(pattern), { accept: 'text/html' });
      // The id in the path is a person's, so it exists only under /admin/people/.
      const isThere = !pattern.includes(':') || pattern.startsWith('/admin/people/');
      expect(isThere ? [200, 303] : [404], route).toContain(answer.status);
      if (answer.status !== 200 || pattern.endsWith('.css')) continue;
      const html = await answer.text();
      expect(answer.headers.get('x-robots-tag')).toBe('noindex');
      expect(html).toContain('<html lang="en" dir="ltr"');
      expect(html).not.toContain('type="module"');
    }
  });

  test('must sign in again after an hour to read, and after 15 minutes to change anything', async () => {
    await operator.ageSession(14);
    expect((await operator.submit('/admin/people.csv')).status).toBe(200);
    await operator.ageSession(15);
    for (const route of routes) {
      const [method, pattern] = split(route);
      if (method !== 'POST' || pattern.startsWith('/admin/sign-in')) continue;
      const answer = await operator.submit(pathFor(pattern));
      expect(answer.status, route).toBe(403);
      expect(await answer.text()).toContain('Sign in again');
    }
    expect((await operator.get('/admin/people')).status).toBe(200);
    await operator.ageSession(60);
    const late = await operator.get('/admin/people?q=x');
    expect(late.status).toBe(403);
    const html = await late.text();
    expect(html).toContain('value="/admin/people?q=x"');
    expect(html).not.toContain('other@example.com');
    await operator.ageSession(0);
  });

  test('signs in again by a code to their own address, and continues where they were', async () => {
    await operator.ageSession(61);
    const codeRequest = await operator.submit('/admin/sign-in', { next: '/admin/people?q=x' });
    expect(await codeRequest.text()).toContain(`We sent a code to ${OPERATOR}`);
    const markerCookies = codeRequest.headers.getSetCookie().map((line) => line.split(';')[0]);
    const { code } = await mailTo(server, OPERATOR);
    const cookie = [operator.cookie, ...markerCookies].join('; ');
    const wrong = await operator.submit('/admin/sign-in/code', { code: '000000' }, { cookie });
    expect(wrong.status).toBe(400);
    // `next` cannot lead to another site.
    const next = 'https://evil.test/admin';
    const elsewhere = await operator.submit('/admin/sign-in', { next });
    expect(await elsewhere.text()).not.toContain('evil.test');
    const signedIn = await operator.submit(
      '/admin/sign-in/code',
      { code, next: '/admin/people?q=x' },
      { cookie },
    );
    expect([signedIn.status, signedIn.headers.get('location')]).toEqual([303, '/admin/people?q=x']);
    const session = signedIn.headers.getSetCookie().find((line) => line.startsWith('session=')) ?? '';
    const page = await fetch(`${server.url}/admin/people`, {
      headers: { cookie: session.split(';')[0] ?? '' },
    });
    expect(page.status).toBe(200);
    // The new sign-in also ended the old session.
    expect((await operator.get('/admin/people')).status).toBe(404);
  });
});

describe('a request from another site', () => {
  test('changes nothing, whatever it asks', async () => {
    const { rows } = await server.database.query('select count(*)::int as count from operator_actions');
    const fresh = await createOperator(server);
    const origins: Record<string, string>[] = [
      { origin: 'https://evil.test' },
      { origin: 'null' },
      { origin: '', 'sec-fetch-site': 'cross-site' },
    ];
    for (const route of routes.filter((each) => each.startsWith('POST')))
      for (const headers of origins) {
        const answer = await fresh.submit(pathFor(split(route)[1]), {}, headers);
        expect(answer.status, `${route} from ${JSON.stringify(headers)}`).toBe(403);
      }
    expect((await server.database.query('select count(*)::int as count from operator_actions')).rows).toEqual(
      rows,
    );
  });
});

describe('the log', () => {
  beforeAll(() =>
    server.database.query(`insert into operator_actions (operator, action) values ('tests', 'test')`),
  );

  test.each([
    "update operator_actions set reason = 'x'",
    'delete from operator_actions',
    'truncate operator_actions',
  ])('cannot be changed by %s', async (statement) => {
    await expect(server.database.query(`begin; ${statement}; commit`)).rejects.toThrow(
      'the log of operators is append-only',
    );
  });
});
