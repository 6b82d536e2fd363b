import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { createOperator, OPERATOR, type Operator, operatorActions } from '../support/admin.ts';
import { createKey, openaiClient, refusalOf } from '../support/api-keys.ts';
import { readEvents, send, uniqueWord, waitForText } from '../support/chat.ts';
import { expectConsistent } from '../support/consistency.ts';
import { mailTo } from '../support/mailbox.ts';
import { payments, planOf } from '../support/payments.ts';
import { client, createPerson, type Person } from '../support/people.ts';
import { eventually, type TestServer } from '../support/server.ts';
import { borrowServer } from '../support/shared-server.ts';

let server: TestServer;
let operator: Operator;
let shop: ReturnType<typeof payments>;
beforeAll(async () => {
  server = await borrowServer(inject('servers'));
  operator = await createOperator(server);
  shop = payments(server);
});
afterAll(async () => {
  await expectConsistent(server);
  await server.stop();
});

const personPath = (person: Pick<Person, 'id'>, subpath = '') => `/admin/people/${person.id}${subpath}`;
const reason = 'asked by mail';

describe('people are found', () => {
  test('directly by their full address or id, otherwise in the list', async () => {
    const person = await createPerson(server);
    for (const text of [person.email.toUpperCase(), person.id]) {
      const found = await operator.get(`/admin/people?q=${encodeURIComponent(text)}`);
      expect([found.status, found.headers.get('location')]).toEqual([303, personPath(person)]);
    }
    expect(await operator.page(`/admin/people?q=${person.email.slice(0, 20)}`)).toContain(person.email);
    expect(await operator.page('/admin/people?q=%25_%27;--')).toContain('No accounts found.');
    for (const id of [randomUUID(), 'x'])
      expect((await operator.get(`/admin/people/${id}`)).status).toBe(404);
  });

  test('page by page, each once, in every order', async () => {
    for (let count = 0; count < 60; count++) await createPerson(server, { credits: count % 7 });
    for (const sort of ['address', '-created', 'credits', '-credits', 'name']) {
      const seen: string[] = [];
      let path = `/admin/people?sort=${sort}`;
      while (path) {
        const html = await operator.page(path);
        seen.push(
          ...[...html.matchAll(/<code class="text-2xs">([0-9a-f-]{36})<\/code>/g)].map(([, id = '']) => id),
        );
        path = (/href="(\/admin\/people\?[^"]*after=[^"]*)"[^>]*>Next page/.exec(html)?.[1] ?? '').replaceAll(
          '&amp;',
          '&',
        );
      }
      const { rows } = await server.database.query('select count(*)::int as count from users');
      expect([seen.length, new Set(seen).size], sort).toEqual([rows[0].count, rows[0].count]);
    }
  });

  test('with markup and formulas in their names as text, on pages and in the export', async () => {
    const person = await createPerson(server);
    const name = '<script>alert(1)</script>"\'=HYPERLINK("x")';
    await server.database.query('update users set name = $1 where id = $2', [name, person.id]);
    await server.database.query(
      `update sessions set user_agent = '<img src=x onerror=alert(2)>' where user_id = $1`,
      [person.id],
    );
    await operator.submit(personPath(person, '/credits'), { credits: '1', reason: '<b>=1+1</b>' });
    for (const path of [personPath(person), '/admin/people', '/admin/log']) {
      const html = await operator.page(path);
      expect(html).not.toMatch(/<script>alert|<img src=x|<b>=1/);
    }
    expect(await operator.page(personPath(person))).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    await server.database.query(`update users set name = '=cmd()' where id = $1`, [person.id]);
    const csv = await (await operator.submit('/admin/people.csv')).text();
    expect(csv).toContain(`${person.email},'=cmd(),`);
  });
});

describe('credits', () => {
  test('are given and taken once per press, through the ledger', async () => {
    const person = await createPerson(server, { credits: 3 });
    const press = randomUUID();
    const fields = { press, credits: '25', reason };
    const responses = await Promise.all(
      [1, 2].map(() => operator.submit(personPath(person, '/credits'), fields)),
    );
    expect(responses.map(({ status }) => status)).toEqual([303, 303]);
    expect(responses[0]?.headers.get('location')).toBe(personPath(person, `?done=${press}`));
    expect(await operator.page(personPath(person, `?done=${press}`))).toContain('Gave 25 credits.');
    expect(await person.credits()).toBe(28);
    // A new press gives credits again, even with the same reason.
    await operator.submit(personPath(person, '/credits'), { credits: '25', reason });
    expect(await person.credits()).toBe(53);
    const debit = { press: randomUUID(), credits: '50', reason };
    await Promise.all([1, 2].map(() => operator.submit(personPath(person, '/credits/taken'), debit)));
    expect(await person.credits()).toBe(3);
    const tooMany = await operator.submit(personPath(person, '/credits/taken'), { credits: '4', reason });
    expect(tooMany.status).toBe(409);
    expect(await person.credits()).toBe(3);
    for (const credits of ['0', '-1', '1.5', 'x', '100001'])
      expect((await operator.submit(personPath(person, '/credits'), { credits, reason })).status).toBe(400);
    expect(
      (await operator.submit(personPath(person, '/credits'), { credits: '1', reason: ' ' })).status,
    ).toBe(400);
    expect(
      (await operator.submit(personPath(person, '/credits'), { credits: '1', reason, press: 'x' })).status,
    ).toBe(400);
    expect(await operatorActions(server, person.id)).toEqual([
      { action: 'grant', operator: OPERATOR, reason, details: { credits: 25 } },
      { action: 'grant', operator: OPERATOR, reason, details: { credits: 25 } },
      { action: 'take', operator: OPERATOR, reason, details: { credits: 50 } },
    ]);
  });
});

