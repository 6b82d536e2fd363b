import { randomInt } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { expectConsistent } from '../support/consistency.ts';
import { runErasure } from '../support/erasure.ts';
import { errorOf, otherUser, type ProviderName, signInRequests } from '../support/journeys.ts';
import { mailTo } from '../support/mailbox.ts';
import { netTargets } from '../support/net-targets.ts';
import { client } from '../support/people.ts';
import { eventually, startTestServer, type TestServer } from '../support/server.ts';
import { newAddress, sessionCookie, visitor } from '../support/visitor.ts';

const both: ProviderName[] = ['google', 'github'];

let folder: string;
let server: TestServer;
let visit: ReturnType<typeof visitor>;
let oauth: ReturnType<typeof signInRequests>;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'site-net-'));
  const preload = new URL('../support/net-record.ts', import.meta.url).href;
  const recording = { NET_RECORD: join(folder, 'net'), NODE_OPTIONS: `--import=${preload}` };
  const env = { TRUSTED_PROXIES: '127.0.0.1,::1', ...recording };
  server = await startTestServer({ postgres: inject('postgres'), env });
  [visit, oauth] = [visitor(server), signInRequests(server)];
});
afterAll(async () => {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
});

interface Account {
  id: string;
  email: string;
  name: string;
  provider: string;
  credits: number;
  avatar_url: string | null;
  identities: string[];
  sessions: number;
}

/** Accounts that have one of these addresses, oldest first. */
async function accounts(emails: string[]): Promise<Account[]> {
  const { rows } = await server.database.query<Account>(
    `select u.id, u.email, u.name, u.provider, u.credits, u.avatar_url,
            array(select i.provider from identities i where i.user_id = u.id order by 1) as identities,
            (select count(*)::int from sessions s where s.user_id = u.id) as sessions
       from users u where u.email = any($1) order by u.created_at`,
    [emails],
  );
  return rows;
}

const account = async (email: string) => (await accounts([email]))[0];

/** Does what deletion and, 30 days later, erasure do to an account. */
async function remove(email: string, erased: boolean): Promise<void> {
  await server.database.query(
    'delete from sessions where user_id = (select id from users where email = $1)',
    [email],
  );
  await server.database.query(
    `update users set deleted_at = app_now() - $2::int * interval '1 day' where email = $1`,
    [email, erased ? 31 : 0],
  );
  if (erased) await runErasure(server);
}

async function byMail(email: string): Promise<void> {
  expect((await visit.signIn(email)).cookie).not.toBe('');
}

