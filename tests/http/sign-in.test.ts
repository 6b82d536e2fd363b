import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { foreignTargets } from '../support/foreign-targets.ts';
import { mailsTo, mailTo } from '../support/mailbox.ts';
import { client, createPerson } from '../support/people.ts';
import { rawRequest, sendRaw } from '../support/raw.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { moveClock, network, newAddress, sessionCookie, visitor } from '../support/visitor.ts';

let server: TestServer;
let visit: ReturnType<typeof visitor>;
beforeAll(async () => {
  server = await startTestServer({ postgres: inject('postgres'), env: { TRUSTED_PROXIES: '127.0.0.1,::1' } });
  visit = visitor(server);
});
afterAll(() => server.stop());

/** Returns the cookie that identifies the browser in which a sign-in mail was requested. */
const browserCookieOf = (response: Response) => response.headers.getSetCookie()[0]?.split(';')[0] ?? '';

/** Returns the cookie that identifies a browser in which somebody has signed in by mail. */
const deviceOf = (done: Response) =>
  done.headers
    .getSetCookie()
    .find((line) => line.startsWith('device='))
    ?.split(';')[0] ?? '';

describe('the link', () => {
  test('signs in when the button is pressed, once, and creates the account', async () => {
    const email = newAddress();
    const response = await visit.ask(email.toUpperCase(), { next: '/chat?x=1' });
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ message: 'Magic link sent! Check your email.' });
    const mail = await mailTo(server, email);
    expect(mail.subject).toContain('code');
    expect(mail.link).toMatch(new RegExp(`^${server.url}/sign-in/confirm\\?token=[\\w-]{43}$`));
    const done = await visit.press(mail.token);
    expect([done.status, done.headers.get('location')]).toEqual([303, '/chat?x=1']);
    const line = done.headers.getSetCookie().find((cookie) => cookie.startsWith('session=')) ?? '';
    expect(line).toMatch(/^session=[\w-]{43}; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax$/);
    const me = await client(server, sessionCookie(done)).get('/api/me');
    expect(await me.json()).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      email,
      name: email.split('@')[0],
      avatarUrl: null,
      plan: 'free',
      credits: 10,
      chatsLeftToday: 3,
      welcomed: true,
      instructed: false,
      chatModel: null,
    });
    expect((await visit.press(mail.token)).status).toBe(410);
  });

  test('is not used up by any number of GET and HEAD requests, with or without the cookie', async () => {
    const email = newAddress();
    const response = await visit.ask(email);
    const browser = response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const { link, token } = await mailTo(server, email);
    const opened = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        fetch(link, { method: i % 2 ? 'HEAD' : 'GET', headers: i % 3 ? {} : { cookie: browser } }),
      ),
    );
    for (const response of opened) {
      expect(response.status).toBe(200);
      expect(response.headers.getSetCookie()).toEqual([]);
      expect(response.headers.get('referrer-policy')).toBe('no-referrer');
      expect(response.headers.get('cache-control')).toContain('no-store');
    }
    const page = await (await fetch(link, { headers: { cookie: browser } })).text();
    expect(page).toContain(`Sign in as ${email[0]}***@example.com`);
    expect(page).not.toContain(email);
    expect(page).not.toContain('another browser');
    expect(await (await fetch(link)).text()).toContain('another browser');
    const presses = await Promise.all(Array.from({ length: 50 }, () => visit.press(token)));
    expect(presses.map(({ status }) => status).sort()).toEqual([303, ...Array<number>(49).fill(410)]);
    const late = presses.find(({ status }) => status === 410);
    const text = (await late?.text()) ?? '';
    expect(text).toContain('This link has expired or was already used.');
    // The same page has a form for a new link.
    expect(/<main[\s\S]*<\/main>/.exec(text)?.[0]).toMatch(/<input [^>]*name="email"/);
    const { rows } = await server.database.query(
      'select count(*)::int as n from sessions s join users u on u.id = s.user_id where u.email = $1',
      [email],
    );
    expect(rows[0]).toEqual({ n: 1 });
  });

  test('expires after 15 minutes, and with the next mail that its browser requests', async () => {
    const [email, from] = [newAddress(), network()];
    const cookie = browserCookieOf(await visit.ask(email, { from }));
    const first = await mailTo(server, email, 1);
    await visit.ask(email, { from, cookie });
    const second = await mailTo(server, email, 2);
    expect((await visit.press(first.token)).status).toBe(410);
    expect((await fetch(second.link)).status).toBe(200);
    await moveClock(server, 16 * 60_000);
    expect((await fetch(second.link)).status).toBe(410);
    expect((await visit.press(second.token)).status).toBe(410);
    await moveClock(server, 0);
  });

  test.each(['', 'x', 'a'.repeat(43), '../../etc', "' or 1=1 --"])('%j is not a token', async (token) => {
    const page = await fetch(`${server.url}/sign-in/confirm?token=${encodeURIComponent(token)}`);
    expect(page.status).toBe(410);
    expect((await visit.press(token)).status).toBe(410);
  });

  test('is not confirmed by a form on another site', async () => {
    const email = newAddress();
    await visit.ask(email);
    const { token } = await mailTo(server, email);
    const body = new URLSearchParams({ token });
    for (const origin of ['https://evil.test', 'null']) {
      const refused = await fetch(`${server.url}/sign-in/confirm`, {
        method: 'POST',
        body,
        headers: { origin },
      });
      expect(refused.status).toBe(403);
    }
    expect((await visit.press(token)).status).toBe(303);
  });

  test('leads to no other site by next', async () => {
    for (const next of foreignTargets(server.url)) {
      const email = newAddress();
      await visit.ask(email, { next });
      const done = await visit.press((await mailTo(server, email)).token);
      expect(done.headers.get('location'), next).toBe('/?success=login');
    }
  });

  test('leads to no page with somebody else’s text, nor by a target that was stored before', async () => {
    const words = '/error?error=x&description=Call+us';
    const [email, other] = [newAddress(), newAddress()];
    await visit.ask(email, { next: words });
    const done = await visit.press((await mailTo(server, email)).token);
    expect(done.headers.get('location')).toBe('/?success=login');
    await visit.ask(other, { next: '/chat' });
    await server.database.query('update sign_ins set next = $2 where email = $1', [other, words]);
    const stored = await visit.press((await mailTo(server, other)).token);
    expect(stored.headers.get('location')).toBe('/?success=login');
    const chosen = newAddress();
    await visit.ask(chosen, {
      next: '/auth/callback?subscribe=true&plan=yearly&error=x&error_description=Call',
    });
    const subscribed = await visit.press((await mailTo(server, chosen)).token);
    expect(subscribed.headers.get('location')).toBe('/auth/callback?subscribe=true&plan=yearly');
  });

  test('starts with PUBLIC_URL, whatever host the request names', async () => {
    const { host, port } = new URL(server.url);
    const path = '/api/sign-in/email';
    const calls: Array<[line: string, headers: Record<string, string>]> = [
      [path, { 'x-forwarded-host': 'evil.test', 'x-forwarded-proto': 'https', forwarded: 'host=evil.test' }],
      [path, { host: 'evil.test' }],
      [path, { host: `evil.test:${port}` }],
      [path, { host: `${host}/evil.test` }],
      [path, { host: `${host}@evil.test` }],
      [path, { host: `127.0.0.1:${port}` }],
      [`http://evil.test${path}`, {}],
      [`http://evil.test${path}`, { host: 'evil.test' }],
      [`https://${host}${path}`, {}],
    ];
    let mailed = 0;
    for (const [target, headers] of calls) {
      const email = newAddress();
      const body = JSON.stringify({ email });
      const all = {
        origin: server.url,
        'content-type': 'application/json',
        'content-length': String(body.length),
        'x-forwarded-for': network(),
        ...headers,
      };
      const { status } = await sendRaw(server.url, rawRequest(server.url, `POST ${target}`, all, body));
      expect([200, 400, 403], `${target} ${JSON.stringify(headers)}`).toContain(status);
      if (status !== 200) continue;
      const mail = await mailTo(server, email);
      expect(new URL(mail.link).origin).toBe(server.url);
      expect(mail.text + mail.html).not.toContain('evil.test');
      mailed += 1;
    }
    expect(mailed).toBeGreaterThan(0);
  });
});

