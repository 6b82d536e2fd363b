import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import { expectConsistent } from '../support/consistency.ts';
import { foreignTargets } from '../support/foreign-targets.ts';
import { control } from '../support/gateway.ts';
import { errorOf, otherUser, type ProviderName, signInRequests } from '../support/journeys.ts';
import { client } from '../support/people.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { sampleOf, soak } from '../support/soak.ts';
import { moveClock, network, newAddress, sessionCookie, visitor } from '../support/visitor.ts';

const both: ProviderName[] = ['google', 'github'];
const env = { TRUSTED_PROXIES: '127.0.0.1,::1' };

let server: TestServer;
let visit: ReturnType<typeof visitor>;
let oauth: ReturnType<typeof signInRequests>;
beforeAll(async () => {
  server = await startTestServer({ postgres: inject('postgres'), env });
  [visit, oauth] = [visitor(server), signInRequests(server)];
});
afterAll(() => server.stop());
afterEach(async () => {
  await control(server, { google: { fault: 'none', at: 'token' }, github: { fault: 'none', at: 'token' } });
});

const newUser = () => otherUser(newAddress());

/** Returns how many requests the stand-ins got on a path. */
async function requestCount(path: string): Promise<number> {
  return ((await (await fetch(`${server.standins}/log?path=${path}`)).json()) as unknown[]).length;
}

describe('next', () => {
  const vectors = () => sampleOf(foreignTargets(server.url));
  test('leads to no other site, from the link and from the dialog', async () => {
    for (const next of vectors()) {
      const done = await oauth.signIn('google', newUser(), { next });
      expect([sessionCookie(done) !== '', done.headers.get('location')], next).toEqual([
        true,
        '/auth/callback',
      ]);
      const answer = await visit.post('/api/auth/github', { next });
      const { url } = (await answer.json()) as { url: string };
      const browserCookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
      const callbackUrl = await oauth.choose({ url: new URL(url), browserCookie: browserCookie }, newUser());
      expect((await oauth.get(callbackUrl, { cookie: browserCookie })).headers.get('location'), next).toBe(
        '/auth/callback',
      );
    }
  });

  test.each([
    ['/auth/callback?subscribe=true&plan=yearly', '/auth/callback?subscribe=true&plan=yearly'],
    ['/auth/callback?plan=yearly&subscribe=true&error=x', '/auth/callback?subscribe=true&plan=yearly'],
    ['/auth/callback?error=x&error_description=Call+us', '/auth/callback'],
    ['/error?description=Call+us', '/auth/callback'],
    ['/api/me/export', '/auth/callback'],
    ['/sign-in?next=/chat', '/auth/callback'],
  ])('%s is stored as %s', async (next, location) => {
    expect((await oauth.signIn('github', newUser(), { next })).headers.get('location')).toBe(location);
  });
});

test('a stored target is checked again', async () => {
  const started = await oauth.begin('google', { next: '/chat' });
  await server.database.query(
    `update oauth_attempts set next = '/error?description=Call+us' where used_at is null`,
  );
  const callbackUrl = await oauth.choose(started, newUser());
  expect((await oauth.get(callbackUrl, { cookie: started.browserCookie })).headers.get('location')).toBe(
    '/auth/callback',
  );
});

