import { createHash, createPublicKey, type JsonWebKey, verify } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { LogView } from '../request-log.ts';
import { type RunningStandIns, spawnStandIns } from '../spawn.ts';
import { type Changes, control, Flow, REDIRECT } from './sign-in.fixture.ts';

let running: RunningStandIns;
beforeAll(async () => {
  running = await spawnStandIns();
});
beforeEach(() => control(running.base, { reset: true, clock: { offsetMs: 0 } }));
afterAll(() => running.remove());

interface Tokens {
  access_token: string;
  id_token: string;
  [name: string]: unknown;
}

const google = (base = running.base) => new Flow(base, 'google');
const decodePart = (jwt: string, index: number) =>
  JSON.parse(Buffer.from(jwt.split('.')[index]!, 'base64url').toString());

async function keysOf(base = running.base): Promise<(JsonWebKey & { kid: string })[]> {
  return (await (await fetch(`${base}/google/jwks`)).json()).keys;
}

/** Whether the published key that the token's header names signed it. */
async function isSigned(jwt: string, base = running.base): Promise<boolean> {
  const { alg, kid } = decodePart(jwt, 0);
  const jwk = (await keysOf(base)).find((key) => key.kid === kid);
  if (alg !== 'RS256' || !jwk) return false;
  const [head, body, signature] = jwt.split('.');
  const key = createPublicKey({ key: jwk, format: 'jwk' });
  return verify('sha256', Buffer.from(`${head}.${body}`), key, Buffer.from(signature!, 'base64url'));
}

async function signIn(
  flow: Flow,
  user: string,
  changes: Changes = {},
  request: Changes = {},
): Promise<Tokens> {
  const answer = await flow.token(await flow.code(user, changes, request));
  expect(answer.status).toBe(200);
  return (await answer.json()) as Tokens;
}

async function claimsOf(user: string, changes: Changes = {}, request: Changes = {}) {
  return decodePart((await signIn(google(), user, changes, request)).id_token, 1);
}

describe('a sign-in', () => {
  test('follows the addresses of discovery and ends with an id_token that its keys verify', async () => {
    const found = await fetch(`${running.base}/google/.well-known/openid-configuration`);
    const config = await found.json();
    const issuer = `${running.base}/google`;
    expect(config).toMatchObject({ issuer, authorization_endpoint: `${issuer}/authorize` });
    expect(config).toMatchObject({ token_endpoint: `${issuer}/token`, jwks_uri: `${issuer}/jwks` });
    const other = running.base.replace('127.0.0.1', 'localhost');
    const byOtherName = await fetch(`${other}/google/.well-known/openid-configuration`);
    expect((await byOtherName.json()).issuer).toBe(issuer);

    const flow = google();
    const redirect = await flow.choose('ada');
    expect(`${redirect.origin}${redirect.pathname}`).toBe('http://localhost:4999/back');
    const { code, ...rest } = Object.fromEntries(redirect.searchParams);
    expect(rest).toMatchObject({ kept: '1', state: flow.state, iss: issuer });
    const answer = await flow.token(code!);
    expect(answer.headers.get('cache-control')).toContain('no-store');
    const tokens = (await answer.json()) as Tokens;
    expect(tokens).toMatchObject({ token_type: 'Bearer', expires_in: 3599 });
    expect(tokens.scope).toContain('userinfo.email');
    expect(tokens).not.toHaveProperty('refresh_token');
    expect(await isSigned(tokens.id_token)).toBe(true);
    const half = createHash('sha256').update(tokens.access_token).digest().subarray(0, 16);
    const claims = decodePart(tokens.id_token, 1);
    expect(claims).toMatchObject({
      iss: issuer,
      aud: 'stand-in',
      sub: expect.stringMatching(/^1\d{20}$/),
      email: 'ada@example.com',
      email_verified: true,
      name: 'Ada Lovelace',
      nonce: flow.nonce,
      at_hash: half.toString('base64url'),
    });
    expect(Math.abs(claims.iat - Date.now() / 1000)).toBeLessThan(60);
    expect(claims.exp - claims.iat).toBe(3600);
    const headers = { authorization: `Bearer ${tokens.access_token}` };
    const userinfo = await (await fetch(`${issuer}/userinfo`, { headers })).json();
    expect(userinfo).toMatchObject({ sub: claims.sub, email: 'ada@example.com', picture: claims.picture });
  });

  test('as each kind of person', async () => {
    expect(await claimsOf('grace')).toMatchObject({ email: 'grace@example.com', email_verified: true });
    expect(await claimsOf('unverified')).toMatchObject({ email_verified: false });
    const nomail = await claimsOf('nomail');
    expect(nomail.sub).toMatch(/^1\d{20}$/);
    expect(nomail).not.toHaveProperty('email');
    expect(nomail).not.toHaveProperty('email_verified');
    const mallory = await claimsOf('mallory');
    expect(mallory.name).toContain('<b onclick=');
    expect(mallory.picture).toBe('http://127.0.0.1:9/avatar.svg');
  });

  test('with any address, and a stable or typed subject', async () => {
    const chosen = { email: 'Zoë@example.com', verified: 'true', name: 'Zoë & "<i>"' };
    const first = await claimsOf('other', chosen);
    expect(first).toMatchObject({ email: 'Zoë@example.com', email_verified: true, name: chosen.name });
    const again = await claimsOf('other', { email: 'zoË@EXAMPLE.com', verified: null });
    expect(again).toMatchObject({ sub: first.sub, email_verified: false });
    expect(await claimsOf('other', { email: 'x@example.com', subject: 'typed-1' })).toMatchObject({
      sub: 'typed-1',
    });
    const minimal = await claimsOf('other', { subject: 'typed-2' });
    expect(minimal).toMatchObject({ sub: 'typed-2' });
    expect(minimal).not.toHaveProperty('email');
    expect((await google().post({ user: 'other' })).status).toBe(400);
    expect((await google().post({ user: 'nobody' })).status).toBe(400);
  });

  test('returns only what the scope allows, and a refresh token only when one is due', async () => {
    const minimal = await claimsOf('ada', {}, { scope: 'openid' });
    expect(minimal).not.toHaveProperty('email');
    expect(minimal).not.toHaveProperty('name');
    const person = { email: `offline-${Date.now()}@example.com` };
    const offline = { access_type: 'offline' };
    expect(await signIn(google(), 'other', person, offline)).toHaveProperty('refresh_token');
    expect(await signIn(google(), 'other', person, offline)).not.toHaveProperty('refresh_token');
    const withConsent = { ...offline, prompt: 'consent' };
    expect(await signIn(google(), 'other', person, withConsent)).toHaveProperty('refresh_token');
  });

  test('can be denied, and is refused without a page for prompt=none', async () => {
    const flow = google();
    const denied = Object.fromEntries((await flow.choose('deny')).searchParams);
    expect(denied).toEqual({
      kept: '1',
      error: 'access_denied',
      state: flow.state,
      iss: `${running.base}/google`,
    });
    const silent = await flow.page({ prompt: 'none' });
    expect(new URL(silent.headers.get('location')!).searchParams.get('error')).toBe('login_required');
  });
});

