import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { downloadArchive, type Export, exportSchema } from '../support/archive.ts';
import { requestVersion, send, uniqueWord, waitForEnd } from '../support/chat.ts';
import { expectConsistent, waitUntilIdle } from '../support/consistency.ts';
import { client, createPerson, type Person } from '../support/people.ts';
import { eventually, type TestServer } from '../support/server.ts';
import { borrowServer } from '../support/shared-server.ts';
import { sampled, soak } from '../support/soak.ts';
import { metric } from '../support/stalled-readers.ts';
import { unzip } from '../support/zip.ts';

let server: TestServer;
beforeAll(async () => {
  server = await borrowServer(inject('servers'));
});
afterAll(() => server.stop());

/** Inserts `chats` chats with two messages each of `words` hashes, which hardly compress. */
async function fill(person: Person, chats: number, words: number): Promise<void> {
  const hashes = `(select string_agg(md5(random()::text || c.n || w), ' ') from generate_series(1, $2::int) w)`;
  await server.database.query(
    `with c as (
       insert into chat_sessions (id, user_id, title, title_source, created_at)
       select gen_random_uuid(), $1, 'Chat ' || n, 'user', app_now() - interval '2 days' - n * interval '8 hours'
         from generate_series(1, $3::int) n returning id, substr(title, 6)::int as n)
     insert into chat_messages (id, session_id, role, content)
     select gen_random_uuid(), c.id, 'user', 'first of ' || c.n || ' ' || ${hashes} from c
     union all
     select gen_random_uuid(), c.id, 'user', 'second of ' || c.n || ' ' || ${hashes} from c`,
    [person.id, words, chats],
  );
  await server.database.query(
    `update chat_messages m set parent_id = p.id from chat_messages p join chat_sessions s on s.id = p.session_id
      where s.user_id = $1 and m.session_id = s.id and p.content like 'first%' and m.content like 'second%'`,
    [person.id],
  );
}

/** The server's current memory in MB. */
const memoryOf = async () => (await metric(server, 'process_resident_memory_bytes')) / 1e6;

/** Downloads the archive; returns it with the peak growth of the server's memory in MB meanwhile. */
async function measureDownload(person: Person): Promise<{ bytes: Buffer; growth: number }> {
  const before = await memoryOf();
  let peak = before;
  const parts: Uint8Array[] = [];
  for await (const part of (await person.get('/api/me/export')).body ?? []) {
    parts.push(part as Uint8Array);
    if (parts.length % 50 === 0) peak = Math.max(peak, await memoryOf());
  }
  return { bytes: Buffer.concat(parts), growth: peak - before };
}

async function readToEnd(response: Response): Promise<void> {
  for await (const _ of response.body ?? []);
}