describe.each(both)('the state of a sign-in with %s', (provider) => {
  const refused = async (callbackUrl: string, cookie: string) => {
    const failure = errorOf(await oauth.get(callbackUrl, { cookie }));
    expect(failure).toMatchObject({ error: 'invalid_request', from: 'auth_callback' });
    return failure;
  };
  const without = (callbackUrl: string, name: string, value?: string) => {
    const url = new URL(callbackUrl);
    if (value === undefined) url.searchParams.delete(name);
    else url.searchParams.set(name, value);
    return url.href;
  };

  test('must be present, issued by us, and belong to this browser; another browser cannot use it up', async () => {
    const [own, others] = [await oauth.begin(provider), await oauth.begin(provider)];
    const callbackUrl = await oauth.choose(own, newUser());
    await refused(without(callbackUrl, 'state'), own.browserCookie);
    await refused(without(callbackUrl, 'state', 'x'.repeat(43)), own.browserCookie);
    await refused(
      without(callbackUrl, 'state', others.url.searchParams.get('state') ?? ''),
      own.browserCookie,
    );
    for (const cookie of ['', 'sign-in=', `sign-in=${'x'.repeat(43)}`, others.browserCookie])
      await refused(callbackUrl, cookie);
    const other = provider === 'google' ? 'github' : 'google';
    await refused(callbackUrl.replace(`/api/auth/${provider}/`, `/api/auth/${other}/`), own.browserCookie);
    expect(sessionCookie(await oauth.get(callbackUrl, { cookie: own.browserCookie }))).not.toBe('');
  });

  test('works once, and so does the code', async () => {
    const started = await oauth.begin(provider);
    const callbackUrl = await oauth.choose(started, newUser());
    const session = sessionCookie(await oauth.get(callbackUrl, { cookie: started.browserCookie }));
    const tokens = provider === 'google' ? '/google/token' : '/github/login/oauth/access_token';
    const before = await requestCount(tokens);
    expect((await refused(callbackUrl, started.browserCookie)).description).toContain('was already used');
    expect(await requestCount(tokens), 'a used state asks the provider nothing').toBe(before);
    const next = await oauth.begin(provider, { cookie: started.browserCookie });
    const reused = without(callbackUrl, 'state', next.url.searchParams.get('state') ?? '');
    expect((await refused(reused, started.browserCookie)).description).toContain('didn’t accept');
    expect((await client(server, session).get('/api/me')).status).toBe(200);
  });

  test('needs a code of the same sign-in', async () => {
    const [own, others] = [await oauth.begin(provider), await oauth.begin(provider)];
    const [callbackUrl, foreign] = [
      await oauth.choose(own, newUser()),
      await oauth.choose(others, newUser()),
    ];
    // PKCE: an attacker's code in the victim's sign-in.
    await refused(
      without(callbackUrl, 'code', new URL(foreign).searchParams.get('code') ?? ''),
      own.browserCookie,
    );
    const again = await oauth.begin(provider);
    await refused(without(await oauth.choose(again, newUser()), 'code'), again.browserCookie);
  });

  test('expires after ten minutes', async () => {
    const started = await oauth.begin(provider);
    const callbackUrl = await oauth.choose(started, newUser());
    await moveClock(server, 11 * 60_000);
    await refused(callbackUrl, started.browserCookie);
    await moveClock(server, 0);
  });

  test('is required for an error too', async () => {
    const { browserCookie } = await oauth.begin(provider);
    const words = `${server.url}/api/auth/${provider}/callback?error=evil_words&error_description=Call+us`;
    await refused(words, '');
    await refused(`${words}&state=${'x'.repeat(43)}`, browserCookie);
  });
});

describe('errors from the provider', () => {
  test.each(both)('a refusal by the person, at %s', async (provider) => {
    const failure = errorOf(await oauth.signIn(provider, { user: 'deny' }));
    expect(failure).toMatchObject({ error: 'access_denied', from: 'auth_callback' });
  });

  test.each([
    ['access_denied', 'access_denied'],
    ['invalid_request', 'invalid_request'],
    ['server_error', 'server_error'],
    ['temporarily_unavailable', 'server_error'],
    ['interaction_required', 'interaction_required'],
    ['application_suspended', 'application_suspended'],
    ['<script>alert(1)</script>', 'auth_error'],
    ['a'.repeat(61), 'auth_error'],
    ['Upper', 'auth_error'],
  ])('%s is reported as %s', async (code, error) => {
    for (const provider of both) {
      await control(server, { [provider]: { fault: `error:${code}`, at: 'authorize' } });
      expect(errorOf(await oauth.signIn(provider, newUser()))).toMatchObject({
        error,
        from: 'auth_callback',
      });
    }
  });
});

