import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { audit } from '../support/consistency.ts';
import { runErasure } from '../support/erasure.ts';
import { runJob } from '../support/files.ts';
import {
  listMails,
  press,
  requestSubscription,
  subscribe,
  tokenOf,
  waitForMail,
} from '../support/newsletter.ts';
import { createPerson } from '../support/people.ts';
import { eventually, runEntry, startTestServer, type TestServer } from '../support/server.ts';
import { newAddress } from '../support/visitor.ts';
import { unzip } from '../support/zip.ts';

const [confirmPath, unsubscribePath] = ['/newsletter/confirm', '/newsletter/unsubscribe'];

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ postgres: inject('postgres'), env: { TRUSTED_PROXIES: '127.0.0.1' } });
});
afterAll(() => server.stop());

async function rowsOf(email: string) {
  const { rows } = await server.database.query(
    `select wording, source, asked_network, confirmed_network, confirmed_at >= asked_at as ordered
       from newsletter_subscribers where email = $1`,
    [email],
  );
  return rows;
}

const requestsOf = async (email: string) =>
  (await server.database.query('select id from newsletter_requests where email = $1', [email])).rows.length;

/** Waits until every newsletter request has been mailed or skipped. */
const requestsMailed = () =>
  eventually(async () => {
    const { rows } = await server.database.query(
      `select 1 from jobs.job where name = 'send-newsletter-request' and state <> 'completed'`,
    );
    return rows.length === 0;
  });

const advance = (ms: number) =>
  fetch(`${server.standins}/control`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ clock: { advanceMs: ms } }),
  });

test('only the button of the linked page confirms a subscription, once, with proof of consent', async () => {
  const email = newAddress();
  const response = await requestSubscription(
    server,
    { email, source: '/blog' },
    { 'x-forwarded-for': '198.51.100.77' },
  );
  expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'private, no-store']);
  const mail = await waitForMail(server, email, /^Confirm/);
  expect(mail.headers['list-unsubscribe']).toBeUndefined();
  const token = tokenOf(mail, confirmPath);
  // The stored form of a link does not contain its token.
  const stored = `select r::text as row from newsletter_requests r where email = $1`;
  const { rows } = await server.database.query<{ row: string }>(stored, [email]);
  expect(rows).toHaveLength(1);
  for (const form of [
    token,
    Buffer.from(token).toString('hex'),
    Buffer.from(token, 'base64url').toString('hex'),
  ])
    expect(rows[0]?.row).not.toContain(form);
  // Mail scanners open links with any method they like.
  for (const method of ['GET', 'HEAD', 'GET']) {
    const page = await fetch(`${server.url}${confirmPath}?token=${token}`, { method });
    expect([page.status, page.headers.get('referrer-policy')]).toEqual([200, 'no-referrer']);
    if (method === 'GET') expect(await page.text()).not.toContain(email);
  }
  expect(await rowsOf(email)).toEqual([]);

  const answers = await Promise.all(
    ['2001:db8:1:2::3', '2001:db8:1:2::3', '2001:db8:1:2::3'].map((from) =>
      press(server, confirmPath, token, from),
    ),
  );
  expect(answers.map(({ status }) => status).sort()).toEqual([303, 410, 410]);
  expect(await rowsOf(email)).toEqual([
    {
      wording: 2,
      source: '/blog',
      asked_network: '198.51.100.0/24',
      confirmed_network: '2001:db8:1::/48',
      ordered: true,
    },
  ]);
  expect(await requestsOf(email)).toBe(0);
  expect((await fetch(`${server.url}${confirmPath}?token=${token}`)).status).toBe(410);
  await waitForMail(server, email, /^You’re subscribed/);
});

