import { request } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type RunningStandIns, spawnStandIns } from '../spawn.ts';
import { type Changes, control, Flow } from './sign-in.fixture.ts';

let running: RunningStandIns;
beforeAll(async () => {
  running = await spawnStandIns();
});
beforeEach(() => control(running.base, { reset: true, clock: { offsetMs: 0 } }));
afterAll(() => running.remove());

const ACCEPT_JSON = { accept: 'application/json' };
const github = () => new Flow(running.base, 'github');

function read(path: string, token: string, scheme = 'Bearer'): Promise<Response> {
  return fetch(`${running.base}/github/api${path}`, { headers: { authorization: `${scheme} ${token}` } });
}

async function tokenOf(user: string, changes: Changes = {}, request: Changes = {}): Promise<string> {
  const flow = github();
  const answer = await flow.token(await flow.code(user, changes, request), {}, ACCEPT_JSON);
  return (await answer.json()).access_token;
}

async function profileOf(user: string, changes: Changes = {}) {
  const token = await tokenOf(user, changes);
  const user_ = await (await read('/user', token)).json();
  return { user: user_, emails: await (await read('/user/emails', token)).json() };
}

describe('a sign-in', () => {
  test('ends with the profile, and answers as a form or as JSON', async () => {
    const flow = github();
    const redirect = await flow.choose('ada');
    const { code, ...rest } = Object.fromEntries(redirect.searchParams);
    expect(rest).toEqual({ kept: '1', state: flow.state });
    const answer = await flow.token(code!);
    expect(answer.headers.get('content-type')).toContain('application/x-www-form-urlencoded');
    expect(answer.headers.get('cache-control')).toContain('no-store');
    const form = Object.fromEntries(new URLSearchParams(await answer.text()));
    expect(form).toEqual({
      access_token: expect.stringMatching(/^gho_[A-Za-z0-9]{36}$/),
      scope: 'read:user,user:email',
      token_type: 'bearer',
    });
    const other = github();
    const json = await (await other.token(await other.code('ada'), {}, ACCEPT_JSON)).json();
    expect(json).toMatchObject({ scope: 'read:user,user:email', token_type: 'bearer' });
    const user = await read('/user', json.access_token, 'token');
    expect(user.headers.get('x-oauth-scopes')).toBe('read:user, user:email');
    expect(await user.json()).toMatchObject({
      id: expect.any(Number),
      login: 'ada',
      name: 'Ada Lovelace',
      email: 'ada@example.com',
      avatar_url: `${running.base}/identity/pictures/ada.svg`,
    });
  });

  test('as each kind of person', async () => {
    const primary = { primary: true, verified: true };
    const noreply = { primary: false, verified: true };
    const grace = await profileOf('grace');
    expect(grace.user.email).toBeNull();
    expect(grace.emails).toEqual([
      expect.objectContaining(noreply),
      { ...primary, email: 'grace@example.com', visibility: 'private' },
    ]);
    expect((await profileOf('ada')).emails[1]).toMatchObject({ ...primary, visibility: 'public' });
    const unverified = await profileOf('unverified');
    expect(unverified.user.email).toBeNull();
    expect(unverified.emails).toEqual([
      expect.objectContaining(noreply),
      expect.objectContaining({ email: 'unverified@example.com', primary: true, verified: false }),
    ]);
    const nomail = await profileOf('nomail');
    expect([nomail.user.email, nomail.emails]).toEqual([null, []]);
    expect((await profileOf('mallory')).user).toMatchObject({ avatar_url: 'http://127.0.0.1:9/avatar.svg' });
  });

  test('with any address, and a stable or typed id', async () => {
    const chosen = { email: 'Zed.Q+1@example.com', verified: 'true', name: '<i>Zed</i>' };
    const first = await profileOf('other', chosen);
    expect(first.user).toMatchObject({ login: 'zed-q-1', name: '<i>Zed</i>', email: 'Zed.Q+1@example.com' });
    expect((await profileOf('other', chosen)).user.id).toBe(first.user.id);
    const typed = await profileOf('other', { subject: '4711' });
    expect(typed.user).toMatchObject({ id: 4711, login: 'user-4711', email: null, name: null });
    expect((await github().post({ user: 'other', subject: 'abc' })).status).toBe(400);
  });

  test('can be denied, with a separate error', async () => {
    const flow = github();
    expect(Object.fromEntries((await flow.choose('deny')).searchParams)).toMatchObject({
      error: 'access_denied',
      error_description: 'The user has denied your application access.',
      error_uri: expect.stringContaining('#access-denied'),
      state: flow.state,
    });
  });
});