describe('a fault of Google', () => {
  const fault = (name: string, at = 'token') => control(server, { google: { fault: name, at } });

  test.each([
    ['wrongAud', 'auth_error'],
    ['expired', 'auth_error'],
    ['wrongNonce', 'auth_error'],
    ['algNone', 'auth_error'],
    ['unknownKid', 'auth_error'],
    ['badSignature', 'auth_error'],
    ['wrongIss', 'auth_error'],
    ['noIdToken', 'auth_error'],
    ['wrongResponseIss', 'auth_error'],
    ['html', 'auth_error'],
    ['error:unsupported_grant_type', 'auth_error'],
    ['stateTampered', 'invalid_request'],
    ['error:invalid_grant', 'invalid_request'],
    ['error:invalid_client', 'configuration_error'],
  ])('%s ends in %s, and the next sign-in works', async (name, error) => {
    await fault(name);
    expect(errorOf(await oauth.signIn('google', newUser()))).toMatchObject({
      error,
      from: 'auth_callback',
    });
    await fault('none');
    expect(sessionCookie(await oauth.signIn('google', newUser()))).not.toBe('');
  });

  test.each<[string, string]>([
    ['status500', 'token'],
    ['status503', 'token'],
    ...(soak ? [['slow', 'token'] as [string, string]] : []),
    ['status500', 'jwks'],
  ])('%s at %s is reported as Google’s', async (name, at) => {
    // New keys, so that the site must fetch them.
    await control(server, { rotateGoogleKeys: 'drop' });
    await fault(name, at);
    const failure = errorOf(await oauth.signIn('google', newUser()));
    expect(failure).toMatchObject({ error: 'google_auth_error', from: 'compact_auth_modal' });
    expect(failure.description).toContain('Google login failed, please try again');
    await fault('none');
    expect(sessionCookie(await oauth.signIn('google', newUser()))).not.toBe('');
  });

  test('keys are cached, and fetched again at once when they change', async () => {
    await oauth.signIn('google', newUser());
    const before = await requestCount('/google/jwks');
    await oauth.signIn('google', newUser());
    expect(await requestCount('/google/jwks')).toBe(before);
    await control(server, { rotateGoogleKeys: true });
    expect(sessionCookie(await oauth.signIn('google', newUser()))).not.toBe('');
    expect(await requestCount('/google/jwks')).toBe(before + 1);
  });
});

describe('a fault of GitHub', () => {
  const fault = (name: string, at: string) => control(server, { github: { fault: name, at } });

  test.each([
    ['status500', 'token', 'github_auth_error'],
    ['status503', 'user', 'github_auth_error'],
    ['status500', 'emails', 'github_auth_error'],
    ['html', 'token', 'auth_error'],
    ['html', 'user', 'auth_error'],
    ['html', 'emails', 'auth_error'],
    ['error:bad_verification_code', 'token', 'invalid_request'],
    ['error:incorrect_client_credentials', 'token', 'configuration_error'],
    ['error:redirect_uri_mismatch', 'token', 'configuration_error'],
    ['error:unverified_user_email', 'token', 'email_not_verified'],
    ['error:something_new', 'token', 'auth_error'],
    ['error:bad_credentials', 'user', 'auth_error'],
    ['stateTampered', 'token', 'invalid_request'],
  ])('%s at %s ends in %s', async (name, at, error) => {
    await fault(name, at);
    const failure = errorOf(await oauth.signIn('github', newUser()));
    expect(failure).toMatchObject({
      error,
      from: error === 'github_auth_error' ? 'compact_auth_modal' : 'auth_callback',
    });
  });
});

describe('the start of a sign-in', () => {
  test('redirects to PUBLIC_URL, so that the cookie is there for the callback', async () => {
    const { port } = new URL(server.url);
    const localUrl = `http://127.0.0.1:${port}`;
    const redirected = await oauth.get(`${localUrl}/api/auth/google?next=%2Fchat`);
    const publicUrl = `${server.url}/api/auth/google?next=%2Fchat&moved=1`;
    expect([redirected.status, redirected.headers.get('location')]).toEqual([302, publicUrl]);
    expect(redirected.headers.getSetCookie()).toEqual([]);
    // The `moved` mark prevents a redirect loop behind a proxy that changes the Host.
    const secondRedirect = await oauth.get(`${localUrl}/api/auth/google?moved=1`);
    expect(new URL(secondRedirect.headers.get('location') ?? '').pathname).toBe('/google/authorize');
    const dialog = await fetch(`${localUrl}/api/auth/google`, {
      method: 'POST',
      headers: { origin: localUrl, 'content-type': 'application/json' },
      body: JSON.stringify({ next: '/chat' }),
    });
    expect(await dialog.json()).toEqual({ url: publicUrl });
  });

  test.each(['apple', 'Google', 'google%20', '__proto__', 'constructor'])(
    '%s is not a provider',
    async (name) => {
      for (const path of [`/api/auth/${name}`, `/api/auth/${name}/callback?code=x&state=y`])
        expect((await oauth.get(server.url + path)).status, path).toBe(404);
      expect((await visit.post(`/api/auth/${name}`, {})).status).toBe(404);
    },
  );

  test('is limited per network, for the callback too; a browser gets a page', async () => {
    const from = network();
    const cookie = `sign-in=${'x'.repeat(43)}`;
    const urls = [
      `${server.url}/api/auth/google`,
      `${server.url}/api/auth/google/callback?code=x&state=${'x'.repeat(43)}`,
    ];
    for (const url of urls) {
      const statuses: number[] = [];
      for (let i = 0; i < 62; i++) statuses.push((await oauth.get(url, { from, cookie })).status);
      expect(statuses.indexOf(429)).toBe(60);
      const page = await oauth.get(url, { from, cookie, headers: { accept: 'text/html' } });
      expect([page.status, page.headers.get('content-type')]).toEqual([429, 'text/html; charset=utf-8']);
      expect(Number(page.headers.get('retry-after'))).toBeGreaterThan(3000);
    }
  });
});