describe.each(both)('sign-in with %s', (provider) => {
  test('creates the account and returns, without JavaScript', async () => {
    const email = newAddress();
    const started = await oauth.begin(provider, { next: '/chat?x=1' });
    const page = await (await fetch(started.url)).text();
    expect(page).toContain('name="user" value="ada"');
    const done = await oauth.get(
      await oauth.choose(started, otherUser(email, { name: ' Ada\u202e  L\u0000. ' })),
      {
        cookie: started.browserCookie,
      },
    );
    expect([done.status, done.headers.get('location')]).toEqual([303, '/auth/callback?next=%2Fchat%3Fx%3D1']);
    const me = await client(server, sessionCookie(done)).get('/api/me');
    expect(await me.json()).toMatchObject({ email, name: 'Ada L .', credits: 10, avatarUrl: null });
    expect(await account(email)).toMatchObject({ provider, identities: [provider], sessions: 1 });
  });

  test('requests only the scopes that are needed', async () => {
    const { url, browserCookie } = await oauth.begin(provider);
    const params = Object.fromEntries(url.searchParams);
    expect(params).toMatchObject({
      client_id: 'stand-in',
      redirect_uri: `${server.url}/api/auth/${provider}/callback`,
      scope: provider === 'google' ? 'openid email profile' : 'read:user user:email',
      code_challenge_method: 'S256',
    });
    for (const name of ['state', 'code_challenge', ...(provider === 'google' ? ['nonce'] : [])])
      expect(params[name], name).toMatch(/^[\w-]{43}$/);
    for (const name of ['access_type', 'prompt']) expect(params).not.toHaveProperty(name);
    expect(browserCookie).toMatch(/^sign-in=[\w-]{43}$/);
    expect((await oauth.begin(provider, { cookie: browserCookie })).browserCookie).toBe(browserCookie);
  });

  test('starts from the dialog with a target address', async () => {
    const answer = await visit.post(`/api/auth/${provider}`, {
      next: '/auth/callback?subscribe=true&plan=yearly',
    });
    const { url } = (await answer.json()) as { url: string };
    const browserCookie = answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const callbackUrl = await oauth.choose(
      { url: new URL(url), browserCookie: browserCookie },
      otherUser(newAddress()),
    );
    const done = await oauth.get(callbackUrl, { cookie: browserCookie });
    expect(done.headers.get('location')).toBe('/auth/callback?subscribe=true&plan=yearly');
    expect(sessionCookie(done)).not.toBe('');
  });

  test('recognizes the person by the provider’s own id, even when the address there has changed', async () => {
    const [before, after] = [newAddress(), newAddress()];
    const subject = String(randomInt(1e12));
    await oauth.signIn(provider, otherUser(before, { subject }));
    const again = await oauth.signIn(provider, otherUser(after, { subject }));
    expect(await (await client(server, sessionCookie(again)).get('/api/me')).json()).toMatchObject({
      email: before,
    });
    expect(await accounts([before, after])).toHaveLength(1);
  });

  test('links the account that has the verified address, and logs it', async () => {
    const email = newAddress();
    await byMail(email);
    const id = (await account(email))?.id;
    await oauth.signIn(provider, otherUser(email.toUpperCase(), { name: 'Another Name' }));
    const linked = await account(email);
    expect(linked).toMatchObject({ id, provider: 'email', credits: 10, identities: [provider], sessions: 2 });
    expect(linked?.name).not.toBe('Another Name');
    await eventually(async () =>
      server
        .output()
        .split('\n')
        .some((line) => line.includes('a provider was linked') && line.includes(String(id))),
    );
  });

  test.each([
    ['an unverified address', { user: 'unverified' }],
    ['no address', { user: 'nomail' }],
  ])('refuses %s and creates nothing', async (_, choice) => {
    const { rows: before } = await server.database.query('select count(*) from users');
    expect(errorOf(await oauth.signIn(provider, choice))).toMatchObject({
      error: 'email_not_verified',
      from: 'auth_callback',
    });
    expect((await server.database.query('select count(*) from users')).rows).toEqual(before);
  });

  test('does not link an address that is unverified there', async () => {
    const email = newAddress();
    await byMail(email);
    const refused = await oauth.signIn(provider, otherUser(email, { verified: 'false' }));
    expect(errorOf(refused)).toMatchObject({ error: 'email_not_verified' });
    expect(await account(email)).toMatchObject({ identities: [], sessions: 1 });
  });

  test('checks each time: a known account whose address is no longer verified is refused', async () => {
    const [email, subject] = [newAddress(), String(randomInt(1e12))];
    await oauth.signIn(provider, otherUser(email, { subject }));
    const again = await oauth.signIn(provider, otherUser(email, { subject, verified: 'false' }));
    expect(errorOf(again)).toMatchObject({ error: 'email_not_verified' });
  });

  test('ends the session that the browser had', async () => {
    const first = sessionCookie(await oauth.signIn(provider, otherUser(newAddress())));
    const second = await oauth.signIn(provider, otherUser(newAddress()), { cookie: first });
    expect((await client(server, first).get('/api/me')).status).toBe(401);
    expect((await client(server, sessionCookie(second)).get('/api/me')).status).toBe(200);
  });

  test('neither fetches nor stores the picture, and shows the name as text', async () => {
    const done = await oauth.signIn(provider, { user: 'mallory' });
    const me = (await (await client(server, sessionCookie(done)).get('/api/me')).json()) as { name: string };
    expect(me.name).toBe('<b onclick="alert(1)">Mallory</b> & "sons"');
    expect((await account('mallory@example.com'))?.avatar_url).toBeNull();
    const fetched = await (await fetch(`${server.standins}/log?path=/identity/pictures`)).json();
    expect(fetched).toEqual([]);
    // Without configuration every connection goes to this machine, and the picture's address is never contacted.
    const { all, outside } = netTargets(join(folder, 'net'));
    expect(outside).toEqual([]);
    expect([...all]).toContain(new URL(server.standins).host);
    expect([...all]).not.toContain('127.0.0.1:9');
  });
});

test('both providers and the mail lead to one account', async () => {
  const email = newAddress();
  for (const provider of both) await oauth.signIn(provider, otherUser(email));
  // The second provider was linked, and the person was notified by mail.
  await mailTo(server, email);
  expect((await visit.signIn(email, { count: 2 })).cookie).not.toBe('');
  expect(await accounts([email])).toEqual([
    expect.objectContaining({ credits: 10, identities: ['github', 'google'], sessions: 3 }),
  ]);
});

