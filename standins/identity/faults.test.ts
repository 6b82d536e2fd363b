import { createPublicKey, verify } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { LogView } from '../request-log.ts';
import { type RunningStandIns, spawnStandIns } from '../spawn.ts';
import { control, Flow } from './sign-in.fixture.ts';
import type { ProviderName } from './users.ts';

let running: RunningStandIns;
beforeAll(async () => {
  running = await spawnStandIns();
});
beforeEach(() => control(running.base, { reset: true }));
afterAll(() => running.remove());

const ACCEPT_JSON = { accept: 'application/json' };
const setFault = (provider: ProviderName, fault: string, at?: string) =>
  control(running.base, { [provider]: { fault, ...(at ? { at } : {}) } });

async function tokenAnswer(flow: Flow): Promise<Response> {
  return flow.token(await flow.code('ada'), {}, ACCEPT_JSON);
}

/** Decodes the id_token that the current fault produces. */
async function idToken(flow: Flow) {
  const { id_token } = await (await tokenAnswer(flow)).json();
  const [head, body, signature] = (id_token as string).split('.');
  const read = (text: string) => JSON.parse(Buffer.from(text, 'base64url').toString());
  const { keys } = await (await fetch(`${running.base}/google/jwks`)).json();
  const key = createPublicKey({ key: keys[0], format: 'jwk' });
  const signed = verify('sha256', Buffer.from(`${head}.${body}`), key, Buffer.from(signature!, 'base64url'));
  return { header: read(head!), claims: read(body!), signature, signed, kid: keys[0].kid as string };
}

async function lastEntry(path: string): Promise<LogView> {
  return (await (await fetch(`${running.base}/log?path=${path}`)).json()).at(-1);
}

describe('faults of the id_token', () => {
  test('are absent without a switch', async () => {
    const flow = new Flow(running.base, 'google');
    const { header, claims, signed, kid } = await idToken(flow);
    expect([header, signed]).toEqual([{ alg: 'RS256', kid, typ: 'JWT' }, true]);
    expect(claims).toMatchObject({ aud: 'stand-in', nonce: flow.nonce, iss: `${running.base}/google` });
    expect((await lastEntry('/google/token')).mode).toBeNull();
  });

  test.each([
    ['wrongAud', { aud: 'another-client' }],
    ['wrongNonce', { nonce: expect.stringMatching(/x$/) }],
    ['wrongIss', { iss: expect.stringMatching(/\/other$/) }],
  ])('%s, in a correctly signed token', async (fault, claims) => {
    await setFault('google', fault);
    const token = await idToken(new Flow(running.base, 'google'));
    expect(token.claims).toMatchObject(claims);
    expect(token.signed).toBe(true);
    expect((await lastEntry('/google/token')).mode).toBe(fault);
  });

  test('expired', async () => {
    await setFault('google', 'expired');
    const { claims, signed } = await idToken(new Flow(running.base, 'google'));
    expect(claims.exp).toBeLessThan(Date.now() / 1000 - 3000);
    expect(signed).toBe(true);
  });

  test('algNone, unknownKid, badSignature, noIdToken', async () => {
    await setFault('google', 'algNone');
    const none = await idToken(new Flow(running.base, 'google'));
    expect([none.header.alg, none.signature, none.claims.email]).toEqual(['none', '', 'ada@example.com']);
    await setFault('google', 'unknownKid');
    const unknown = await idToken(new Flow(running.base, 'google'));
    expect(unknown.header.kid).not.toBe(unknown.kid);
    await setFault('google', 'badSignature');
    const bad = await idToken(new Flow(running.base, 'google'));
    expect([bad.header.kid, bad.signature?.length, bad.signed]).toEqual([bad.kid, 342, false]);
    await setFault('google', 'noIdToken');
    const answer = await (await tokenAnswer(new Flow(running.base, 'google'))).json();
    expect(answer).toHaveProperty('access_token');
    expect(answer).not.toHaveProperty('id_token');
  });
});

describe('faults of the redirect', () => {
  test.each(['google', 'github'] as const)('stateTampered at %s', async (provider) => {
    await setFault(provider, 'stateTampered');
    const flow = new Flow(running.base, provider);
    for (const user of ['ada', 'deny'])
      expect((await flow.choose(user)).searchParams.get('state')).toBe(`${flow.state}x`);
  });

  test('wrongResponseIss', async () => {
    await setFault('google', 'wrongResponseIss');
    const flow = new Flow(running.base, 'google');
    expect((await flow.choose('ada')).searchParams.get('iss')).toBe(`${running.base}/other`);
    expect((await idToken(flow)).claims.iss).toBe(`${running.base}/google`);
  });

  test.each(['google', 'github'] as const)(
    'error:CODE at the authorization endpoint of %s',
    async (provider) => {
      await setFault(provider, 'error:temporarily_unavailable', 'authorize');
      const flow = new Flow(running.base, provider);
      for (const answer of [await flow.page(), await flow.post({})]) {
        const { searchParams } = new URL(answer.headers.get('location')!);
        expect(searchParams.get('error')).toBe('temporarily_unavailable');
        expect(searchParams.get('state')).toBe(flow.state);
        expect(searchParams.has('code')).toBe(false);
      }
      // A fault does not redirect an invalid request, either.
      const wrong = await flow.page({ redirect_uri: 'https://evil.test/' });
      expect([wrong.status, wrong.headers.get('location')]).toEqual([400, null]);
    },
  );
});

