import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { otherUser, type ProviderName, signInRequests } from '../support/journeys.ts';
import type { TestServer } from '../support/server.ts';
import { borrowServer } from '../support/shared-server.ts';
import { network, newAddress, sessionCookie } from '../support/visitor.ts';

const both: ProviderName[] = ['google', 'github'];

let server: TestServer;
let oauth: ReturnType<typeof signInRequests>;
beforeAll(async () => {
  server = await borrowServer(inject('servers'));
  oauth = signInRequests(server);
});
afterAll(() => server.stop());

/** Returns everything that the start or end of a sign-in could change. */
async function state(): Promise<unknown> {
  const { rows } = await server.database.query(
    `select (select json_agg(a order by state_hash) from oauth_attempts a) as journeys,
            (select json_agg(r order by key) from rate_limits r) as limits,
            (select count(*) from sessions) as sessions`,
  );
  return rows[0];
}

/** Fetch metadata of requests that a foreign page triggers without a navigation by the user. */
const headerSets: Array<Record<string, string>> = [
  ...['image', 'iframe', 'script', 'empty', 'object', ''].map((dest) => ({ 'sec-fetch-dest': dest })),
  { 'sec-fetch-dest': 'document', 'sec-purpose': 'prefetch;prerender' },
];

describe.each(both)('requests that a foreign page triggers at %s', (provider) => {
  test('neither start nor end a sign-in, and are not counted', async () => {
    const from = network();
    const started = await oauth.begin(provider, { from });
    const callbackUrl = await oauth.choose(started, otherUser(newAddress()));
    const before = await state();
    for (const url of [`${server.url}/api/auth/${provider}`, callbackUrl]) {
      for (const headers of headerSets) {
        const refused = await oauth.get(url, { from, cookie: started.browserCookie, headers });
        expect([refused.status, refused.headers.getSetCookie()], JSON.stringify(headers)).toEqual([400, []]);
        expect(await refused.json()).toMatchObject({ code: 'bad_request' });
      }
      const page = await oauth.get(url, {
        from,
        headers: { 'sec-fetch-dest': 'iframe', accept: 'text/html' },
      });
      expect([page.status, page.headers.get('content-type')]).toEqual([400, 'text/html; charset=utf-8']);
      const head = await fetch(url, {
        method: 'HEAD',
        redirect: 'manual',
        headers: { cookie: started.browserCookie, 'x-forwarded-for': from },
      });
      expect([head.status, head.headers.get('location'), head.headers.getSetCookie()]).toEqual([
        204,
        null,
        [],
      ]);
    }
    expect(await state()).toEqual(before);
    const headers = { 'sec-fetch-dest': 'document' };
    expect(
      sessionCookie(await oauth.get(callbackUrl, { from, cookie: started.browserCookie, headers })),
    ).not.toBe('');
  });

  test('are not counted without a well-formed state or the browser’s cookie', async () => {
    const from = network();
    const { browserCookie } = await oauth.begin(provider, { from });
    const before = await state();
    const callback = `${server.url}/api/auth/${provider}/callback?code=x`;
    for (const [query, cookie] of [
      ['', browserCookie],
      ['&state=x', browserCookie],
      [`&state=${'x'.repeat(43)}`, ''],
      [`&state=${'x'.repeat(43)}`, 'sign-in=x'],
    ])
      expect((await oauth.get(`${callback}${query}`, { from, cookie: cookie as string })).status).toBe(303);
    expect(await state()).toEqual(before);
    await oauth.get(`${callback}&state=${'x'.repeat(43)}`, { from, cookie: browserCookie });
    expect(await state()).not.toEqual(before);
  });
});

test('a callback is counted for its network, not for the site', async () => {
  await oauth.signIn('google', otherUser(newAddress()));
  const { rows } = await server.database.query<{ key: string }>(
    `select key from rate_limits where key like 'oauth-%'`,
  );
  const keys = rows.map(({ key }) => key);
  expect(keys).toContain('oauth-start:3600:all');
  expect(keys.filter((key) => key.startsWith('oauth-return:') && !key.includes(':network:'))).toEqual([]);
  expect(keys.some((key) => key.startsWith('oauth-return:'))).toBe(true);
});