describe('at the same moment', () => {
  test('two browsers, a second provider and a mail create one account', async () => {
    const email = newAddress();
    await visit.ask(email);
    const { token } = await mailTo(server, email);
    const signIns = await Promise.all(
      [...both, ...both].map(async (provider) => {
        const started = await oauth.begin(provider);
        return { callbackUrl: await oauth.choose(started, otherUser(email)), cookie: started.browserCookie };
      }),
    );
    const done = await Promise.all([
      visit.press(token),
      ...signIns.map(({ callbackUrl, cookie }) => oauth.get(callbackUrl, { cookie })),
    ]);
    expect(done.map((answer) => sessionCookie(answer) !== '')).toEqual([true, true, true, true, true]);
    expect(await accounts([email])).toEqual([
      expect.objectContaining({ credits: 10, identities: ['github', 'google'], sessions: 5 }),
    ]);
  });

  test.each(both)('one %s account with two addresses creates one account', async (provider) => {
    const subject = String(randomInt(1e12));
    const emails = [newAddress(), newAddress(), newAddress()];
    const signIns = await Promise.all(
      emails.map(async (email) => {
        const started = await oauth.begin(provider);
        return {
          callbackUrl: await oauth.choose(started, otherUser(email, { subject })),
          cookie: started.browserCookie,
        };
      }),
    );
    await Promise.all(signIns.map(({ callbackUrl, cookie }) => oauth.get(callbackUrl, { cookie })));
    expect(await accounts(emails)).toEqual([expect.objectContaining({ credits: 10, sessions: 3 })]);
  });

  test('one callback, sent eight times, signs in once', async () => {
    const email = newAddress();
    const started = await oauth.begin('google');
    const callbackUrl = await oauth.choose(started, otherUser(email));
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => oauth.get(callbackUrl, { cookie: started.browserCookie })),
    );
    const refused = answers.filter((answer) => sessionCookie(answer) === '');
    expect(refused.map((answer) => errorOf(answer).error)).toEqual(Array<string>(7).fill('invalid_request'));
    expect(await account(email)).toMatchObject({ sessions: 1 });
  });
});

describe('the welcome credits', () => {
  test('are given once per mailbox, however its address is written and whatever the sign-in', async () => {
    const box = `o${randomInt(1e9)}`;
    const emails = [`${box[0]}.${box.slice(1)}+1@gmail.com`, `${box}@gmail.com`, `${box}@googlemail.com`];
    await byMail(emails[0] as string);
    await oauth.signIn('google', otherUser(emails[1] as string));
    await oauth.signIn('github', otherUser(emails[2] as string));
    expect((await accounts(emails)).map(({ credits }) => credits)).toEqual([10, 0, 0]);
  });

  test.each(both)('are not given again after deletion, with %s', async (provider) => {
    const [email, other, subject] = [newAddress(), newAddress(), String(randomInt(1e12))];
    await byMail(email);
    await oauth.signIn(provider, otherUser(email, { subject }));
    await remove(email, true);
    // Same address, but another account at the provider.
    await oauth.signIn(provider, otherUser(email));
    expect(await account(email)).toMatchObject({ credits: 0 });
    // Same account at the provider, but a new address.
    await oauth.signIn(provider, otherUser(other, { subject }));
    expect(await account(other)).toMatchObject({ credits: 0, identities: [provider], sessions: 1 });
    await remove(other, true);
    await byMail(other);
    expect(await account(other)).toMatchObject({ credits: 0 });
  });
});

describe('a deleted account', () => {
  const offers = async (email: string) =>
    (
      await server.database.query<{ minutes: number; bytes: number }>(
        `select round(extract(epoch from expires_at - created_at) / 60)::int as minutes, length(token_hash) as bytes
           from restore_offers where user_id = (select id from users where email = $1)`,
        [email],
      )
    ).rows;
  const cookieOf = (response: Response) => response.headers.getSetCookie().join('\n');
  const restoring = /^restore=[\w-]{43}; Path=\/; Max-Age=900; HttpOnly; SameSite=Lax$/m;

  test('is offered to be restored after any proof of identity, and gets no session', async () => {
    const email = newAddress();
    await oauth.signIn('google', otherUser(email));
    await remove(email, false);
    const answers = [
      await oauth.signIn('google', otherUser(email), { next: '/chat' }),
      await oauth.signIn('github', otherUser(email)),
    ];
    await visit.ask(email);
    answers.push(await visit.press((await mailTo(server, email)).token));
    await visit.ask(email);
    const { code } = await mailTo(server, email, 2);
    answers.push(await visit.form('/sign-in', { intent: 'code', email, code, next: '/chat' }));
    for (const answer of answers) {
      expect([answer.status, answer.headers.get('location')]).toEqual([303, '/restore']);
      expect(cookieOf(answer)).toMatch(restoring);
    }
    expect(await offers(email)).toEqual(Array(4).fill({ minutes: 15, bytes: 32 }));
    // The GitHub account is not linked before the person has decided.
    expect(await account(email)).toMatchObject({ identities: ['google'], sessions: 0, credits: 10 });
  });

  test('is offered for the code in the dialog too', async () => {
    const email = newAddress();
    await byMail(email);
    await remove(email, false);
    await visit.ask(email);
    const { code } = await mailTo(server, email, 2);
    const answer = await visit.post('/api/sign-in/code', { email, code });
    expect([answer.status, await answer.json()]).toEqual([200, { restore: '/restore' }]);
    expect(cookieOf(answer)).toMatch(restoring);
  });
});

test('every invariant holds', () => expectConsistent(server));