test('the archive contains everything, as its schema describes', async () => {
  const person = await createPerson(server);
  const [word, other] = [uniqueWord(), uniqueWord()];
  const first = await send(person, `${word} [[tps:0]] [[first:0]]`);
  await waitForEnd(person, first.body.generation.id);
  const regenerated = await requestVersion(person, 'regenerate', first.chatId, first.body.reply.id);
  await waitForEnd(person, regenerated.body.generation.id);
  const deleted = await send(person, `${other} [[tps:0]] [[first:0]]`);
  await waitForEnd(person, deleted.body.generation.id);
  await waitUntilIdle(server);
  await person.send('PATCH', `/api/chats/${deleted.chatId}`, { archived: true });
  await person.send('DELETE', `/api/chats/${deleted.chatId}`);
  await person.send('PATCH', `/api/chats/${first.chatId}`, { title: '../../etc/<b>passwd', pinned: true });
  const size = { width: 40, height: 40, channels: 3 as const, background: '#336699' };
  const picture = await sharp({ create: size }).png().toBuffer();
  const put = { method: 'PUT', body: new Uint8Array(picture) };
  const headers = { cookie: person.cookie, origin: server.url, 'content-type': 'image/png' };
  expect((await fetch(`${server.url}/api/me/avatar`, { ...put, headers })).status).toBe(200);

  const { response, files, text, data } = await downloadArchive(person);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'application/zip',
    'cache-control': 'private, no-store',
    'content-disposition': expect.stringMatching(/^attachment; filename="[\w.-]+\.zip"/),
  });
  expect(exportSchema.safeParse(data).error).toBeUndefined();
  expect(data.account).toMatchObject({ id: person.id, email: person.email, signInWith: ['email'] });
  expect(data.sessions.map(({ current }) => current)).toEqual([true]);
  const pinned = data.chats.find(({ id }) => id === first.chatId);
  expect(pinned?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'assistant']);
  expect(pinned?.messages[0]?.content).toContain(word);
  const time = expect.any(String);
  expect(pinned).toMatchObject({ deletedAt: null, pinnedAt: time, archivedAt: null });
  const deletedChat = data.chats.find(({ id }) => id === deleted.chatId);
  expect(deletedChat).toMatchObject({ deletedAt: time, pinnedAt: null, archivedAt: time });
  expect(data.generations.filter(({ feature }) => feature === 'chat').length).toBe(3);
  expect(data.generations.find(({ feature }) => feature === 'title')?.text).toBeTruthy();
  expect(data.ledger.reduce((sum, { delta }) => sum + delta, 0)).toBe(data.account.credits);

  const markdown = [...files.keys()].filter((name) => name.startsWith('chats/'));
  expect(markdown).toEqual([
    expect.stringMatching(new RegExp(`^chats/[\\d-]{10}-etc-b-passwd-${first.chatId}\\.md$`)),
  ]);
  expect(text(markdown[0] ?? '').match(/^## Assistant/gm)?.length).toBe(1);
  expect(text(markdown[0] ?? '')).toContain(word);
  expect((await sharp(files.get('files/avatar.webp')).metadata()).format).toBe('webp');
  const schema = JSON.parse(text('schema.json')) as { required: string[] };
  expect(schema.required).toEqual(expect.arrayContaining(Object.keys(data)));
  expect(text('README.txt')).toContain('export.json');
  const all = [...files.values()].map(String).join();
  for (const secret of [person.cookie.split('=')[1] ?? '', 'token_hash', 'request_hash'])
    expect(all).not.toContain(secret);
});

test('the ledger opens in a spreadsheet as text and numbers', async () => {
  const person = await createPerson(server, { credits: 7 });
  const reasons = ['=HYPERLINK("http://x.test","y")', '+1', '-1', '@x', '\tx', '\rx', 'a,"b"\nc'];
  for (const [index, reason] of reasons.entries()) {
    await server.database.query(
      `insert into credit_ledger (user_id, delta, kind, source, external_id, reason)
       values ($1, 0, 'adjust', 'test', $2, $3)`,
      [person.id, `${person.id}-${index}`, reason],
    );
  }
  const { text } = await downloadArchive(person);
  const csv = text('ledger.csv');
  expect(csv.startsWith('\ufeffid,date,kind,change,feature,reason\r\n')).toBe(true);
  for (const cell of [
    `"'=HYPERLINK(""http://x.test"",""y"")"`,
    "'+1",
    "'-1",
    "'@x",
    "'\tx",
    `"'\rx"`,
    `"a,""b""\nc"`,
  ])
    expect(csv).toContain(`,adjust,0,,${cell}\r\n`);
  expect(csv).toContain(',grant,7,,test\r\n');
});

const CHATS = sampled(60, 300);

