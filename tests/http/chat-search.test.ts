import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { chatLimits, type SearchHit } from '#features/chat/contract.ts';
import { expectConsistent } from '../support/consistency.ts';
import { client, createPeople, createPerson, type Person } from '../support/people.ts';
import type { TestServer } from '../support/server.ts';
import { borrowServer } from '../support/shared-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await borrowServer(inject('servers'));
});
afterAll(() => server.stop());

/** Inserts a chat with these texts as consecutive messages; returns its id and theirs. */
async function chatOf(
  person: Person,
  texts: string[],
  { title = 'Some chat', hoursAgo = 0 } = {},
): Promise<{ id: string; messages: string[] }> {
  const id = randomUUID();
  const messages = texts.map(() => randomUUID());
  await server.database.query(
    `insert into chat_sessions (id, user_id, title, updated_at)
     values ($1, $2, $3, app_now() - $4::int * interval '1 hour')`,
    [id, person.id, title, hoursAgo],
  );
  await server.database.query(
    `insert into chat_messages (id, session_id, parent_id, role, content)
     select m.id, $1, lag(m.id) over (order by place), 'user', m.text
       from unnest($2::uuid[], $3::text[]) with ordinality as m(id, text, place) order by place`,
    [id, messages, texts],
  );
  return { id, messages };
}

async function find(person: Pick<Person, 'get'>, text: string): Promise<SearchHit[]> {
  const response = await person.get(`/api/search?q=${encodeURIComponent(text)}`);
  expect(response.status, text).toBe(200);
  return ((await response.json()) as { hits: SearchHit[] }).hits;
}

const textOf = (pieces: SearchHit['excerpt']) => pieces.map(({ text }) => text).join('');
const hitsOf = (pieces: SearchHit['excerpt']) => pieces.filter(({ hit }) => hit).map(({ text }) => text);