test('a plan is given until the end of a day, and ended', async () => {
  const person = await createPerson(server);
  await operator.submit(personPath(person, '/plan'), { plan: 'business', until: '2999-12-31', reason });
  expect(await planOf(person)).toBe('business');
  const { rows } = await server.database.query('select ends_at from plan_grants where user_id = $1', [
    person.id,
  ]);
  expect(rows[0].ends_at.toISOString()).toBe('3000-01-01T00:00:00.000Z');
  expect(
    (await operator.submit(personPath(person, '/plan'), { plan: 'pro', until: '2000-01-01', reason })).status,
  ).toBe(400);
  await operator.submit(personPath(person, '/plan/ended'), { reason });
  expect(await planOf(person)).toBe('free');
  expect((await operator.submit(personPath(person, '/plan/ended'), { reason })).status).toBe(409);
});

test('sessions can be ended, and the person’s archive downloaded', async () => {
  const person = await createPerson(server);
  const archive = await operator.submit(personPath(person, '/archive'));
  expect([archive.status, archive.headers.get('content-type')]).toEqual([200, 'application/zip']);
  expect(Buffer.from(await archive.arrayBuffer()).includes('export.json')).toBe(true);
  await operator.submit(personPath(person, '/sessions/ended'));
  expect((await person.get('/api/me')).status).toBe(401);
  expect((await operatorActions(server, person.id)).map(({ action }) => action)).toEqual([
    'archive',
    'sessions',
  ]);
});

describe('a ban', () => {
  const sentence = 'This account has been suspended.';

  test('stops running work, closes the streams and ends the sessions', async () => {
    const person = await createPerson(server);
    const sent = await send(person, `${uniqueWord()} [[mode:hold]] [[holdAfter:3]]`);
    const run = sent.body.generation.id;
    await waitForText(person, run);
    const stream = await person.get(`/api/generations/${run}/events`);
    const events = readEvents(stream);
    expect((await operator.submit(personPath(person, '/ban'), { reason })).status).toBe(303);
    await events;
    expect((await person.get('/api/me')).status).toBe(401);
    await eventually(async () => {
      const { rows } = await server.database.query('select state from generations where id = $1', [run]);
      return rows[0].state === 'stopped';
    });
    expect((await operator.submit(personPath(person, '/ban'), { reason })).status).toBe(409);
  });

  test('prevents sign-in by code, link or provider, and explains so in the person’s language, until it is lifted', async () => {
    const person = await createPerson(server);
    const models = openaiClient(server, (await createKey(person)).secret).models;
    await mailTo(server, person.email);
    await operator.submit(personPath(person, '/ban'), { reason });
    expect(await refusalOf(models.list())).toMatchObject({ status: 401 });
    const headers = { 'accept-language': 'de' };
    const codeRequest = await client(server).send('POST', '/api/sign-in/email', { email: person.email });
    const markerCookies = codeRequest.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ');
    const mail = await mailTo(server, person.email, 2);
    const signIn = (language: Record<string, string> = {}) =>
      client(server, markerCookies).send(
        'POST',
        '/api/sign-in/code',
        { email: person.email, code: mail.code },
        language,
      );
    const refused = await signIn();
    expect(refused.status).toBe(403);
    expect(await refused.json()).toMatchObject({
      code: 'forbidden',
      error: expect.stringContaining(sentence),
    });
    expect(await (await signIn(headers)).json()).toMatchObject({
      error: expect.stringContaining('Dieses Konto wurde gesperrt'),
    });
    const link = await fetch(`${server.url}/sign-in/confirm`, {
      method: 'POST',
      headers: { origin: server.url },
      body: new URLSearchParams({ token: mail.token }),
      redirect: 'manual',
    });
    expect([link.status, link.headers.getSetCookie()]).toEqual([403, []]);
    expect(await link.text()).toContain(sentence);
    const { rows } = await server.database.query('select 1 from sessions where user_id = $1', [person.id]);
    expect(rows).toEqual([]);
    await operator.submit(personPath(person, '/unban'), { reason });
    expect((await signIn()).status).toBe(200);
    // The ban revoked the key for good, like the sessions.
    expect(await refusalOf(models.list())).toMatchObject({ status: 401 });
  });

  test('refuses work that was requested before it, even with a session created in the meantime', async () => {
    const person = await createPerson(server);
    await server.database.query('update users set banned_at = app_now() where id = $1', [person.id]);
    expect((await person.send('POST', '/api/chats', {})).status).toBe(401);
    const { rows } = await server.database.query(
      `select verdict from admit_generation(gen_random_uuid(), $1, 'chat', 1, 1, 'key-of-a-test', '', '{}', true, true, false,
         3, 2, 300, 20, 60, 'test', null, null)`,
      [person.id],
    );
    expect(rows).toEqual([{ verdict: 'no_user' }]);
    await server.database.query('delete from sessions where user_id = $1', [person.id]);
  });

  test('cannot be applied to operators', async () => {
    for (const path of ['/ban', '/erase'])
      expect((await operator.submit(personPath(operator, path), { reason, when: 'now' })).status).toBe(400);
    expect((await operator.get('/admin/people')).status).toBe(200);
  });
});