test('known and unknown addresses get the same answer; only a mail tells the owner more', async () => {
  const { email, unsubscribeToken: token } = await subscribe(server);
  const unsubscribed = await subscribe(server);
  await press(server, unsubscribePath, unsubscribed.unsubscribeToken);
  const answers = await Promise.all(
    [email, newAddress(), unsubscribed.email].map((each) =>
      requestSubscription(server, { email: ` ${each.toUpperCase()} ` }),
    ),
  );
  const summaries = await Promise.all(
    answers.map(async (answer) => [
      answer.status,
      await answer.text(),
      [...answer.headers.keys()].filter((name) => name !== 'x-request-id').join(),
    ]),
  );
  expect(new Set(summaries.map((each) => JSON.stringify(each))).size).toBe(1);
  const again = await waitForMail(server, email, /^You’re already subscribed/);
  expect(tokenOf(again, unsubscribePath)).toBe(token);
  expect(await rowsOf(email)).toHaveLength(1);
  // Somebody who has unsubscribed may return; their address is mailed once a week, whoever enters it.
  await eventually(async () => (await listMails(server, unsubscribed.email)).length === 3);
  await requestSubscription(server, { email: unsubscribed.email });
  await requestsMailed();
  const mails = await listMails(server, unsubscribed.email);
  expect(mails).toHaveLength(3);
  const tagged = unsubscribed.email.replace('@', '+again@');
  await requestSubscription(server, { email: tagged });
  await requestsMailed();
  expect(await listMails(server, tagged)).toEqual([]);
  expect((await press(server, confirmPath, tokenOf(mails[0] as never, confirmPath))).status).toBe(303);
  expect(await rowsOf(unsubscribed.email)).toHaveLength(1);
});

test('malformed addresses are refused, and bot submissions are ignored', async () => {
  const wrong: unknown[] = [
    'v@x.test,a@evil.test',
    'v@x.test;a@evil.test',
    'v@x.test\r\nBcc: a@evil.test',
    'v@x.test\nList-Unsubscribe: <https://evil.test>',
    '"v@x.test a"@evil.test',
    'v＠x.test',
    `${'a'.repeat(300)}@x.test`,
    ['v@x.test', 'a@evil.test'],
    { address: 'v@x.test' },
    7,
    '',
  ];
  for (const email of wrong)
    expect((await requestSubscription(server, { email })).status, JSON.stringify(email)).toBe(400);
  const spamAddress = newAddress();
  expect(
    (await requestSubscription(server, { email: spamAddress, website: 'https://spam.test' })).status,
  ).toBe(200);
  expect(await requestsOf(spamAddress)).toBe(0);
  // `source` must be one of our paths; neither body nor headers can set an identity.
  const email = newAddress();
  const forged = { 'x-user-id': 'x', 'x-middleware-subrequest': 'x', 'x-base-url': 'http://evil.test' };
  await requestSubscription(server, { email, source: 'https://evil.test/<b>', userId: 'x' }, forged);
  const { links, html } = await waitForMail(server, email, /^Confirm/);
  expect(links.every((link) => link.startsWith(server.url))).toBe(true);
  expect(html).not.toContain('evil.test');
  const { rows } = await server.database.query('select source from newsletter_requests where email = $1', [
    email,
  ]);
  expect(rows).toEqual([{ source: '' }]);
  expect(
    (await fetch(`${server.standins}/mail/messages?to=a@evil.test`).then((all) => all.json())) as [],
  ).toEqual([]);
});

test('a form without scripts gets pages that keep what was typed', async () => {
  const post = (fields: Record<string, string>, from: string) =>
    fetch(`${server.url}/newsletter`, {
      method: 'POST',
      headers: { origin: server.url, 'x-forwarded-for': from },
      body: new URLSearchParams(fields),
    });
  const wrong = await post({ email: 'ada@"><b>', source: '/blog' }, '198.51.100.1');
  expect(wrong.status).toBe(400);
  const page = await wrong.text();
  expect(page).toContain('value="ada@&quot;&gt;&lt;b&gt;"');
  expect(page).toContain('value="/blog"');
  const email = newAddress();
  const response = await post({ email, source: '/blog' }, '198.51.100.1');
  expect([response.status, (await response.text()).includes('Check your email')]).toEqual([200, true]);
  await waitForMail(server, email, /^Confirm/);
  const statuses: number[] = [];
  for (let tries = 0; tries < 4; tries++) statuses.push((await post({ email }, '198.51.100.2')).status);
  expect(statuses).toEqual([200, 200, 429, 429]);
  const limited = await post({ email }, '198.51.100.3');
  // As long as the links in the mails work: a week.
  expect([limited.status, Number(limited.headers.get('retry-after')) > 6 * 86_400]).toEqual([429, true]);
  expect(await limited.text()).toContain('7 days');
  const tags: number[] = [];
  for (let tag = 0; tag < 6; tag++)
    tags.push((await requestSubscription(server, { email: email.replace('@', `+${tag}@`) })).status);
  expect(tags).toEqual([200, 200, 429, 429, 429, 429]);
});