describe('another configuration', () => {
  let site: TestServer;
  beforeAll(async () => {
    site = await startTestServer({
      postgres: inject('postgres'),
      standins: server.standins,
      env: {
        ...env,
        SANDBOX: 'false',
        AUTH_SECRET: 'Zr8vQ2mKx5Lw9TnB4yHc7JpD1sGf6VaE',
        MAIL_FROM: 'Site <hello@example.com>',
        GOOGLE_OFFLINE: 'true',
        GITHUB_CLIENT_ID: '',
        GITHUB_CLIENT_SECRET: '',
      },
    });
  });
  afterAll(() => site.stop());

  test('without a client, a provider is not offered outside the sandbox', async () => {
    for (const path of ['/api/auth/github', '/api/auth/github/callback'])
      expect((await oauth.get(site.url + path)).status).toBe(404);
    expect((await visitor(site).post('/api/auth/github', {})).status).toBe(404);
    expect(site.output()).not.toContain('Using local stand-ins');
  });

  test('offline access is requested where it is configured, and no token is stored', async () => {
    const { url } = await signInRequests(site).begin('google');
    expect(Object.fromEntries(url.searchParams)).toMatchObject({ access_type: 'offline', prompt: 'consent' });
    expect(sessionCookie(await signInRequests(site).signIn('google', newUser()))).not.toBe('');
    const { rows } = await site.database.query<{ column_name: string }>(
      `select column_name from information_schema.columns where table_schema = 'public'
        and table_name in ('identities', 'oauth_attempts') and column_name like '%token%'`,
    );
    expect(rows).toEqual([]);
  });

  test('a wrong client secret, and a token endpoint that cannot be reached', async () => {
    const wrong = await startTestServer({
      postgres: inject('postgres'),
      standins: server.standins,
      env: { ...env, GOOGLE_CLIENT_SECRET: 'another', GITHUB_TOKEN_URL: 'http://127.0.0.1:1/token' },
    });
    try {
      const { signIn } = signInRequests(wrong);
      expect(errorOf(await signIn('google', newUser()))).toMatchObject({ error: 'configuration_error' });
      expect(errorOf(await signIn('github', newUser()))).toMatchObject({
        error: 'github_auth_error',
        from: 'compact_auth_modal',
      });
    } finally {
      await wrong.stop();
    }
  });
});

test('neither the log nor the database holds a code, a state, a token or an address', async () => {
  const secrets: string[] = [];
  for (const provider of both) {
    const email = newAddress();
    const started = await oauth.begin(provider);
    const callbackUrl = await oauth.choose(started, otherUser(email));
    const session = sessionCookie(await oauth.get(callbackUrl, { cookie: started.browserCookie }));
    const { state = '', code = '' } = Object.fromEntries(new URL(callbackUrl).searchParams);
    const { nonce = state } = Object.fromEntries(started.url.searchParams);
    secrets.push(state, code, nonce, started.browserCookie.split('=')[1] ?? '', session.split('=')[1] ?? '');
    expect(secrets.every((secret) => secret.length >= 20)).toBe(true);
    expect(server.output()).not.toContain(email);
  }
  const tables = ['oauth_attempts', 'identities', 'sessions', 'users', 'welcome_grants', 'rate_limits'];
  const texts = [server.output()];
  for (const table of tables) {
    const { rows } = await server.database.query<{ row: string }>(
      `select to_jsonb(t)::text as row from ${table} t`,
    );
    expect(rows.length, table).toBeGreaterThan(0);
    texts.push(...rows.map(({ row }) => row));
  }
  for (const text of texts) {
    for (const secret of secrets) expect(text).not.toContain(secret);
    // Tokens: a JWT, Google's and GitHub's access tokens.
    expect(text).not.toMatch(/eyJ[\w-]{10}|ya29\.|gho_/);
  }
});

test('every invariant holds', () => expectConsistent(server));
