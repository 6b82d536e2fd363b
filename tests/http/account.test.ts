import { randomBytes, randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { Me } from '#features/accounts/contract.ts';
import { createKey } from '../support/api-keys.ts';
import { follow, send, uniqueWord, waitForEnd, waitForText } from '../support/chat.ts';
import { expectConsistent, waitUntilIdle } from '../support/consistency.ts';
import { runErasure } from '../support/erasure.ts';
import { mailTo } from '../support/mailbox.ts';
import { client, createPerson, type Person } from '../support/people.ts';
import { makeOffer } from '../support/restore.ts';
import { eventually, startTestServer, type TestServer } from '../support/server.ts';
import { expectWithin, soak } from '../support/soak.ts';
import { moveClock, sessionCookie, visitor } from '../support/visitor.ts';

const DAY = 24 * 3600_000;

let server: TestServer;
let visit: ReturnType<typeof visitor>;
beforeAll(async () => {
  server = await startTestServer({ postgres: inject('postgres'), env: { TRUSTED_PROXIES: '127.0.0.1' } });
  visit = visitor(server);
});
afterAll(() => server.stop());

const meOf = async (person: Pick<Person, 'get'>) => (await (await person.get('/api/me')).json()) as Me;

describe('a name', () => {
  test('is stored as written, trimmed', async () => {
    const person = await createPerson(server);
    const renamed = await person.send('PATCH', '/api/me', { name: '  Zoë <b>“Q”</b> \n' });
    expect([renamed.status, await renamed.json()]).toEqual([200, { ...(await meOf(person)) }]);
    expect((await meOf(person)).name).toBe('Zoë <b>“Q”</b>');
    expect(await (await person.get('/settings')).text()).not.toContain('<b>“Q”');
  });

  test.each(['', ' ', 'x'.repeat(81), 'a\0b', 'a\nb', 'a\ud800', 'a\u202eb', 'a\u200bb'])(
    'cannot be %j',
    async (name) => {
      const person = await createPerson(server);
      const refused = await person.send('PATCH', '/api/me', { name });
      expect(refused.status).toBe(400);
      expect(await refused.json()).toMatchObject({
        error: 'Use 1 to 80 visible characters.',
      });
      expect((await meOf(person)).name).toBe('Test Person');
    },
  );
});

describe('a picture', () => {
  const uploadPicture = (person: Person, bytes: Buffer, type: string) =>
    fetch(`${server.url}/api/me/avatar`, {
      method: 'PUT',
      headers: { cookie: person.cookie, origin: server.url, 'content-type': type },
      body: new Uint8Array(bytes),
    });
  const photo = (format: 'jpeg' | 'png' | 'webp' | 'gif', background = '#336699') =>
    sharp({ create: { width: 300, height: 200, channels: 3, background } })
      .toFormat(format)
      .toBuffer();

  test.each(['jpeg', 'png', 'webp'] as const)('may be a %s, and is encoded anew', async (format) => {
    const person = await createPerson(server);
    const answer = await uploadPicture(person, await photo(format), `image/${format}`);
    const { avatarUrl } = (await answer.json()) as Me;
    expect(avatarUrl).toMatch(/^\/api\/me\/avatar\?v=[\w-]{16}$/);
    expect((await meOf(person)).avatarUrl).toBe(avatarUrl);
    const served = await person.get(avatarUrl ?? '');
    expect(Object.fromEntries(served.headers)).toMatchObject({
      'content-type': 'image/webp',
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, no-cache',
      etag: expect.stringMatching(/^"[\w-]{16}"$/),
      'content-security-policy': expect.stringContaining('sandbox'),
    });
    const encoded = Buffer.from(await served.arrayBuffer());
    expect(await sharp(encoded).metadata()).toMatchObject({ format: 'webp', width: 256, height: 256 });
    for (const path of ['/api/me/avatar', '/api/me/avatar?v=other'])
      expect((await person.get(path)).headers.get('cache-control')).toBe('private, no-cache');
    const etag = served.headers.get('etag') ?? '';
    for (const known of [etag, `W/${etag}`, `"x", ${etag}`]) {
      const same = await person.get(avatarUrl ?? '', { 'if-none-match': known });
      expect([same.status, same.headers.get('etag'), await same.text()]).toEqual([304, etag, '']);
      expect(same.headers.get('cache-control')).toBe('private, no-cache');
    }
    // Another picture has another URL.
    const next = (await (
      await uploadPicture(person, await photo('png', '#993333'), 'image/png')
    ).json()) as Me;
    expect(next.avatarUrl).not.toBe(avatarUrl);
    const changed = await person.get('/api/me/avatar', { 'if-none-match': etag });
    expect([changed.status, changed.headers.get('etag')]).not.toContain(etag);
    expect(changed.status).toBe(200);
    // Only the owner can read it.
    const otherPerson = await createPerson(server);
    expect((await otherPerson.get(avatarUrl ?? '')).status).toBe(404);
    for (const known of ['', etag, '*']) {
      const refused = await client(server).get(avatarUrl ?? '', { 'if-none-match': known });
      expect([refused.status, refused.headers.get('cache-control')]).toEqual([401, 'private, no-store']);
    }
    expect((await person.send('DELETE', '/api/me/avatar')).status).toBe(204);
    expect((await person.get(avatarUrl ?? '')).status).toBe(404);
    expect((await meOf(person)).avatarUrl).toBeNull();
    expect((await person.send('DELETE', '/api/me/avatar')).status).toBe(204);
  });

  test('is checked by its bytes, whatever type it claims', async () => {
    const person = await createPerson(server);
    const [gif, png] = [await photo('gif'), await photo('png')];
    const cases: Array<[Buffer, string, number]> = [
      [Buffer.from('<html><script>alert(1)</script>'), 'image/png', 415],
      [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'image/svg+xml', 415],
      [Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'image/webp', 415],
      [gif, 'image/gif', 415],
      [gif, 'image/jpeg', 415],
      [png, 'image/jpeg', 415],
      [png, 'application/octet-stream', 415],
      [Buffer.alloc(0), 'image/png', 415],
      [png.subarray(0, 60), 'image/png', 400],
      [Buffer.concat([png.subarray(0, 8), randomBytes(500)]), 'image/png', 400],
    ];
    for (const [bytes, type, status] of cases) {
      const refused = await uploadPicture(person, bytes, type);
      expect(refused.status, `${type}, ${bytes.length} bytes`).toBe(status);
      expect(((await refused.json()) as { error: string }).error).toMatch(/image/);
    }
    expect((await meOf(person)).avatarUrl).toBeNull();
  });

  test('is limited to 5 MiB, counted while it is read', async () => {
    const person = await createPerson(server);
    const png = await photo('png');
    const limit = 5 * 1024 * 1024;
    // Bytes after the end of a PNG are ignored.
    const padded = (size: number) => Buffer.concat([png, Buffer.alloc(size - png.length)]);
    expect((await uploadPicture(person, padded(limit), 'image/png')).status).toBe(200);
    const refused = await uploadPicture(person, padded(limit + 1), 'image/png');
    expect([refused.status, await refused.json()]).toMatchObject([
      413,
      { error: 'This image is too large. The limit is 5 MB.' },
    ]);
  });

  test('can change at most 20 times an hour', async () => {
    const person = await createPerson(server);
    const png = await photo('png');
    for (let change = 0; change < 20; change++)
      expect((await uploadPicture(person, png, 'image/png')).status).toBe(200);
    const one = await uploadPicture(person, png, 'image/png');
    expect(one.status).toBe(429);
    expect(Number(one.headers.get('retry-after'))).toBeGreaterThan(3000);
  });
});

const deleteAccount = (person: Pick<Person, 'send'>, confirm: string) =>
  person.send('DELETE', '/api/me', { confirm });

describe('deleting an account', () => {
  test('requires its address, and a sign-in within the last 15 minutes', async () => {
    const person = await createPerson(server);
    const wrong = await deleteAccount(person, 'someone@example.com');
    expect([wrong.status, ((await wrong.json()) as { code: string }).code]).toEqual([400, 'bad_request']);
    await moveClock(server, 16 * 60_000);
    const tooLate = await deleteAccount(person, person.email);
    expect([tooLate.status, await tooLate.json()]).toMatchObject([
      403,
      {
        code: 'sign_in_again',
        error: 'For your security, sign in again before deleting your account.',
      },
    ]);
    await moveClock(server, 0);
    expect((await person.get('/api/me')).status).toBe(200);
    const done = await deleteAccount(person, ` ${person.email.toUpperCase()} `);
    expect(done.status).toBe(204);
    expect(done.headers.getSetCookie()).toEqual(['session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax']);
  });

  test('ends all access immediately, stops running work, and confirms by mail', async () => {
    const person = await createPerson(server, { plan: 'pro' });
    const otherDevice = await visit.signIn(person.email);
    const sent = await send(person, `${uniqueWord()} [[mode:hold]] [[holdAfter:3]]`);
    await waitForText(person, sent.body.generation.id);
    const reading = follow(person, sent.body.generation.id).then(
      () => 'over',
      () => 'over',
    );
    await visit.ask(person.email);
    const { token } = await mailTo(server, person.email, 2);
    const startedAt = performance.now();
    expect((await deleteAccount(person, person.email)).status).toBe(204);
    for (const one of [person, otherDevice]) {
      for (const path of ['/api/me', '/api/chats', '/api/me/export', '/api/me/avatar'])
        expect((await one.get(path)).status).toBe(401);
    }
    expect((await visit.press(token)).status).toBe(410);
    expect(await reading).toBe('over');
    expectWithin(performance.now() - startedAt, 1_500);
    const { state, charged } = await eventually(async () => {
      const { rows } = await server.database.query(
        `select state, credits_charged as charged, text from generations where id = $1 and finished_at is not null`,
        [sent.body.generation.id],
      );
      return rows[0];
    });
    expect([state, charged]).toEqual(['stopped', 0]);
    const mail = await mailTo(server, person.email, 3);
    expect(mail.subject).toMatch(/account was deleted$/);
    const until = new Date(Date.now() + 30 * DAY).toLocaleDateString('en-US', {
      dateStyle: 'long',
      timeZone: 'UTC',
    });
    for (const part of [mail.text, mail.html]) {
      expect(part).toContain(`On ${until}, your content and personal details will be permanently deleted`);
      expect(part).toContain(`${server.url}/sign-in`);
    }
  });
});

describe('restoring an account', () => {
  const page = async (cookie: string) => {
    const response = await client(server, cookie).get('/restore', { accept: 'text/html' });
    return { status: response.status, html: await response.text(), headers: response.headers };
  };

  test('brings the account back unchanged, once', async () => {
    const person = await createPerson(server, { credits: 4 });
    const sent = await send(person, `${uniqueWord()} [[tps:0]] [[first:0]]`);
    await waitForEnd(person, sent.body.generation.id);
    await waitUntilIdle(server);
    await deleteAccount(person, person.email);
    const offer = await makeOffer(server, person.id);
    const second = await makeOffer(server, person.id);
    const offerPage = await page(offer);
    expect(offerPage.status).toBe(200);
    expect(offerPage.html).toMatch(/You deleted this account on \w+ \d+, \d{4}\./);
    expect(offerPage.html).toContain('free credits, which are given once per person');
    expect(offerPage.headers.get('cache-control')).toBe('private, no-store');
    expect((await person.get('/api/me')).status).toBe(401);
    const restored = await visit.form('/restore', { intent: 'restore' }, { cookie: offer });
    expect([restored.status, restored.headers.get('location')]).toEqual([303, '/?success=login']);
    expect(restored.headers.getSetCookie().join('\n')).toMatch(/^restore=;.*Max-Age=0/m);
    const again = client(server, sessionCookie(restored));
    expect(await meOf(again)).toMatchObject({ id: person.id, credits: 3 });
    expect((await again.get(`/api/chats/${sent.chatId}`)).status).toBe(200);
    // The old session stays invalid, and all offers are used up.
    expect((await person.get('/api/me')).status).toBe(401);
    for (const cookie of [offer, second]) {
      expect((await page(cookie)).status).toBe(410);
      expect((await visit.form('/restore', { intent: 'restore' }, { cookie })).status).toBe(410);
    }
  });

  test('can be declined, and expires', async () => {
    const person = await createPerson(server);
    await deleteAccount(person, person.email);
    const offer = await makeOffer(server, person.id);
    const declinedAnswer = await visit.form('/restore', { intent: 'keep' }, { cookie: offer });
    expect([declinedAnswer.status, declinedAnswer.headers.get('location')]).toEqual([303, '/restore?kept']);
    expect(declinedAnswer.headers.getSetCookie().join()).toContain('restore=; Path=/; Max-Age=0');
    const confirmation = await client(server).get('/restore?kept');
    expect([confirmation.status, await confirmation.text()]).toEqual([
      200,
      expect.stringContaining('Your account stays deleted'),
    ]);
    expect((await page(offer)).status).toBe(410);
    const next = await makeOffer(server, person.id);
    await moveClock(server, 16 * 60_000);
    expect((await page(next)).status).toBe(410);
    await moveClock(server, 0);
    for (const cookie of ['', 'restore=x', `restore=${'a'.repeat(43)}`]) {
      const refusal = await page(cookie);
      expect(refusal.status).toBe(410);
      expect(refusal.html).toContain('sign in to it again');
      expect((await visit.form('/restore', { intent: 'restore' }, { cookie })).status).toBe(410);
    }
  });
});

test('on day 30 content, files and sign-in methods are erased, and the ledger remains', async () => {
  const word = uniqueWord();
  const email = `erase-${randomUUID()}@example.com`;
  const { cookie } = await visit.signIn(email);
  const person = client(server, cookie);
  const { id, credits } = await meOf(person);
  expect(credits).toBe(10);
  const sent = await send(person as Person, `${word} [[mode:reasoning]] [[tps:0]] [[first:0]]`);
  expect((await waitForEnd(person as Person, sent.body.generation.id)).thoughtMs).toBeGreaterThan(0);
  await waitUntilIdle(server);
  await person.send('PATCH', '/api/me', { name: `Name ${word}` });
  await createKey(person, { name: word });
  await person.send('POST', '/api/projects', { name: `Project ${word}`, instructions: word });
  expect((await person.send('POST', '/api/library/tags', { name: word })).status).toBe(201);
  const png = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  await fetch(`${server.url}/api/me/avatar`, {
    method: 'PUT',
    headers: { cookie, origin: server.url, 'content-type': 'image/png' },
    body: new Uint8Array(png),
  });
  await server.database.query(
    `insert into identities (provider, subject, user_id) values ('github', $1, $2)`,
    [word, id],
  );
  await server.database.query('update users set chat_model = $2 where id = $1', [id, `maker/${word}`]);
  const other = await createPerson(server);
  const otherMessage = await send(other, `${uniqueWord()} [[tps:0]] [[first:0]]`);
  await waitForEnd(other, otherMessage.body.generation.id);
  await deleteAccount(person, email);
  await waitUntilIdle(server);
  const user = async () =>
    (await server.database.query('select *, erased_at is not null as erased from users where id = $1', [id]))
      .rows[0];

  await moveClock(server, 30 * DAY - 60_000);
  const offer = await makeOffer(server, id);
  await runErasure(server);
  expect(await user()).toMatchObject({ email, erased: false });

  await moveClock(server, 30 * DAY + 60_000);
  await runErasure(server);
  await runErasure(server);
  expect(await user()).toMatchObject({
    email: null,
    name: 'Deleted person',
    avatar_url: null,
    chat_model: null,
    provider: 'email',
    credits: 9,
    erased: true,
  });
  const dump = await server.database.query<{ text: string }>(
    [
      'users',
      'sign_ins',
      'identities',
      'avatars',
      'sessions',
      'restore_offers',
      'api_keys',
      'chat_sessions',
      'chat_messages',
      'generations',
      'generation_chunks',
      'thinking',
      'tags',
      'web_searches',
      'credit_ledger',
      'gateway_calls',
      'welcome_grants',
    ]
      .map((table) => `select coalesce(string_agg(t::text, ' '), '') as text from ${table} t`)
      .join(' union all '),
  );
  const all = dump.rows.map(({ text }) => text).join(' ');
  for (const erasedText of [word, email, sent.chatId, 'thought1']) expect(all).not.toContain(erasedText);
  const { rows } = await server.database.query(
    'select sum(delta)::int as sum from credit_ledger where user_id = $1',
    [id],
  );
  expect(rows[0].sum).toBe(9);
  const refusal = await visit.form('/restore', { intent: 'restore' }, { cookie: offer });
  expect(refusal.status).toBe(410);

  // The address is free again, but its welcome credits were already granted.
  await moveClock(server, 0);
  expect((await other.get(`/api/chats/${otherMessage.chatId}`)).status).toBe(200);
  const again = await visit.signIn(email, { count: 4 });
  expect(await meOf(again)).toMatchObject({ credits: 0 });
  expect((await meOf(again)).id).not.toBe(id);
});

test('a person whose work has not ended is erased later, and delays nobody else', async () => {
  const [busy, idle] = [await createPerson(server), await createPerson(server)];
  const sent = await send(busy, `${uniqueWord()} [[mode:hold]]`);
  await server.database.query(
    `update users set deleted_at = app_now() - interval '31 days' - (id = $1)::int * interval '1 day' where id = any($2)`,
    [busy.id, [busy.id, idle.id]],
  );
  const erased = async ({ id }: Person) =>
    (await server.database.query('select 1 from users where id = $1 and erased_at is not null', [id]))
      .rowCount;
  await runErasure(server);
  expect([await erased(busy), await erased(idle)]).toEqual([0, 1]);
  await server.database.query('update generations set stop_requested_at = app_now() where id = $1', [
    sent.body.generation.id,
  ]);
  await waitUntilIdle(server);
  await runErasure(server);
  expect(await erased(busy)).toBe(1);
});

test.runIf(soak)('many people who cannot be erased do not block those after them', async () => {
  const last = await createPerson(server);
  // The database refuses to erase them; they were deleted before the last one.
  const { rows: stuck } = await server.database.query<{ id: string }>(
    `insert into users (id, email, name, deleted_at)
     select gen_random_uuid(), 'stuck-' || n || '@example.com', 'Stuck', app_now() - interval '40 days'
       from generate_series(1, 101) n returning id`,
  );
  const ids = stuck.map(({ id }) => id);
  await server.database.query(
    `create function refuse_erasure() returns trigger language plpgsql as
       $$ begin if old.name = 'Stuck' then raise 'stuck'; end if; return new; end $$;
     create trigger refuse_erasure before update of erased_at on users for each row execute function refuse_erasure()`,
  );
  await server.database.query(`update users set deleted_at = app_now() - interval '31 days' where id = $1`, [
    last.id,
  ]);
  await runErasure(server);
  await server.database.query('drop trigger refuse_erasure on users; drop function refuse_erasure()');
  const { rows } = await server.database.query<{ id: string }>(
    'select id from users where erased_at is not null and id = any($1)',
    [[...ids, last.id]],
  );
  expect(rows).toEqual([{ id: last.id }]);
  // Each run erases a batch of a hundred.
  await runErasure(server);
  const remaining = async () =>
    (await server.database.query('select 1 from users where id = any($1) and erased_at is null', [ids]))
      .rowCount;
  expect(await remaining()).toBe(1);
  await runErasure(server);
  expect(await remaining()).toBe(0);
});

test('every invariant holds', () => expectConsistent(server));