describe('search', () => {
  test('finds all words in any order, the last one as a prefix, and marks them', async () => {
    const person = await createPerson(server, { plan: 'pro' });
    const { id, messages } = await chatOf(person, [
      'The lighthouse keeper of Utö counts ships.',
      'Nothing of it here.',
      'Ships pass the LIGHTHOUSE at night; a lighthouses is no word.',
    ]);
    const hits = await find(person, 'ships lighthou');
    expect(hits.map(({ messageId }) => messageId)).toEqual([messages[2], messages[0]]);
    expect(hits[0]).toMatchObject({ chatId: id, role: 'user', title: [{ text: 'Some chat', hit: false }] });
    expect(hitsOf(hits[0]?.excerpt ?? [])).toEqual(['Ships', 'LIGHTHOUSE', 'lighthouses']);
    expect(textOf(hits[1]?.excerpt ?? [])).toContain('keeper of Utö counts');
    expect((await find(person, 'utö')).map(({ messageId }) => messageId)).toEqual([messages[0]]);
    expect(await find(person, 'ships absent')).toEqual([]);
  });

  test('shows all hits of a chat if few chats match, in one line without Markdown characters', async () => {
    const person = await createPerson(server, { plan: 'pro' });
    const { messages } = await chatOf(
      person,
      Array.from({ length: 12 }, (_, at) => `## Part ${at}\n\nThe **quince** is | ripe |`),
    );
    const hits = await find(person, 'quince');
    expect(hits.map(({ messageId }) => messageId)).toEqual(messages.toReversed());
    expect(hits.map(({ excerpt }) => textOf(excerpt)).join()).not.toMatch(/[*#|]/);
  });

  test('finds parts of words only if no message has the words themselves', async () => {
    const person = await createPerson(server, { plan: 'pro' });
    const { messages } = await chatOf(person, ['a ship at sea', 'shipping by sea', 'overseas trade']);
    const ids = async (text: string) => (await find(person, text)).map(({ messageId }) => messageId);
    // Only the last word of a query matches as a prefix.
    expect(await ids('ship sea')).toEqual([messages[0]]);
    expect(await ids('sea ship')).toEqual([messages[1], messages[0]]);
    const [part, ...others] = await find(person, 'hipp sea');
    expect([part?.messageId, others]).toEqual([messages[1], []]);
    expect(hitsOf(part?.excerpt ?? [])).toEqual(['hipp', 'sea']);
    expect(await ids('verse')).toEqual([messages[2]]);
  });

  test('finds and marks words in paths, file names, URLs and tags', async () => {
    const person = await createPerson(server, { plan: 'pro' });
    const texts = [
      'Look at src/features/harbour-map/tide_table.server.ts, please.',
      'See https://www.lantern.example:8080/docs/fog-horn.html?lamp=oil&wick=long#glass now',
      'Write to first.mate@beacon.example or C:\\Users\\purser\\ledger.csv',
      '<section class="quayside">mooring</section> &amp; +44 v2.71.3 ~/anchor',
    ];
    const { messages } = await chatOf(person, texts);
    for (const [query, index, hits] of [
      ['harbour', 0, ['harbour']],
      ['tabl', 0, ['table']],
      ['features/harbour', 0, ['features', 'harbour']],
      ['harbour-map/tide_table', 0, ['harbour', 'map', 'tide', 'table']],
      ['server please', 0, ['server', 'please']],
      ['tide_table.server.ts', 0, ['tide', 'table', 'server', 'ts']],
      ['lantern', 1, ['lantern']],
      ['8080', 1, ['8080']],
      ['horn html', 1, ['horn', 'html']],
      ['https://www.lantern.example', 1, ['https', 'www', 'lantern', 'example']],
      ['wick', 1, ['wick']],
      ['beacon', 2, ['beacon']],
      ['mate@beacon', 2, ['mate', 'beacon']],
      ['purser', 2, ['purser']],
      ['USERS\\purs', 2, ['Users', 'purser']],
      ['quayside', 3, ['quayside']],
      ['moor', 3, ['mooring']],
      ['44', 3, ['44']],
      // No word there starts with 2, so it is found as a part of a word.
      ['2.71', 3, ['2.71']],
      ['anchor', 3, ['anchor']],
    ] as const) {
      const found = await find(person, query);
      expect(
        found.map(({ messageId }) => messageId),
        query,
      ).toEqual([messages[index]]);
      expect(hitsOf(found[0]?.excerpt ?? []), query).toEqual(hits);
      // The excerpt keeps the characters between the words.
      expect(textOf(found[0]?.excerpt ?? []), query).toBe(texts[index]);
    }
    // Words that were typed joined match only when they are joined.
    expect(await find(person, 'features/tide')).toEqual([]);
    expect(await find(person, 'html.horn')).toEqual([]);
    expect(await find(person, 'features tide')).toHaveLength(1);
    // Here too only the last word matches as a prefix.
    const { messages: short } = await chatOf(person, ['src/tid']);
    expect((await find(person, 'tid src')).map(({ messageId }) => messageId)).toEqual(short);
    expect((await find(person, 'src tid')).map(({ messageId }) => messageId)).toEqual([
      ...short,
      messages[0],
    ]);
  });

  test('shows the surroundings of a path in a long text', async () => {
    const person = await createPerson(server, { plan: 'pro' });
    const long = `${'src and keel '.repeat(5_000)}so src/keel.ts it is${' padding'.repeat(900)}`;
    await chatOf(person, [long]);
    const [hit] = await find(person, 'src/keel');
    expect(textOf(hit?.excerpt ?? [])).toContain('so src/keel.ts it is');
  });

  test('finds titles by a part of them, before messages, newest first', async () => {
    const person = await createPerson(server, { plan: 'pro' });
    const older = await chatOf(person, ['about a harbour'], { title: 'Über den Hafen', hoursAgo: 5 });
    const newer = await chatOf(person, ['other'], { title: 'hafenarbeit', hoursAgo: 1 });
    const inMessage = await chatOf(person, ['Der Hafen ruht.'], { hoursAgo: 9 });
    const hits = await find(person, 'HAFEN');
    expect(hits.map(({ chatId, messageId }) => [chatId, messageId])).toEqual([
      [newer.id, null],
      [older.id, null],
      [inMessage.id, inMessage.messages[0]],
    ]);
    expect(hits.slice(0, 2).map(({ title }) => hitsOf(title))).toEqual([['hafen'], ['Hafen']]);
    expect((await find(person, 'über den')).map(({ chatId }) => chatId)).toEqual([older.id]);
  });

  test('finds text without spaces, symbols and emoji by a part of it', async () => {
    const person = await createPerson(server, { plan: 'pro' });
    const { messages } = await chatOf(person, [
      '東京都の天気は晴れです',
      'สวัสดีครับ',
      'so be it 🎉🎉',
      'a => b !== c',
    ]);
    for (const [text, index, hit] of [
      ['天気', 0, '天気'],
      ['ครับ', 1, 'ครับ'],
      ['🎉', 2, '🎉'],
      ['!==', 3, '!=='],
    ] as const) {
      const hits = await find(person, text);
      expect(
        hits.map(({ messageId }) => messageId),
        text,
      ).toEqual([messages[index]]);
      expect(hitsOf(hits[0]?.excerpt ?? [])).toContain(hit);
    }
    expect(await find(person, '天気 京都 雨')).toEqual([]);
    expect(await find(person, '都の 晴れ')).toHaveLength(1);
  });

  test('finds words of one and two letters: Latin ones at the start of a word, others anywhere', async () => {
    const person = await createPerson(server, { plan: 'pro' });
    const { messages } = await chatOf(person, [
      'What an AI says of “ux” and of wrizql',
      '我们今天讨论潮汐和AI',
      'ไทย',
      '使用PC技术',
    ]);
    const found = async (text: string) => (await find(person, text)).map(({ messageId }) => messageId);
    expect(await found('ai')).toEqual([messages[0]]);
    expect(await found('ux')).toEqual([messages[0]]);
    expect(await found('AI ux')).toEqual([messages[0]]);
    expect(await found('zq')).toEqual([]);
    expect(await found('pc')).toEqual([messages[3]]);
    expect(await found('PC 技术')).toEqual([messages[3]]);
    expect(await found('潮汐')).toEqual([messages[1]]);
    expect(await found('汐')).toEqual([messages[1]]);
    expect(await found('ทย')).toEqual([messages[2]]);
    expect(await found('潮雨')).toEqual([]);
    expect(await found('雨')).toEqual([]);
  });

  test('reads no messages for words of two letters that occur nowhere', async () => {
    for (const [condition, index] of [
      [`may_begin_word(content, 'zq')`, 'chat_messages_parts'],
      [`may_hold_unspaced(content, '潮雨')`, 'chat_messages_unspaced_parts'],
    ] as const) {
      const tx = await server.database.connect();
      try {
        await tx.query('begin; set local enable_seqscan = off; set local enable_indexscan = off');
        const { rows } = await tx.query(`explain select id from chat_messages where ${condition}`);
        const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
        expect(plan).toContain(index);
        expect(plan).not.toContain('Filter');
      } finally {
        await tx.query('rollback');
        tx.release();
      }
    }
  });

  test('shows the surroundings of the hit in a long text, and treats any text', async () => {
    const person = await createPerson(server, { plan: 'pro' });
    const long = `${'padding '.repeat(9_000)}the needle is here${' padding'.repeat(900)}`;
    await chatOf(person, [long, '\u0002forged\u0003 needle <b>bold</b> \u0002x']);
    await chatOf(person, [`alpha ${'far away '.repeat(200)} omega`], { hoursAgo: 1 });
    const [spread] = await find(person, 'omega alpha');
    expect(hitsOf(spread?.excerpt ?? [])).toEqual(['omega']);
    expect(textOf(spread?.excerpt ?? [])).toContain('far away omega');
    const [forged, distant] = await find(person, 'needle');
    expect(textOf(distant?.excerpt ?? [])).toContain('the needle is here');
    expect(textOf(distant?.excerpt ?? []).length).toBeLessThan(600);
    expect(hitsOf(forged?.excerpt ?? [])).toEqual(['needle']);
    expect(textOf(forged?.excerpt ?? [])).toMatch(/^forged needle/);
  });

  test('answers every input', async () => {
    const person = await createPerson(server, { plan: 'pro' });
    const word = 'harmless';
    const { messages } = await chatOf(person, [`${word} text`]);
    const inputs = [
      '',
      ' ',
      "'",
      "''",
      '"',
      '\\',
      "\\'",
      '&',
      '|',
      '!',
      '!!',
      '<->',
      ':*',
      ':',
      '()',
      ')(',
      '( &',
      'a & | b',
      '\0',
      `${word}\0`,
      '%',
      '_',
      '%%',
      '*',
      '?',
      '[',
      ']',
      '{1',
      '+',
      '^$',
      '\\m',
      '\\',
      "'; drop table users; --",
      'a'.repeat(200),
      'a'.repeat(5_000),
      "'".repeat(300),
      `${'x '.repeat(150)}`,
      '💥'.repeat(150),
      `${'x'.repeat(199)}💥`,
      '\u202e',
      '\ud800',
      'ﷺ',
      'İ',
      'ß',
      '\u0301',
      '\u0002',
      '\u0003',
      '<b>',
      '</script>',
      'http://x.test/?a=b',
      'a@b.test',
      'a-b-c',
      'C++',
      '.NET',
      '1.5e3',
      '-1',
      'null',
      'undefined',
      '__proto__',
    ];
    for (const [index, input] of inputs.entries()) {
      // Resets the limit of 60 searches a minute.
      if (index % 50 === 49) await server.database.query(`delete from rate_limits where key like 'search:%'`);
      const raw = await person.get(`/api/search?q=${encodeURIComponent(input.toWellFormed())}`);
      expect(raw.status, JSON.stringify(input)).toBe(200);
    }
    for (const query of ['', 'q=%ff%fe', 'q=a&q=b', 'q[]=a', 'q=%00'])
      expect((await person.get(`/api/search?${query}`)).status, query).toBe(200);
    await server.database.query(`delete from rate_limits where key like 'search:%'`);
    for (const input of [`"${word}"`, `${word}!`, `(${word})`, `'${word}`, `${word} & text`, `${word}\\`])
      expect(
        (await find(person, input)).map(({ messageId }) => messageId),
        input,
      ).toEqual(messages);
  });

  test('returns at most thirty hits, and a few per chat', async () => {
    const person = await createPerson(server, { plan: 'pro' });
    for (let count = 0; count < 12; count++) {
      await chatOf(
        person,
        Array.from({ length: 8 }, (_, place) => `shared ${place}`),
        { hoursAgo: count },
      );
    }
    const hits = await find(person, 'shared');
    expect(hits).toHaveLength(chatLimits.searchHits);
    expect(new Set(hits.map(({ chatId }) => chatId)).size).toBe(6);
    expect(textOf(hits[0]?.excerpt ?? [])).toBe('shared 7');
  });

  test('does not find chats of other people, or deleted ones', async () => {
    const [owner, otherPerson] = [await createPerson(server), await createPerson(server)];
    const secret = `secret${randomUUID().slice(0, 8)}`;
    const { id, messages } = await chatOf(owner, [`the ${secret} word`], { title: `Title ${secret}` });
    expect((await find(owner, secret)).map(({ messageId }) => messageId)).toEqual([null, messages[0]]);
    expect(await find(otherPerson, secret)).toEqual([]);
    expect((await client(server).get(`/api/search?q=${secret}`)).status).toBe(401);
    await owner.send('DELETE', `/api/chats/${id}`);
    expect(await find(owner, secret)).toEqual([]);
  });

  test('counts once, and not at all if it is refused during another search', async () => {
    const person = await createPerson(server);
    const counted = async () =>
      (
        await server.database.query<{ count: number }>('select count from rate_limits where key = $1', [
          `search:${person.id}`,
        ])
      ).rows[0]?.count;
    expect((await person.get('/api/search?q=habit')).status).toBe(200);
    expect(await counted()).toBe(1);
    const other = await server.database.connect();
    try {
      await other.query('begin');
      await other.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`search:${person.id}`]);
      const refused = await person.get('/api/search?q=habit');
      expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '1']);
    } finally {
      await other.query('rollback');
      other.release();
    }
    expect(await counted()).toBe(1);
    expect((await person.get('/api/library?q=habit')).status).toBe(200);
    expect(await counted()).toBe(2);
  });

  test('is limited to sixty a minute for each person', async () => {
    const [person, other] = await createPeople(server, 2);
    for (let count = 0; count < 60; count += 1)
      expect((await person?.get('/api/search?q=x'))?.status).toBe(200);
    const refused = await person?.get('/api/search?q=x');
    expect(refused?.status).toBe(429);
    expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await other?.get('/api/search?q=x'))?.status).toBe(200);
  });
});

test('the longest possible messages can be stored', async () => {
  const person = await createPerson(server, { plan: 'pro' });
  const astral = (n: number) => String.fromCodePoint(0x20000 + n);
  const texts = [
    Array.from({ length: 25_000 }, (_, n) => `${astral(n)}-${astral(n + 1)}`).join(' '),
    Array.from({ length: 30_000 }, (_, n) => `${astral(n % 40_000)}.${n}`).join('/'),
    Array.from({ length: 60_000 }, (_, n) => astral(n % 40_000)).join('-'),
    'x'.repeat(260_000),
    Array.from({ length: 20_000 }, (_, n) => `a${n}.example.com/${n}`).join(' '),
    Array.from({ length: 20_000 }, (_, n) => `u${n}@h${n}.test`).join(' '),
  ];
  const { messages } = await chatOf(person, texts);
  const { rows } = await server.database.query('select id from chat_messages where id = any($1::uuid[])', [
    messages,
  ]);
  expect(rows).toHaveLength(texts.length);
});

test('every invariant holds', () => expectConsistent(server));