test('every page links to it: in the footer, and within articles', async () => {
  const html = await (await fetch(`${server.url}/blog/what-is-gpt-5`)).text();
  const [main = '', rest = ''] = html.split('</main>');
  for (const part of [main, rest]) expect(part).toContain('href="/newsletter"');
});

test('a hundred requests from one network send few mails', async () => {
  const from = { 'x-forwarded-for': '2001:db8:77:1::1' };
  const one = newAddress();
  const statuses: number[] = [];
  for (let tries = 0; tries < 100; tries++)
    statuses.push(
      (await requestSubscription(server, { email: tries % 2 ? one : newAddress() }, from)).status,
    );
  expect(statuses.filter((status) => status === 200).length).toBeLessThanOrEqual(20);
  expect(statuses.at(-1)).toBe(429);
  expect(await requestsOf(one)).toBeLessThanOrEqual(3);
});

describe('unsubscribing', () => {
  const click = (token: string, init: RequestInit = {}) =>
    fetch(`${server.url}/api/newsletter/unsubscribe?token=${token}`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
      ...init,
    });

  test('takes one click in the mail program, repeatable and in either encoding, and leaves a hash', async () => {
    const { email, unsubscribeToken: token } = await subscribe(server);
    const { headers } = await waitForMail(server, email, /^You’re subscribed/);
    expect(headers['list-unsubscribe']).toBe(`<${server.url}/api/newsletter/unsubscribe?token=${token}>`);
    expect(headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click');
    expect(headers['list-id']).toMatch(/^<newsletter\.\S+>$/);
    // A scanner's GET redirects to the page and changes nothing; a POST with other fields is refused.
    const visit = await click(token, { method: 'GET', body: null });
    expect([visit.status, visit.headers.get('location')]).toEqual([302, `${unsubscribePath}?token=${token}`]);
    expect((await fetch(`${server.url}${unsubscribePath}?token=${token}`)).status).toBe(200);
    expect((await click(token, { body: new URLSearchParams({ a: 'b' }) })).status).toBe(400);
    expect((await click(token, { body: 'x'.repeat(20_000) })).status).toBe(413);
    expect(await rowsOf(email)).toHaveLength(1);

    const form = new FormData();
    form.set('List-Unsubscribe', 'One-Click');
    const foreignHeaders = {
      origin: 'https://mail.test',
      'sec-fetch-site': 'cross-site',
      cookie: 'session=x',
    };
    expect((await click(token, { headers: foreignHeaders })).status).toBe(204);
    expect((await click(token, { body: form })).status).toBe(204);
    expect((await click('x'.repeat(43))).status).toBe(404);
    expect(await rowsOf(email)).toEqual([]);
    const { rows } = await server.database.query(
      `select left_at is not null as gone, num_nonnulls(email, source, asked_at, asked_network, confirmed_at) as kept
         from newsletter_subscribers where leave_token = $1`,
      [token],
    );
    expect(rows).toEqual([{ gone: true, kept: 0 }]);
    expect(await (await fetch(`${server.url}${unsubscribePath}?token=${token}`)).text()).toContain(
      'You’re unsubscribed',
    );
    await expect(
      server.database.query('update newsletter_subscribers set email = $2 where leave_token = $1', [
        token,
        email,
      ]),
    ).rejects.toThrow('consent_or_nothing');
  });

  test('works by the page’s button and by the operator, but not from another site', async () => {
    const [one, two] = [await subscribe(server), await subscribe(server)];
    const headers = { origin: 'https://evil.test' };
    const body = new URLSearchParams({ token: one.unsubscribeToken });
    expect((await fetch(server.url + unsubscribePath, { method: 'POST', headers, body })).status).toBe(403);
    expect((await press(server, unsubscribePath, one.unsubscribeToken)).status).toBe(303);
    expect((await press(server, unsubscribePath, one.unsubscribeToken)).status).toBe(303);
    expect((await press(server, unsubscribePath, 'nothing')).status).toBe(404);
    expect(await rowsOf(one.email)).toEqual([]);
    const removed = await runEntry('newsletter', server, ['remove', two.email.toUpperCase()]);
    expect(removed.code).toBe(0);
    expect((await runEntry('newsletter', server, ['remove', two.email])).code).toBe(1);
    expect((await runEntry('newsletter', server, ['forget', two.email])).code).toBe(0);
    expect((await fetch(`${server.url}${unsubscribePath}?token=${two.unsubscribeToken}`)).status).toBe(404);
    expect(await rowsOf(two.email)).toEqual([]);
  });
});