describe('the page', () => {
  test.each<[string, Changes, string]>([
    ['no client', { client_id: null }, 'invalid_request'],
    ['no address', { redirect_uri: null }, 'invalid_request'],
    ['an outside address', { redirect_uri: 'http://10.0.0.1/x' }, 'redirect_uri_mismatch'],
    ['plain PKCE', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['another response type', { response_type: 'token' }, 'unsupported_response_type'],
  ])('refuses %s, and so does the submitted form', async (_name, changes, code) => {
    for (const answer of [await github().page(changes), await github().post(changes)]) {
      expect([answer.status, answer.headers.get('location')]).toEqual([400, null]);
      expect(await answer.text()).toContain(code);
    }
  });

  test('requires neither state nor PKCE, and suggests the user named by login', async () => {
    const minimal = { state: null, code_challenge: null, code_challenge_method: null };
    const flow = github();
    const redirect = await flow.choose('ada', {}, minimal);
    expect(redirect.searchParams.has('state')).toBe(false);
    const answer = await flow.token(redirect.searchParams.get('code')!, { code_verifier: null }, ACCEPT_JSON);
    expect(await answer.json()).toHaveProperty('access_token');
    const html = await (await github().page({ login: 'nomail' })).text();
    expect(/<button name="user" value="(\w+)"/.exec(html)?.[1]).toBe('nomail');
  });
});

describe('access_token', () => {
  test.each<[string, Changes, string]>([
    ['a wrong secret', { client_secret: 'x' }, 'incorrect_client_credentials'],
    ['no client', { client_id: null }, 'incorrect_client_credentials'],
    ['another client', { client_id: 'other' }, 'bad_verification_code'],
    ['an unknown code', { code: 'nothing' }, 'bad_verification_code'],
    ['no code', { code: null }, 'bad_verification_code'],
    ['another address', { redirect_uri: 'http://localhost:4999/x' }, 'redirect_uri_mismatch'],
    ['no verifier', { code_verifier: null }, 'bad_verification_code'],
    ['another verifier', { code_verifier: 'a'.repeat(43) }, 'bad_verification_code'],
  ])('refuses %s with status 200', async (_name, changes, error) => {
    for (const headers of [ACCEPT_JSON, {}]) {
      const flow = github();
      const answer = await flow.token(await flow.code('ada'), changes, headers);
      expect(answer.status).toBe(200);
      const text = await answer.text();
      const body = text.startsWith('{') ? JSON.parse(text) : Object.fromEntries(new URLSearchParams(text));
      expect(body).toEqual({
        error,
        error_description: expect.stringMatching(/\.$/),
        error_uri: expect.stringMatching(/^https:\/\/docs\.github\.com\//),
      });
    }
  });

  test('accepts a code once, for ten minutes; a second use revokes the first token', async () => {
    const flow = github();
    const code = await flow.code('ada');
    const token = (await (await flow.token(code, {}, ACCEPT_JSON)).json()).access_token;
    expect((await read('/user', token)).status).toBe(200);
    expect((await (await flow.token(code, {}, ACCEPT_JSON)).json()).error).toBe('bad_verification_code');
    expect((await read('/user', token)).status).toBe(401);
    const lateCode = await flow.code('ada');
    await control(running.base, { clock: { advanceMs: 600_000 } });
    expect((await (await flow.token(lateCode, {}, ACCEPT_JSON)).json()).error).toBe('bad_verification_code');
  });

  test('accepts no code of the other provider', async () => {
    const code = await new Flow(running.base, 'google').code('ada');
    expect((await (await github().token(code, {}, ACCEPT_JSON)).json()).error).toBe('bad_verification_code');
  });
});

describe('the API', () => {
  test('requires a token, and the scope for addresses', async () => {
    const without = await fetch(`${running.base}/github/api/user`);
    expect([without.status, (await without.json()).message]).toEqual([401, 'Requires authentication']);
    const wrong = await read('/user', 'gho_x');
    expect([wrong.status, (await wrong.json()).message]).toEqual([401, 'Bad credentials']);
    const narrow = await tokenOf('ada', {}, { scope: 'read:user' });
    expect((await read('/user', narrow)).status).toBe(200);
    expect((await read('/user/emails', narrow)).status).toBe(404);
    const wide = await tokenOf('ada', {}, { scope: 'user' });
    expect((await read('/user/emails', wide)).status).toBe(200);
  });

  test('requires a User-Agent', async () => {
    const authorization = `Bearer ${await tokenOf('ada')}`;
    const status = await new Promise((resolve, reject) => {
      const req = request(`${running.base}/github/api/user`, { headers: { authorization } }, (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      });
      req.once('error', reject).end();
    });
    expect(status).toBe(403);
  });
});