describe(`a person with ${CHATS} chats`, () => {
  let person: Person;
  beforeAll(async () => {
    person = await createPerson(server, { plan: 'pro' });
    await fill(person, CHATS, 3_000);
  });

  test.runIf(soak)('receives all of them without the server keeping them in memory', async () => {
    // The first download grows memory that the process keeps for any work.
    if (soak) await measureDownload(person);
    const { bytes, growth } = await measureDownload(person);
    const files = unzip(bytes);
    const data = JSON.parse(files.get('export.json')?.toString() ?? '') as Export;
    expect(data.chats.length).toBe(CHATS);
    expect([...files.keys()].filter((name) => name.startsWith('chats/')).length).toBe(CHATS);
    expect([...files.values()].reduce((sum, { length }) => sum + length, 0)).toBeGreaterThan(CHATS * 0.35e6);
    expect(exportSchema.safeParse(data).error).toBeUndefined();
    for (const { title, messages } of data.chats) {
      const number = title.slice(5);
      expect(messages.map(({ content }) => content.split(' ').slice(0, 3).join(' ')).sort()).toEqual([
        `first of ${number}`,
        `second of ${number}`,
      ]);
    }
    // A small archive fits into memory that the process already has.
    if (soak) expect(growth).toBeLessThan(60);
  });

  test('ends the work by leaving', async () => {
    const headers = { cookie: person.cookie };
    const abort = new AbortController();
    const response = await fetch(`${server.url}/api/me/export`, { headers, signal: abort.signal });
    await response.body?.getReader().read();
    abort.abort();
    await eventually(async () => server.output().includes('a data export was not finished'));
  });

  test('receives nothing more after the session has ended', async () => {
    const response = await person.get('/api/me/export');
    await server.database.query('delete from sessions where user_id = $1', [person.id]);
    await expect(readToEnd(response)).rejects.toThrow();
  });
});

test('five downloads an hour, none for guests, no body for HEAD', async () => {
  const person = await createPerson(server);
  expect((await client(server).get('/api/me/export')).status).toBe(401);
  const head = await fetch(`${server.url}/api/me/export`, {
    method: 'HEAD',
    headers: { cookie: person.cookie },
  });
  expect([head.status, head.headers.get('content-type')]).toEqual([200, 'application/zip']);
  for (let count = 0; count < 5; count++) await downloadArchive(person);
  const sixth = await person.get('/api/me/export');
  expect(sixth.status).toBe(429);
  expect(Number(sixth.headers.get('retry-after'))).toBeGreaterThan(3000);
  expect(await sixth.json()).toMatchObject({ code: 'rate_limited' });
});

test('another site cannot start a download, and nothing is counted', async () => {
  const person = await createPerson(server);
  for (const site of ['cross-site', 'same-site', 'unknown']) {
    const refused = await person.get('/api/me/export', { 'sec-fetch-site': site });
    expect([refused.status, await refused.json()]).toMatchObject([403, { code: 'forbidden' }]);
  }
  const { rows } = await server.database.query('select 1 from rate_limits where key = $1', [
    `export:${person.id}`,
  ]);
  expect(rows).toEqual([]);
  for (const site of ['same-origin', 'none']) {
    const allowed = await person.get('/api/me/export', { 'sec-fetch-site': site });
    expect([allowed.status, unzip(Buffer.from(await allowed.arrayBuffer())).size]).toEqual([200, 4]);
  }
});

test.runIf(soak)('a person can run one download at a time; refused ones are not counted', async () => {
  const person = await createPerson(server, { plan: 'pro' });
  // More than the socket buffers hold, so that the download stays open while nobody reads it.
  await fill(person, 100, 3_000);
  const abort = new AbortController();
  const first = await fetch(`${server.url}/api/me/export`, {
    headers: { cookie: person.cookie },
    signal: abort.signal,
  });
  expect(first.status).toBe(200);
  for (let count = 0; count < 6; count++) {
    const second = await person.get('/api/me/export');
    expect([second.status, await second.json()]).toMatchObject([
      409,
      { code: 'conflict', error: expect.stringContaining('already downloading') },
    ]);
  }
  const otherPerson = await createPerson(server);
  expect((await downloadArchive(otherPerson)).response.status).toBe(200);
  abort.abort();
  await eventually(async () => {
    const next = await person.get('/api/me/export');
    await next.body?.cancel();
    return next.status === 200;
  });
});

test('every invariant holds', () => expectConsistent(server));