describe('the code', () => {
  test('signs in on another device, typed with a space', async () => {
    const email = newAddress();
    await visit.ask(email);
    const { code, token } = await mailTo(server, email);
    const done = await visit.post('/api/sign-in/code', {
      email,
      code: `${code.slice(0, 3)} ${code.slice(3)}`,
    });
    expect(done.status).toBe(200);
    expect(await done.json()).toMatchObject({ me: { email, credits: 10 } });
    expect((await client(server, sessionCookie(done)).get('/api/me')).status).toBe(200);
    expect((await visit.post('/api/sign-in/code', { email, code })).status).toBe(400);
    expect((await visit.press(token)).status).toBe(410);
  });

  test('is invalid after five tries; the link still works', async () => {
    const email = newAddress();
    await visit.ask(email);
    const { code, token } = await mailTo(server, email);
    const wrong = Array.from({ length: 5 }, (_, i) => String((Number(code) + i + 1) % 1e6).padStart(6, '0'));
    const answers = await Promise.all(
      wrong.map((guess) => visit.post('/api/sign-in/code', { email, code: guess })),
    );
    for (const answer of answers) {
      expect(answer.status).toBe(400);
      expect(await answer.json()).toMatchObject({
        error: 'That code is wrong or has expired. Request a new one.',
      });
    }
    expect((await visit.post('/api/sign-in/code', { email, code })).status).toBe(400);
    expect((await visit.press(token)).status).toBe(303);
  });

  test('cannot be blocked by other people’s wrong codes, and neither can a new one', async () => {
    const [email, from] = [newAddress(), network()];
    const other = (Number(from.split('.').at(-1)) + 1) % 256;
    const guess = (code: string, cookie = '') =>
      visit.post(
        '/api/sign-in/code',
        { email, code },
        { from: cookie ? from : `203.0.113.${other}`, cookie },
      );
    const wrongOf = (code: string) => String((Number(code) + 1) % 1e6).padStart(6, '0');
    const browser = browserCookieOf(await visit.ask(email, { from }));
    const first = await mailTo(server, email);
    const guesses = await Promise.all(Array.from({ length: 20 }, () => guess(wrongOf(first.code))));
    expect(guesses.map(({ status }) => status).sort()).toEqual([
      ...Array<number>(15).fill(400),
      ...Array<number>(5).fill(429),
    ]);
    await visit.ask(email, { from, cookie: browser });
    const second = await mailTo(server, email, 2);
    // A browser without this cookie, or with another one, does not share the tries of the browser that asked.
    const otherBrowser = browserCookieOf(await visit.ask(newAddress()));
    for (const cookie of ['', otherBrowser]) expect((await guess(second.code, cookie)).status).toBe(429);
    for (let i = 0; i < 4; i++) expect((await guess(wrongOf(second.code), browser)).status).toBe(400);
    expect((await guess(second.code, browser)).status).toBe(200);
  });

  test('is invalid after five tries in the browser that requested it, too', async () => {
    const email = newAddress();
    const response = await visit.ask(email);
    const cookie = response.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const { code } = await mailTo(server, email);
    const wrong = String((Number(code) + 1) % 1e6).padStart(6, '0');
    const guess = (text: string) => visit.post('/api/sign-in/code', { email, code: text }, { cookie });
    await Promise.all(Array.from({ length: 12 }, () => guess(wrong)));
    expect((await guess(code)).status).toBe(400);
  });

  test('of the browser that requested it stays valid, whoever requests one later', async () => {
    const email = newAddress();
    const cookie = browserCookieOf(await visit.ask(email));
    const own = await mailTo(server, email);
    const otherBrowser = browserCookieOf(await visit.ask(email));
    const newest = await mailTo(server, email, 2);
    const enter = (code: string, cookie = '') => visit.post('/api/sign-in/code', { email, code }, { cookie });
    // Other browsers can use only the newest code; the browser that asked can use any of them.
    expect((await enter(own.code)).status).toBe(400);
    expect((await enter(own.code, otherBrowser)).status).toBe(400);
    expect((await fetch(own.link)).status).toBe(200);
    expect((await enter(newest.code, cookie)).status).toBe(200);
    expect((await enter(own.code, cookie)).status).toBe(200);
    expect((await enter(own.code, cookie)).status).toBe(400);
  });

  test('is one of at most ten per address, the newest', async () => {
    const email = newAddress();
    const mails = [];
    for (let nth = 1; nth <= 12; nth++) {
      expect((await visit.ask(email)).status).toBe(200);
      mails.push(await mailTo(server, email, nth));
      await server.database.query(`delete from rate_limits where key like 'sign-in-mail:%'`);
    }
    const links = await Promise.all(mails.map(async ({ link }) => (await fetch(link)).status));
    expect(links).toEqual([410, 410, ...Array<number>(10).fill(200)]);
  });

  test('and the link used at the same moment create one session', async () => {
    const email = newAddress();
    await visit.ask(email);
    const { code, token } = await mailTo(server, email);
    const answers = await Promise.all([
      ...Array.from({ length: 4 }, () => visit.post('/api/sign-in/code', { email, code })),
      ...Array.from({ length: 4 }, () => visit.press(token)),
    ]);
    expect(answers.filter(({ status }) => status === 200 || status === 303)).toHaveLength(1);
    const { rows } = await server.database.query(
      'select count(*)::int as n, sum(credits)::int as credits from users where email = $1',
      [email],
    );
    expect(rows[0]).toEqual({ n: 1, credits: 10 });
  });
});