test('an account’s subscription is in its archive, and its erasure leaves none of it', async () => {
  const person = await createPerson(server);
  await subscribe(server, person.email);
  const archive = unzip(Buffer.from(await (await person.get('/api/me/export')).arrayBuffer()));
  const { newsletter } = JSON.parse(String(archive.get('export.json'))) as {
    newsletter: { subscriptions: object[]; issues: object[] };
  };
  expect(newsletter).toEqual({
    subscriptions: [
      expect.objectContaining({
        email: person.email,
        page: '/blog',
        consent: expect.stringContaining('by email'),
      }),
    ],
    issues: [],
  });
  // Somebody who unsubscribed before has only a hash, which is deleted too.
  const unsubscribed = await createPerson(server);
  const { unsubscribeToken: token } = await subscribe(server, unsubscribed.email);
  await press(server, unsubscribePath, token);
  const hashes = async () =>
    (await server.database.query('select 1 from newsletter_subscribers where leave_token = $1', [token]))
      .rowCount;
  expect(await hashes()).toBe(1);
  // Somebody who subscribes after deleting the account wants the newsletter.
  const [first, again] = [await createPerson(server), await createPerson(server)];
  await subscribe(server, again.email);
  const earlier = `update newsletter_subscribers set asked_at = app_now() - interval '40 days',
    confirmed_at = app_now() - interval '40 days' where email = any($1)`;
  await server.database.query(earlier, [[person.email, again.email]]);
  const erase = `update users set deleted_at = app_now() - interval '31 days' where id = any($1)`;
  await server.database.query(erase, [[person, unsubscribed, first, again].map(({ id }) => id)]);
  await subscribe(server, first.email);
  await requestSubscription(server, { email: again.email });
  const waitForTwo = (subject: string) =>
    eventually(async () => {
      const mails = (await listMails(server, again.email)).filter((mail) => mail.subject.startsWith(subject));
      return mails.length === 2 && mails[0];
    });
  await press(server, confirmPath, tokenOf(await waitForTwo('Confirm'), confirmPath));
  await waitForTwo('You’re subscribed');
  await runErasure(server);
  expect(await hashes()).toBe(0);
  for (const { email } of [first, again]) expect(await rowsOf(email)).toHaveLength(1);
  const leftovers = `select 1 from newsletter_subscribers s where s::text like '%' || $1 || '%'`;
  expect((await server.database.query(leftovers, [person.email])).rows).toEqual([]);
});

test('a request that nobody confirms expires after a week and is deleted', async () => {
  const email = newAddress();
  await requestSubscription(server, { email });
  const token = tokenOf(await waitForMail(server, email, /^Confirm/), confirmPath);
  await advance(7 * 86_400_000 - 60_000);
  const page = () => fetch(`${server.url}${confirmPath}?token=${token}`);
  const waitForClock = (ms: number) =>
    eventually(async () => {
      const { rows } = await server.database.query<{ at: number }>('select offset_ms as at from app_clock');
      return Number(rows[0]?.at) >= ms;
    });
  await waitForClock(7 * 86_400_000 - 60_000);
  expect((await page()).status).toBe(200);
  await advance(120_000);
  await waitForClock(7 * 86_400_000 + 60_000);
  expect((await page()).status).toBe(410);
  expect((await press(server, confirmPath, token)).status).toBe(410);
  expect(await requestsOf(email)).toBe(1);
  await runJob(server, 'sweep-newsletter');
  expect(await requestsOf(email)).toBe(0);
  expect(await audit(server)).toEqual([]);
});