describe('the page', () => {
  test('offers all users as text, the suggested one first, and only links back', async () => {
    const answer = await google().page({ login_hint: 'grace@example.com', client_id: '"><script>x' });
    const html = await answer.text();
    expect(html).not.toMatch(/<script|<b onclick|<img/);
    expect([...html.matchAll(/<button name="user" value="(\w+)"/g)].map((match) => match[1])).toEqual([
      'grace',
      'ada',
      'unverified',
      'nomail',
      'mallory',
      'deny',
    ]);
    expect(html).toContain('Suggested by the request');
    const policy = answer.headers.get('content-security-policy');
    expect(policy).toContain("form-action 'self' http://localhost:4999;");
    expect(policy).toContain("img-src data:; script-src 'none'");
    const filled = await (await google().page({ login_hint: 'new@example.com' })).text();
    expect(filled).toContain('name="email" inputmode="email" spellcheck="false" value="new@example.com"');
  });

  test.each<[string, Changes, string]>([
    ['no client', { client_id: null }, 'invalid_request'],
    ['an empty client', { client_id: '' }, 'invalid_request'],
    ['no address', { redirect_uri: null }, 'redirect_uri'],
    ['an outside address', { redirect_uri: 'https://evil.test/x' }, 'redirect_uri_mismatch'],
    ['a disguised address', { redirect_uri: 'http://127.0.0.1@evil.test/' }, 'redirect_uri_mismatch'],
    ['a name that begins well', { redirect_uri: 'http://localhost.evil.test/' }, 'redirect_uri_mismatch'],
    ['credentials', { redirect_uri: 'http://a:b@127.0.0.1/' }, 'redirect_uri_mismatch'],
    ['a fragment', { redirect_uri: 'http://127.0.0.1/#x' }, 'redirect_uri_mismatch'],
    ['a line break', { redirect_uri: 'http://127.0.0.1/\r\nx: y' }, 'redirect_uri_mismatch'],
    ['another scheme', { redirect_uri: 'javascript:alert(1)' }, 'redirect_uri_mismatch'],
    ['another response type', { response_type: 'token' }, 'unsupported_response_type'],
    ['no response type', { response_type: null }, 'invalid_request'],
    ['no openid', { scope: 'email profile' }, 'invalid_scope'],
    ['an unknown scope', { scope: 'openid calendars' }, 'invalid_scope'],
    ['no state', { state: null }, 'invalid_request'],
    ['no PKCE', { code_challenge: null, code_challenge_method: null }, 'invalid_request'],
    ['a method without a challenge', { code_challenge: null }, 'invalid_request'],
    ['plain PKCE', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['PKCE without a method', { code_challenge_method: null }, 'invalid_request'],
    ['a short challenge', { code_challenge: 'abc' }, 'invalid_request'],
    ['an unknown prompt', { prompt: 'always' }, 'invalid_request'],
    ['two prompts at odds', { prompt: 'none consent' }, 'invalid_request'],
  ])('refuses %s, and so does the submitted form', async (_name, changes, code) => {
    for (const answer of [await google().page(changes), await google().post(changes)]) {
      expect(answer.status).toBe(400);
      expect(answer.headers.get('location')).toBeNull();
      expect(await answer.text()).toContain(code);
    }
  });

  test('accepts each parameter only once', async () => {
    const url = `${running.base}/google/authorize?${google().params()}&state=other`;
    const answer = await fetch(url, { redirect: 'manual' });
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain('single value: state');
  });

  test.each(['http://127.0.0.1:3000/x', 'https://localhost/x', 'http://[::1]:3000/x'])(
    'leads back to %s',
    async (address) => {
      const redirect = await google().choose('ada', {}, { redirect_uri: address });
      expect(redirect.href.startsWith(`${address}?`)).toBe(true);
    },
  );

  test('accepts no form from another page or in another format', async () => {
    for (const site of ['cross-site', 'same-site'])
      expect((await google().post({}, { 'sec-fetch-site': site })).status).toBe(403);
    expect((await google().post({}, { 'sec-fetch-site': 'same-origin' })).status).toBe(303);
    expect((await google().post({}, { origin: 'https://evil.test' })).status).toBe(403);
    expect((await google().post({}, { 'content-type': 'text/plain' })).status).toBe(415);
  });
});

describe('the token endpoint', () => {
  async function expectRefusal(changes: Changes, status: number, error: string, headers = {}) {
    const flow = google();
    const answer = await flow.token(await flow.code('ada'), changes, headers);
    expect(answer.status).toBe(status);
    expect(answer.headers.get('cache-control')).toContain('no-store');
    const body = await answer.json();
    expect(body.error).toBe(error);
    expect(body).not.toHaveProperty('access_token');
    return answer;
  }
  const basic = (pair: string) => ({ authorization: `Basic ${Buffer.from(pair).toString('base64')}` });
  const withoutClient = { client_id: null, client_secret: null };

  test.each<[string, Changes, number, string]>([
    ['a wrong secret', { client_secret: 'x' }, 401, 'invalid_client'],
    ['no secret', { client_secret: null }, 400, 'invalid_request'],
    ['no client', { client_id: null }, 400, 'invalid_request'],
    ['another client', { client_id: 'other' }, 400, 'invalid_grant'],
    ['another address', { redirect_uri: 'http://localhost:4999/back' }, 400, 'redirect_uri_mismatch'],
    ['no address', { redirect_uri: null }, 400, 'redirect_uri_mismatch'],
    ['no verifier', { code_verifier: null }, 400, 'invalid_grant'],
    ['another verifier', { code_verifier: 'a'.repeat(43) }, 400, 'invalid_grant'],
    ['another grant type', { grant_type: 'password' }, 400, 'unsupported_grant_type'],
    ['no grant type', { grant_type: null }, 400, 'invalid_request'],
    ['no code', { code: null }, 400, 'invalid_request'],
    ['an unknown code', { code: '4/0nothing' }, 400, 'invalid_grant'],
  ])('refuses %s', async (_name, changes, status, error) => {
    await expectRefusal(changes, status, error);
  });

  test('accepts the secret by Basic, but only one method at a time', async () => {
    const flow = google();
    const accepted = await flow.token(await flow.code('ada'), withoutClient, basic('stand-in:stand%2Din'));
    expect(accepted.status).toBe(200);
    const wrong = await expectRefusal(withoutClient, 401, 'invalid_client', basic('stand-in:x'));
    expect(wrong.headers.get('www-authenticate')).toContain('Basic');
    await expectRefusal({}, 400, 'invalid_request', basic('stand-in:stand-in'));
    await expectRefusal(
      { ...withoutClient, client_id: 'b' },
      400,
      'invalid_request',
      basic('stand-in:stand-in'),
    );
    await expectRefusal({}, 400, 'invalid_request', { 'content-type': 'application/json' });
  });

  test('accepts a code once, and a second use revokes what the first one issued', async () => {
    const flow = google();
    const code = await flow.code('ada');
    const { access_token } = (await (await flow.token(code)).json()) as Tokens;
    const userinfo = () =>
      fetch(`${running.base}/google/userinfo`, { headers: { authorization: `Bearer ${access_token}` } });
    expect((await userinfo()).status).toBe(200);
    const again = await flow.token(code);
    expect([again.status, (await again.json()).error]).toEqual([400, 'invalid_grant']);
    const revoked = await userinfo();
    expect(revoked.status).toBe(401);
    expect(revoked.headers.get('www-authenticate')).toContain('invalid_token');
  });

  test('accepts a code for ten minutes of its clock, and a token for an hour', async () => {
    const [flow, late] = [google(), google()];
    const [code, expiredCode] = [await flow.code('ada'), await late.code('ada')];
    await control(running.base, { clock: { advanceMs: 9 * 60_000 } });
    const tokens = (await (await flow.token(code)).json()) as Tokens;
    expect(decodePart(tokens.id_token, 1).iat * 1000).toBeGreaterThan(Date.now() + 8 * 60_000);
    await control(running.base, { clock: { advanceMs: 61_000 } });
    expect((await (await late.token(expiredCode)).json()).error).toBe('invalid_grant');
    const headers = { authorization: `Bearer ${tokens.access_token}` };
    expect((await fetch(`${running.base}/google/userinfo`, { headers })).status).toBe(200);
    await control(running.base, { clock: { advanceMs: 3_600_000 } });
    expect((await fetch(`${running.base}/google/userinfo`, { headers })).status).toBe(401);
  });
});

describe('keys', () => {
  test('can be rotated with and without an overlap', async () => {
    const before = (await signIn(google(), 'ada')).id_token;
    const { kids } = (await control(running.base, { rotateGoogleKeys: true })).rotateGoogleKeys as {
      kids: string[];
    };
    expect((await keysOf()).map(({ kid }) => kid)).toEqual(kids);
    const after = (await signIn(google(), 'ada')).id_token;
    expect(decodePart(after, 0).kid).toBe(kids[0]);
    expect(decodePart(before, 0).kid).toBe(kids[1]);
    expect([await isSigned(before), await isSigned(after)]).toEqual([true, true]);
    await control(running.base, { rotateGoogleKeys: 'drop' });
    expect(await keysOf()).toHaveLength(1);
    expect([await isSigned(before), await isSigned(after)]).toEqual([false, false]);
    await expect(control(running.base, { rotateGoogleKeys: 'x' })).rejects.toThrow('400');
  });

  test('survive a restart in a private file, and publish nothing private', async () => {
    const first = await spawnStandIns();
    const token = (await signIn(google(first.base), 'ada')).id_token;
    for (const key of await keysOf(first.base))
      expect(Object.keys(key).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
    await first.stop();
    const file = join(first.dir, 'identity', 'google-keys.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const second = await spawnStandIns({ dir: first.dir });
    expect(await isSigned(token, second.base)).toBe(true);
    expect(readFileSync(file, 'utf8')).toContain(decodePart(token, 0).kid);
    await second.remove();
  });
});

test('the log lists every request, without secrets, codes, states or tokens', async () => {
  await fetch(`${running.base}/log`, { method: 'DELETE' });
  const flow = google();
  const code = await flow.code('ada');
  const tokens = (await (await flow.token(code)).json()) as Tokens;
  await flow.token(code, { client_secret: 'hunter2' });
  await keysOf();
  await fetch(`${running.base}/identity/pictures/ada.svg`);
  const entries = (await (await fetch(`${running.base}/log`)).json()) as LogView[];
  expect(entries.map(({ method, path, status }) => `${method} ${path} ${status}`)).toEqual([
    'GET /google/authorize 200',
    'POST /google/authorize 303',
    'POST /google/token 200',
    'POST /google/token 401',
    'GET /google/jwks 200',
    'GET /identity/pictures/ada.svg 200',
  ]);
  expect(entries[1]!.detail).toMatchObject({
    kind: 'google authorize',
    outcome: 'granted',
    params: { user: 'ada', client_id: 'stand-in', redirect_uri: REDIRECT, state: '[redacted]' },
  });
  const text = JSON.stringify(entries);
  for (const secret of [code, flow.state, flow.nonce, flow.verifier, 'hunter2', tokens.access_token])
    expect(text).not.toContain(secret);
  expect(text).not.toContain(tokens.id_token.split('.')[1]);
});