describe('limits', () => {
  test('known and unknown addresses get the same answer', async () => {
    const known = await createPerson(server);
    const [a, b] = [await visit.ask(known.email), await visit.ask(newAddress())];
    expect([a.status, await a.text()]).toEqual([b.status, await b.text()]);
  });

  test('three mails in 15 minutes and five in an hour to one address, from anywhere', async () => {
    const email = newAddress();
    const answers = await Promise.all(Array.from({ length: 12 }, () => visit.ask(email)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    const refused = answers.find(({ status }) => status === 429);
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(800);
    expect(await refused?.json()).toMatchObject({
      code: 'rate_limited',
      error: expect.stringMatching(/^Too many attempts\. Try again in 1[45] minutes\.$/),
    });
    await moveClock(server, 15 * 60_000 + 1_000);
    const later = await Promise.all(Array.from({ length: 6 }, () => visit.ask(email)));
    expect(later.filter(({ status }) => status === 200)).toHaveLength(2);
    await moveClock(server, 0);
  });

  test('other people cannot use up the mails of a browser that has signed in to the address', async () => {
    const email = newAddress();
    await visit.ask(email);
    const device = deviceOf(await visit.press((await mailTo(server, email)).token));
    expect(device).toMatch(/^device=[\w-]{43}$/);
    const statuses = async (count: number, cookie = '', to = email) => {
      const answers = await Promise.all(Array.from({ length: count }, () => visit.ask(to, { cookie })));
      return answers.map(({ status }) => status).sort();
    };
    expect(await statuses(4)).toEqual([200, 200, 429, 429]);
    // What somebody else could send: no cookie, an invented one, or that of another address.
    const other = newAddress();
    await visit.ask(other);
    const otherDevice = deviceOf(await visit.press((await mailTo(server, other)).token));
    for (const cookie of ['', `device=${'a'.repeat(43)}`, otherDevice])
      expect(await statuses(1, cookie)).toEqual([429]);
    // Known browsers have a limit too.
    expect(await statuses(5, device)).toEqual([200, 200, 200, 429, 429]);
    await mailTo(server, email, 6);
  });

  test('ten mails a day to one address from one network, thirty from all', async () => {
    const email = newAddress();
    const networks = [network(), network(), network()];
    const HOUR = 3600_000;
    for (const [turn, from] of networks.entries()) {
      for (let half = 0; half < 2; half++) {
        const start = (2 * turn + half) * (HOUR + 1_000);
        await moveClock(server, start);
        for (let i = 0; i < 3; i++) expect((await visit.ask(email, { from })).status).toBe(200);
        await moveClock(server, start + HOUR / 4 + 1_000);
        for (let i = 0; i < 2; i++) expect((await visit.ask(email, { from })).status).toBe(200);
      }
      await moveClock(server, (2 * turn + 2) * (HOUR + 1_000));
      // Refused requests do not count towards any limit.
      for (let i = 0; i < 6; i++) {
        const refused = await visit.ask(email, { from });
        const { error } = (await refused.json()) as { error: string };
        expect([refused.status, error]).toEqual([
          429,
          expect.stringMatching(/ in 2[1-4] hours\.$|in 1\d hours\.$/),
        ]);
      }
    }
    expect((await visit.ask(email)).status).toBe(429);
    await moveClock(server, 25 * HOUR);
    expect((await visit.ask(email, { from: networks[0] as string })).status).toBe(200);
    await moveClock(server, 0);
  });

  test.each([
    ['an IPv4 address', () => `${randomInt(256)}.1.1.1, 203.0.113.77`],
    [
      'a /64 of IPv6',
      () => `2001:db8:77:1:${randomInt(65536).toString(16)}::${randomInt(65536).toString(16)}`,
    ],
  ])('thirty mails an hour to %s, whatever X-Forwarded-For claims', async (_, from) => {
    const statuses: number[] = [];
    for (let i = 0; i < 34; i++) statuses.push((await visit.ask(newAddress(), { from: from() })).status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(30);
    expect(statuses.slice(30)).toEqual([429, 429, 429, 429]);
  });

  test('a hundred an hour to a /48, which leaves the site’s share to others', async () => {
    const from = (line: number) => `2001:db8:78:${line}::1`;
    expect((await visit.ask(newAddress(), { from: from(1) })).status).toBe(200);
    await server.database.query(`update rate_limits set count = 100 where key like '%:2001:db8:78::/48'`);
    const all = () =>
      server.database.query(`select count from rate_limits where key like 'sign-in-mail:%:all'`);
    const before = (await all()).rows;
    expect((await visit.ask(newAddress(), { from: from(2) })).status).toBe(429);
    expect((await all()).rows).toEqual(before);
    expect((await visit.ask(newAddress(), { from: '2001:db8:79::1' })).status).toBe(200);
  });

  test('above the site’s usual volume known people still get mails, and unknown networks wait', async () => {
    const known = await createPerson(server);
    expect((await visit.ask(newAddress())).status).toBe(200);
    await server.database.query(`update rate_limits set count = 1000 where key = 'sign-in-mail:3600:all'`);
    const from = network();
    const requests = Array.from({ length: 5 }, () => visit.ask(newAddress(), { from }));
    const answers = await Promise.all(requests);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, 429, 429]);
    const waits = answers.find(({ status }) => status === 429);
    expect(Number(waits?.headers.get('retry-after'))).toBeGreaterThan(3_000);
    expect((await visit.ask(known.email, { from })).status).toBe(200);
    expect((await visit.ask(newAddress(), { from, cookie: known.cookie })).status).toBe(200);
    expect((await visit.ask(newAddress())).status).toBe(200);
    expect(server.output()).toContain('the site gets more requests than usual');
    const metrics = await (await fetch(`${server.url}/metrics`)).text();
    expect(metrics).toContain('site_limit_total{kind="sign-in-mail",outcome="waits"} 2');
    await server.database.query(`update rate_limits set count = 3000 where key = 'sign-in-mail:3600:most'`);
    expect((await visit.ask(newAddress())).status).toBe(429);
    expect((await visit.ask(known.email)).status).toBe(200);
    await server.database.query(`delete from rate_limits where key like 'sign-in-mail:%'`);
  });

  test.each([
    'v@x.test,a@evil.test',
    'v@x.test;a@evil.test',
    'v@x.test\r\nBcc: a@evil.test',
    '"a@evil.test x"@x.test',
    'v＠x.test',
    'v',
    '',
  ])('nothing is sent to %j', async (email) => {
    const answer = await visit.ask(email);
    expect([answer.status, ((await answer.json()) as { error: string }).error]).toEqual([
      400,
      'Enter a valid email address.',
    ]);
  });
  test.each([[`${'a'.repeat(300)}@x.test`], [['v@x.test']], [{ address: 'v@x.test' }], [null], [5]])(
    'nor to %j',
    async (email) => {
      expect((await visit.ask(email)).status).toBe(400);
      const { rows } = await server.database.query(`select 1 from sign_ins where email like '%x.test'`);
      expect(rows).toEqual([]);
    },
  );
});

describe('the welcome credits', () => {
  test('are given once per mailbox, however its address is written, and every address can sign in', async () => {
    const box = `w${randomInt(1e9)}`;
    const emails = [
      `${box[0]}.${box.slice(1)}+1@gmail.com`,
      `${box}@gmail.com`,
      `${box.toUpperCase()}@googlemail.com`,
    ];
    for (const email of emails) await visit.ask(email);
    const mails = await Promise.all(emails.map((email) => mailTo(server, email.toLowerCase())));
    const signedIn = await Promise.all(mails.map(({ token }) => visit.press(token)));
    const credits = await Promise.all(
      signedIn.map(
        async (response) =>
          (
            (await (await client(server, sessionCookie(response)).get('/api/me')).json()) as {
              credits: number;
            }
          ).credits,
      ),
    );
    expect(credits.sort()).toEqual([0, 0, 10]);
  });

  const welcome = async (email: string) => {
    const { get } = await visit.signIn(email);
    return ((await (await get('/api/me')).json()) as { credits: number }).credits;
  };

  test('are given once per mailbox, by the provider’s own rules', async () => {
    const box = `w${randomInt(1e9)}`;
    expect(await welcome(`${box}-one@yahoo.com`)).toBe(10);
    expect(await welcome(`${box}-two@yahoo.com`)).toBe(0);
    expect(await welcome(`${box}@yahoo.com`)).toBe(0);
    expect(await welcome(`one@${box}.fastmail.com`)).toBe(10);
    expect(await welcome(`two@${box}.fastmail.com`)).toBe(0);
    expect(await welcome(`${box}+1@example.com`)).toBe(10);
    expect(await welcome(`${box}+2@example.com`)).toBe(0);
  });

  test('are not given again to a mailbox that an earlier rule stored under another name', async () => {
    const box = `w${randomInt(1e9)}`;
    const old = [`${box}-tag@yahoo.com`, `${box}.a@proton.me`];
    for (const email of old)
      await server.database.query(
        `insert into users (id, email, name, credits) values (gen_random_uuid(), $1, 'Before', 0)`,
        [email],
      );
    await server.database.query(`delete from instance_values where key = 'mailbox_rules_2'`);
    expect(await welcome(`${box}@yahoo.com`)).toBe(0);
    expect(await welcome(`${box}a@pm.me`)).toBe(0);
  });
});

describe('the page', () => {
  test('works without JavaScript, from the address to the session', async () => {
    const email = newAddress();
    const empty = await (await fetch(`${server.url}/sign-in?next=/chat`)).text();
    expect(empty).toMatch(/<input[^>]*name="next"[^>]*value="\/chat"/);
    expect(empty).toMatch(/autoComplete="email"|autocomplete="email"/);
    const sent = await visit.form('/sign-in', { intent: 'email', email, next: '/chat' });
    expect(await sent.text()).toContain('Magic link sent! Check your email.');
    const { code } = await mailTo(server, email);
    const wrong = await visit.form('/sign-in', { intent: 'code', email, next: '/chat', code: '12' });
    expect(wrong.status).toBe(400);
    expect(await wrong.text()).toMatch(/aria-describedby="sign-in-code-error"/);
    const done = await visit.form('/sign-in', { intent: 'code', email, next: '/chat', code });
    expect([done.status, done.headers.get('location')]).toEqual([303, '/chat']);
    expect(deviceOf(done)).not.toBe('');
    const redirected = await client(server, sessionCookie(done)).get('/sign-in?next=//evil.test');
    expect(redirected.headers.get('location')).toBe('/');
    const words = '/sign-in?next=%2Ferror%3Fdescription%3DCall+us';
    expect(await (await fetch(server.url + words)).text()).not.toContain('Call us"');
    expect((await client(server, sessionCookie(done)).get(words)).headers.get('location')).toBe('/');
  });

  test('shows an error next to its field', async () => {
    const wrong = await visit.form('/sign-in', { intent: 'email', email: 'nobody' });
    expect(wrong.status).toBe(400);
    const html = await wrong.text();
    expect(html).toContain('Enter a valid email address.');
    expect(html).toContain('aria-describedby="sign-in-email-error"');
    expect(html).toContain('value="nobody"');
  });
});

test('neither the database nor the log contains a token, a code or an address', async () => {
  const email = newAddress();
  await visit.ask(email);
  const { token, code } = await mailTo(server, email);
  const { cookie } = { cookie: sessionCookie(await visit.press(token)).replace('session=', '') };
  expect(await mailsTo(server, email)).toHaveLength(1);
  for (const secret of [token, cookie, email]) expect(server.output()).not.toContain(secret);
  for (const table of ['sign_ins', 'sessions', 'users', 'rate_limits', 'instance_values', 'jobs.job']) {
    const { rows } = await server.database.query<{ row: string }>(
      `select to_jsonb(t)::text as row from ${table} t`,
    );
    const all = rows.map(({ row }) => row).join('\n');
    for (const secret of [token, cookie, `"${code}"`]) expect(all).not.toContain(secret);
  }
});