interface Case {
  provider: ProviderName;
  at: string;
  call: (flow: Flow, token: string) => Promise<Response>;
}

const withToken = (path: string) => (flow: Flow, token: string) =>
  fetch(`${flow.base}${path}`, { headers: { authorization: `Bearer ${token}` } });

const ENDPOINTS: Case[] = [
  { provider: 'google', at: 'authorize', call: (flow) => flow.page() },
  { provider: 'google', at: 'token', call: tokenAnswer },
  { provider: 'google', at: 'user', call: withToken('/google/userinfo') },
  { provider: 'google', at: 'jwks', call: withToken('/google/jwks') },
  { provider: 'github', at: 'authorize', call: (flow) => flow.page() },
  { provider: 'github', at: 'token', call: tokenAnswer },
  { provider: 'github', at: 'user', call: withToken('/github/api/user') },
  { provider: 'github', at: 'emails', call: withToken('/github/api/user/emails') },
];

describe.each(ENDPOINTS)('faults of any place: $provider $at', ({ provider, at, call }) => {
  test('status500, status503 and html, and only at this place', async () => {
    const flow = new Flow(running.base, provider);
    const { access_token } = await (await tokenAnswer(flow)).json();
    expect((await call(flow, access_token)).status).toBe(200);
    await setFault(provider, 'status500', at);
    expect((await call(flow, access_token)).status).toBe(500);
    await setFault(provider, 'status503', at);
    expect((await call(flow, access_token)).status).toBe(503);
    await setFault(provider, 'html', at);
    const html = await call(flow, access_token);
    expect([html.status, html.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(await html.text()).toContain('<h1>Sorry</h1>');
    for (const other of ENDPOINTS.filter((one) => one.provider === provider && one.at !== at)) {
      if (at === 'authorize' && other.at === 'token') continue;
      expect(await (await other.call(flow, access_token)).text()).not.toContain('<h1>Sorry</h1>');
    }
  });

  test('slow waits for its release and then continues', async () => {
    const flow = new Flow(running.base, provider);
    const { access_token } = await (await tokenAnswer(flow)).json();
    await setFault(provider, 'slow', at);
    const answer = call(flow, access_token);
    const part = `${provider} ${at}`;
    const release = () => control(running.base, { release: part });
    await vi.waitFor(async () => expect((await release()).release).toMatchObject({ released: 1 }));
    expect((await answer).status).toBe(200);
  });
});

describe('errors by code', () => {
  test('at the token endpoint, in the form of each provider', async () => {
    await setFault('google', 'error:invalid_client');
    const google = await tokenAnswer(new Flow(running.base, 'google'));
    expect([google.status, (await google.json()).error]).toEqual([400, 'invalid_client']);
    await setFault('github', 'error:unverified_user_email');
    const github = await tokenAnswer(new Flow(running.base, 'github'));
    expect(github.status).toBe(200);
    expect(await github.json()).toMatchObject({
      error: 'unverified_user_email',
      error_description: 'The user must have a verified primary email.',
    });
  });

  test('at the API of GitHub', async () => {
    await setFault('github', 'error:rate limited', 'emails');
    const answer = await fetch(`${running.base}/github/api/user/emails`);
    expect([answer.status, (await answer.json()).message]).toEqual([403, 'rate limited']);
  });

  test('leave the code unused', async () => {
    const flow = new Flow(running.base, 'google');
    const code = await flow.code('ada');
    await setFault('google', 'status503');
    expect((await flow.token(code)).status).toBe(503);
    await control(running.base, { reset: true });
    expect((await flow.token(code)).status).toBe(200);
  });
});

describe('a slow call', () => {
  test('ends when its caller leaves', async () => {
    await setFault('google', 'slow', 'jwks');
    const abort = new AbortController();
    const answer = fetch(`${running.base}/google/jwks`, { signal: abort.signal });
    const waiting = async () =>
      ((await control(running.base, { release: 'no such call' })).release as { waiting: number }).waiting;
    await vi.waitFor(async () => expect(await waiting()).toBe(1));
    abort.abort();
    await expect(answer).rejects.toThrow();
    await vi.waitFor(async () => expect(await waiting()).toBe(0));
    expect(await lastEntry('/google/jwks')).toMatchObject({ mode: 'slow', closedBy: 'client', status: null });
  });
});

describe('switches', () => {
  test.each([
    { google: { fault: 'nope' } },
    { google: { fault: 'error:' } },
    { google: { fault: 'error:a"b' } },
    { google: { at: 'emails' } },
    { github: { fault: 'wrongAud' } },
    { github: { at: 'jwks' } },
    { github: { faults: 'none' } },
  ])('refuse %j', async (patch) => {
    await expect(control(running.base, patch)).rejects.toThrow('400');
  });

  test('belong to one provider and are restored by reset', async () => {
    await setFault('google', 'status500');
    expect((await tokenAnswer(new Flow(running.base, 'github'))).status).toBe(200);
    const current = await control(running.base, { reset: true });
    expect(current.google).toEqual({ fault: 'none', at: 'token' });
  });
});