describe('an erasure', () => {
  test('now: follows the rules of every erasure, even during a run', async () => {
    const person = await createPerson(server);
    const word = uniqueWord();
    const sent = await send(person, `${word} [[mode:hold]] [[holdAfter:3]]`);
    await waitForText(person, sent.body.generation.id);
    expect((await operator.submit(personPath(person, '/erase'), { reason, when: 'now' })).status).toBe(303);
    expect((await person.get('/api/me')).status).toBe(401);
    await eventually(async () => {
      const { rows } = await server.database.query('select erased_at, email from users where id = $1', [
        person.id,
      ]);
      return rows[0].erased_at !== null && rows[0].email === null;
    });
    expect(
      (await server.database.query('select 1 from chat_messages where content like $1', [`%${word}%`])).rows,
    ).toEqual([]);
    expect(await operator.page(personPath(person))).toContain('Erased person');
    expect((await operator.submit(personPath(person, '/credits'), { credits: '1', reason })).status).toBe(
      400,
    );
  });

  test('later: sends a mail and leaves 30 days to return, or happens immediately after all', async () => {
    const person = await createPerson(server);
    await operator.submit(personPath(person, '/erase'), { reason, when: 'later' });
    expect((await mailTo(server, person.email)).subject).toMatch(/deleted/i);
    const { rows } = await server.database.query('select erased_at, erase_from from users where id = $1', [
      person.id,
    ]);
    expect(rows).toEqual([{ erased_at: null, erase_from: null }]);
    await operator.submit(personPath(person, '/erase'), { reason, when: 'now' });
    await eventually(async () => {
      const erased = await server.database.query('select erased_at from users where id = $1', [person.id]);
      return erased.rows[0].erased_at !== null;
    });
  });
});

describe('a refund', () => {
  test('is made once, however often the button is pressed, and ends the plan', async () => {
    const person = await createPerson(server);
    await shop.buy(person);
    const html = await operator.page(personPath(person));
    const [, payment] = /action="\/admin\/payments\/([0-9a-f-]{36})\/refund"/.exec(html) ?? [];
    const press = { press: randomUUID(), reason };
    const path = `/admin/payments/${payment}/refund`;
    const both = await Promise.all([1, 2].map(() => operator.submit(path, press)));
    expect(both.map(({ status }) => status).sort()).toEqual([303, 303]);
    await operator.submit(path, { reason });
    expect((await shop.providerState()).refunds).toHaveLength(1);
    await eventually(async () => (await planOf(person)) === 'free');
    expect((await operator.submit(path, { reason })).status).toBe(409);
    expect((await operatorActions(server, person.id)).map(({ action }) => action)).toEqual(['refund']);
    expect((await operator.submit(`/admin/payments/${randomUUID()}/refund`, { reason })).status).toBe(400);
  });

  test('that the provider does not confirm is reported as such', async () => {
    const person = await createPerson(server);
    await shop.buy(person);
    const { rows } = await server.database.query('select id from payments where user_id = $1', [person.id]);
    await shop.creem({ api: { fault: 'status500', path: '/v1/refunds', times: 1 } });
    const answer = await operator.submit(`/admin/payments/${rows[0].id}/refund`, { reason });
    expect([409, 502]).toContain(answer.status);
    expect(await answer.text()).toMatch(/refused the refund|has not confirmed/);
  });
});
