import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { TextDetail } from '#features/texts/contract.ts';
import { downloadArchive } from '../support/archive.ts';
import { openChat, send, uniqueWord } from '../support/chat.ts';
import { bytesOf, drawImages, gallery, quick } from '../support/images.ts';
import { chatgptChat, chatgptHistory, importFile, zipped } from '../support/imports.ts';
import { createPerson, type Person } from '../support/people.ts';
import type { TestServer } from '../support/server.ts';
import { borrowServer } from '../support/shared-server.ts';
import { soak } from '../support/soak.ts';
import { seedWork } from '../support/works.ts';

let server: TestServer;
beforeAll(async () => {
  server = await borrowServer(inject('servers'));
});
afterAll(() => server.stop());

const chatsOf = async (person: Person) =>
  ((await (await person.get('/api/chats')).json()) as { chats: { id: string; title: string }[] }).chats;

async function failureOf(file: Buffer | string, name = 'export.zip') {
  const person = await createPerson(server);
  const { state, failure, added } = await importFile(server, person, file, name);
  expect([state, added, await chatsOf(person)]).toEqual(['failed', 0, []]);
  return failure;
}

/** Returns an archive with a chat history whose bytes `change` may modify. */
async function forgedArchive(change: (archive: Buffer) => void): Promise<Buffer> {
  const text = JSON.stringify(chatgptHistory(uniqueWord()));
  const archive = await zipped({ 'aa/conversations.json': text });
  change(archive);
  return archive;
}

const replaceAllIn = (archive: Buffer, from: string, to: string) => {
  for (let at = archive.indexOf(from); at >= 0; at = archive.indexOf(from, at + 1))
    archive.write(to, at, 'latin1');
};

describe('an invalid history is refused with a reason', () => {
  test.each([
    ['<!doctype html><title>ChatGPT</title>', 'not_json'],
    ['"conversations"', 'not_json'],
    ['[{"mapping": {}', 'not_json'],
    ['\0\0\0\0', 'not_json'],
    ['[]', 'unknown'],
    ['{}', 'unknown'],
    ['[null, 1, "x", [], {"mapping": 3}, {"chat_messages": {}}]', 'unknown'],
    ['{"chats": [{"messages": "none"}], "conversations": [{}]}', 'unknown'],
    [`[${'['.repeat(100_000)}${']'.repeat(100_000)}]`, 'unknown'],
    [`${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`, 'unknown'],
  ])('%.60s', async (text, failure) => {
    expect(await failureOf(text, 'conversations.json')).toBe(failure);
  });

  test('an archive that is truncated, without a history, encrypted, or with paths that lead outside', async () => {
    const intact = await forgedArchive(() => undefined);
    expect(await failureOf(intact.subarray(0, intact.length - 60))).toBe('damaged');
    expect(await failureOf(await zipped({ 'chat.html': '<html></html>' }))).toBe('unknown');
    const encrypted = await forgedArchive((archive) => {
      archive[archive.indexOf('PK\x01\x02', 0, 'latin1') + 8]! |= 1;
    });
    expect(await failureOf(encrypted)).toBe('encrypted');
    expect(await failureOf(await forgedArchive((archive) => replaceAllIn(archive, 'aa/', '../')))).toBe(
      'unsafe',
    );
    expect(await failureOf(await forgedArchive((archive) => replaceAllIn(archive, 'aa/', '/a/')))).toBe(
      'unsafe',
    );
    const wrongSum = await forgedArchive((archive) => {
      archive[archive.indexOf('PK\x01\x02', 0, 'latin1') + 16]! ^= 0xff;
    });
    expect(await failureOf(wrongSum)).toBe('damaged');
  });

  test.runIf(soak)('more messages than the limit of an import, before any is stored', async () => {
    const messages = Array.from({ length: 10_000 }, (_, at) => ({
      sender: at % 2 ? 'assistant' : 'human',
      text: 'x',
    }));
    const chats = Array.from({ length: 21 }, (_, at) => ({ uuid: `c${at}`, chat_messages: messages }));
    expect(await failureOf(JSON.stringify(chats), 'conversations.json')).toBe('too_many');
  });
});

test.runIf(soak)('a cyclic or endless chat is left out and counted; the others are imported', async () => {
  const person = await createPerson(server);
  const node = (id: string, parent: string | null, role = 'user') => ({ id, parent, role, parts: [id] });
  const chats = [
    chatgptChat({}, [node('a', 'b'), node('b', 'c', 'assistant'), node('c', 'a')]),
    { uuid: 'long', chat_messages: Array.from({ length: 31_000 }, () => ({ sender: 'human', text: '' })) },
    chatgptChat(
      {},
      Array.from({ length: 10_001 }, (_, at) =>
        node(`n${at}`, at ? `n${at - 1}` : null, at % 2 ? 'assistant' : 'user'),
      ),
    ),
    chatgptChat({ title: 'Orphans' }, [
      node('q', 'gone'),
      node('r', 'q', 'assistant'),
      node('alone', 'nobody'),
    ]),
  ];
  const done = await importFile(server, person, JSON.stringify(chats));
  expect(done).toMatchObject({ state: 'done', added: 1, leftOut: { chats: 3 } });
  const [chat] = await chatsOf(person);
  expect(chat?.title).toBe('Orphans');
  const { messages } = await openChat(person, chat?.id ?? '');
  expect(messages[0]?.content).toBe('alone');
  expect(messages[0]?.versions).toHaveLength(2);
});

test.runIf(soak)(
  'a message with a million files and kinds lists some of them, within the length of a message',
  async () => {
    const person = await createPerson(server);
    const files = `[{"name": "${'n'.repeat(100_000)}"}${',{}'.repeat(1_000_000)}]`;
    const kinds = Array.from({ length: 50_000 }, (_, at) => `{"content_type": "k${at}"}`).join();
    const text = `[{"id": "many", "title": "${'t'.repeat(100_000)}", "mapping": {"q": {"parent": null, "message": {
    "author": {"role": "user"}, "metadata": {"attachments": ${files}},
    "content": {"content_type": "text", "parts": ["${'w'.repeat(300_000)}", ${kinds}]}}}}}]`;
    const done = await importFile(server, person, text);
    expect(done).toMatchObject({
      state: 'done',
      added: 1,
      leftOut: { files: 1_000_001, other: 50_000, cut: 1 },
    });
    const [chat] = await chatsOf(person);
    const content = (await openChat(person, chat?.id ?? '')).messages[0]?.content ?? '';
    expect(content).toHaveLength(250_000);
    const [firstPart, ...notes] = content.split('\n\n');
    expect(firstPart).toMatch(/^w+$/);
    expect(notes).toHaveLength(40);
    expect(notes[0]).toBe(`(File not imported: ${'n'.repeat(200)})`);
  },
);

test('prototype names, NUL, lone surrogates and wrong types do no harm', async () => {
  const person = await createPerson(server);
  const mapping = `{"__proto__": {"parent": null, "message": {"author": {"role": "user"}, "create_time": 1,
      "content": {"content_type": "text", "parts": ["a\\u0000b\\ud800c"]}}},
    "constructor": {"parent": "__proto__", "message": {"author": {"role": "assistant"}, "create_time": 1e300,
      "content": {"content_type": "text", "parts": ["<script>alert(1)</script>", {"text": ["x"]}, 7, null]}}},
    "toString": {"parent": ["x"], "message": {"author": "user", "content": "x", "metadata": 3}}}`;
  const text = `[{"id": "x", "title": {"__proto__": {"polluted": 1}}, "create_time": "soon", "update_time": -5,
    "mapping": ${mapping}, "current_node": {"a": 1}, "__proto__": {"title": "No"}}]`;
  const done = await importFile(server, person, text);
  expect(done).toMatchObject({ state: 'done', added: 1, leftOut: { other: 1 } });
  const [chat] = await chatsOf(person);
  expect(chat?.title).toBe('ab\ufffdc');
  const { messages } = await openChat(person, chat?.id ?? '');
  expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant']);
  expect(messages[1]?.content).toContain('<script>alert(1)</script>');
});

test('an id of another person’s chat in a file gives no access to it', async () => {
  const [person, other] = [await createPerson(server), await createPerson(server)];
  const foreignChat = await send(other, `${uniqueWord()} [[tps:0]] [[first:0]]`);
  const file = {
    chats: [
      {
        id: foreignChat.chatId,
        title: 'Taken over',
        createdAt: '2024-01-01T00:00:00.000Z',
        updatedAt: '2024-01-01T00:00:00.000Z',
        messages: [
          {
            id: foreignChat.body.message.id,
            parentId: null,
            role: 'user',
            content: 'Mine',
            createdAt: '2024-01-01T00:00:00.000Z',
          },
          {
            id: foreignChat.body.reply.id,
            parentId: foreignChat.body.message.id,
            role: 'assistant',
            content: 'Yours',
            createdAt: '2024-01-01T00:00:01.000Z',
          },
        ],
      },
    ],
  };
  expect(await importFile(server, person, JSON.stringify(file))).toMatchObject({ state: 'done', added: 1 });
  const [chat] = await chatsOf(person);
  expect(chat?.title).toBe('Taken over');
  expect(chat?.id).not.toBe(foreignChat.chatId);
  const ids = (await openChat(person, chat?.id ?? '')).messages.map(({ id }) => id);
  expect(ids).not.toContain(foreignChat.body.message.id);
  expect((await openChat(other, foreignChat.chatId)).messages[0]?.content).not.toBe('Mine');
});

const at = '2024-01-01T00:00:00.000Z';
const ownText = (fields: object = {}) => ({
  ...{
    id: randomUUID(),
    tool: 'writer',
    title: 'T',
    author: null,
    createdAt: at,
    updatedAt: at,
    deletedAt: null,
  },
  versions: [{ id: randomUUID(), kind: 'edited', settings: {}, content: 'Words', note: null, createdAt: at }],
  ...fields,
});
const ownSet = (file: string, fields: object = {}) => ({
  ...{ id: randomUUID(), prompt: `A ${file}`, size: '512x512', count: 1, model: 'm', createdAt: at },
  pictures: [{ id: randomUUID(), createdAt: at, deletedAt: null, file }],
  ...fields,
});
const archiveOf = (lists: object, files: Record<string, Buffer | string> = {}) =>
  zipped({ 'export.json': JSON.stringify({ version: 1, chats: [], ...lists }), ...files });
const workOf = async (person: Person, id: string) =>
  (await (await person.get(`/api/works/${id}`)).json()) as TextDetail;

/** @returns the new tag's id */
async function seedTag(
  { id }: Person,
  name: string,
  items: { kind: string; id: string }[] = [],
): Promise<string> {
  const { rows } = await server.database.query<{ id: string }>(
    'insert into tags (id, user_id, name, key) values (gen_random_uuid(), $1, $2, lower($2)) returning id',
    [id, name],
  );
  const tagId = rows[0]?.id ?? '';
  for (const item of items)
    await server.database.query(
      'insert into tagged_items (tag_id, user_id, kind, item_id) values ($1, $2, $3, $4)',
      [tagId, id, item.kind, item.id],
    );
  return tagId;
}

describe('an archive in our own format', () => {
  test('X-A27: invalid, too large or missing images are left out, and valid ones are encoded anew', async () => {
    const person = await createPerson(server);
    const plain = (side: number) =>
      sharp({ create: { width: side, height: 40, channels: 3, background: '#135' } })
        .png()
        .toBuffer();
    const real = await plain(40);
    const bomb = Buffer.from(await plain(40));
    // The header says 60,000 × 60,000 pixels (RFC 2083, 4.1.1).
    bomb.writeUInt32BE(60_000, 16);
    bomb.writeUInt32BE(60_000, 20);
    const files = {
      'images/real.png': real,
      'images/page.png': '<!doctype html><script>alert(1)</script>',
      'images/drawing.png': '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>',
      'images/bomb.png': bomb,
      'images/padded.png': Buffer.concat([real, Buffer.alloc(9 * 1024 * 1024)]),
    };
    const images = [
      ...Object.keys(files).map((name) => ownSet(name)),
      ...['images/none.png', '/etc/passwd', 'export.json'].map((name) => ownSet(name)),
      ...[{ size: '9x9' }, { prompt: ' ' }, { prompt: ['x'] }].map((fields) =>
        ownSet('images/real.png', fields),
      ),
      ...[
        null,
        7,
        [],
        { id: {} },
        ownSet('', { pictures: 'x' }),
        ownSet('', { pictures: [null, { id: 1 }] }),
      ],
    ];
    const done = await importFile(server, person, await archiveOf({ images }, files), 'a.zip');
    expect(done).toMatchObject({ state: 'done', items: { image: { added: 1 } }, leftOut: { images: 14 } });
    const { jobs } = await gallery(person);
    expect(jobs).toMatchObject([{ prompt: 'A images/real.png', imported: true }]);
    const bytes = await bytesOf(person, jobs[0]?.pictures[0]?.id ?? '');
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'png', width: 512, height: 512 });
  });

  test('ids of other people give no access, and published items become private', async () => {
    const [person, other] = [await createPerson(server), await createPerson(server, { plan: 'pro' })];
    const foreignProject = (await (await other.send('POST', '/api/projects', { name: 'Secret' })).json()) as {
      id: string;
    };
    const work = await seedWork(server, other);
    const set = await drawImages(other, { prompt: `${quick} a boat`, size: '512x512' });
    const chat = {
      ...{
        id: randomUUID(),
        title: 'C',
        createdAt: at,
        updatedAt: at,
        pinnedAt: at,
        projectId: foreignProject.id,
      },
      ...{ ownAssistantId: work.work, model: 'no/such', comparedModel: { a: 1 } },
      messages: [
        { id: 'q', parentId: null, role: 'user', content: 'Draw', createdAt: at, rating: { good: true } },
        {
          ...{ id: 'r', parentId: 'q', role: 'assistant', content: '', createdAt: at },
          ...{
            imageIds: [set.pictures[0]?.id],
            rating: { good: false, reason: 'x' },
            assistantName: '<b>A</b>',
          },
        },
      ],
    };
    const lists = {
      works: [ownText({ id: work.work, title: '<img src=x onerror=alert(1)>' })],
      projects: [
        {
          id: foreignProject.id,
          name: 'Mine',
          instructions: 'i'.repeat(5_000),
          fileIds: [set.id],
          createdAt: at,
        },
      ],
      prompts: [
        {
          ...{
            id: randomUUID(),
            title: '<i>P</i>',
            description: '',
            content: 'Write about the sea at length',
          },
          ...{
            category: 'writing',
            state: 'approved',
            likes: 900,
            createdAt: at,
            updatedAt: at,
            slug: 'sea',
          },
        },
        { id: randomUUID(), title: 'Short', content: 'x', category: 'writing', createdAt: at },
        {
          id: randomUUID(),
          title: 'Odd',
          content: 'Write about the sea at length',
          category: 'root',
          createdAt: at,
        },
      ],
      chats: [{ ...chat, projectId: work.work }],
      shares: [{ url: 'https://example.com/s/x', chatId: chat.id, title: 'Public' }],
    };
    const done = await importFile(server, person, await archiveOf(lists), 'a.zip');
    expect(done).toMatchObject({
      ...{ state: 'done', added: 1, leftOut: { images: 1, prompts: 2 } },
      items: { text: { added: 1 }, project: { added: 1 }, prompt: { added: 1 } },
    });
    const { data } = await downloadArchive(person);
    expect(data.chats[0]).toMatchObject({
      projectId: null,
      ownAssistantId: null,
      model: null,
      comparedModel: null,
    });
    expect(data.chats[0]?.messages[1]).toMatchObject({ imageIds: [], assistantName: '<b>A</b>' });
    expect(data.chats[0]?.messages[1]?.content).toMatch(/image was not imported/);
    expect(data.works.map(({ id }) => id)).not.toContain(work.work);
    expect(data.projects[0]?.instructions).toHaveLength(1_500);
    expect(data.projects[0]?.id).not.toBe(foreignProject.id);
    expect(data.prompts).toMatchObject([{ title: '<i>P</i>', state: 'private', likes: 0 }]);
    expect(data.shares).toEqual([]);
    expect((await workOf(other, work.work)).title).toBe('A work');
    expect(
      ((await (await other.get(`/api/projects/${foreignProject.id}`)).json()) as { name: string }).name,
    ).toBe('Secret');
  });

  test('X-A23: settings and notes of wrong types are dropped, a long version is cut, and its page opens', async () => {
    const person = await createPerson(server);
    const settings = {
      type: { a: 1 },
      tone: '__proto__',
      length: 'long',
      prompt: ['x'],
      extra: 'x'.repeat(99),
    };
    const version = { id: 'v', kind: 'generated', createdAt: 'soon', note: { a: 1 }, settings };
    const works = [
      ownText({
        title: '<script>alert(1)</script>\0\ud800',
        author: 7,
        versions: [
          { ...version, content: '' },
          { ...version, content: 'x'.repeat(150_000) },
          { ...version, kind: 'root', content: ['x'] },
        ],
      }),
      ownText({
        tool: 'script',
        versions: [{ ...version, content: 'INT. SEA', settings: { characters: [1], minutes: 1e9 } }],
      }),
      ...[ownText({ tool: 'pdf' }), ownText({ versions: [] }), ownText({ id: null }), null, 'x'],
    ];
    const done = await importFile(server, person, await archiveOf({ works }), 'a.zip');
    expect(done).toMatchObject({
      state: 'done',
      items: { text: { added: 2 } },
      leftOut: { cut: 1, texts: 4 },
    });
    const { data } = await downloadArchive(person);
    expect(
      data.works.map(({ versions }) =>
        versions.map((each) => [each.kind, each.settings, each.content.length]),
      ),
    ).toEqual([[['generated', { length: 'long' }, 100_000]], [['generated', {}, 8]]]);
    expect(data.works[0]).toMatchObject({ title: '<script>alert(1)</script>\ufffd', author: null });
    for (const { id, tool } of data.works) {
      const page = await person.get(`/tools/${tool}/${id}`);
      expect([page.status, (await page.text()).includes('<script>alert(1)')], tool).toEqual([200, false]);
    }
  });

  test.runIf(soak)(
    'tags follow the rules of tags, apply only to own items, and respect all three limits',
    async () => {
      const [person, other] = [await createPerson(server), await createPerson(server)];
      const name = (text: string) => person.send('POST', '/api/library/tags', { name: text });
      const ownTag = (await (await name('Café')).json()) as { id: string };
      const [ownWork, full] = [(await seedWork(server, person)).work, (await seedWork(server, person)).work];
      for (let place = 0; place < 95; place++)
        await seedTag(person, `Own ${place}`, place < 20 ? [{ kind: 'writer', id: full }] : []);
      const foreign = [(await seedWork(server, other)).work, await seedTag(other, 'Theirs')] as const;
      const text = ownText();
      const tag = (fields: object) => ({ id: randomUUID(), name: 'x', createdAt: at, items: [], ...fields });
      const chats = (length: number) => Array.from({ length }, (_, id) => ({ kind: 'chat', id: `${id}` }));
      const tags = [
        tag({ id: foreign[1], name: ' CAFE\u0301 \u202e', items: [{ kind: 'writer', id: text.id }] }),
        tag({
          ...{ name: 'Odd', createdAt: '9999-01-01' },
          items: [
            ...[
              null,
              1,
              'x',
              [],
              {},
              { kind: 'writer' },
              { kind: {}, id: text.id },
              { kind: 'root', id: text.id },
            ],
            ...[
              { kind: 'writer', id: foreign[0] },
              { kind: 'chat', id: ownWork },
              { kind: '__proto__', id: ownWork },
            ],
            ...[
              { kind: 'script', id: ownWork },
              { kind: 'writer', id: ownWork.toUpperCase() },
              { kind: 'writer', id: ownWork },
            ],
          ],
        }),
        ...['', '\u200b', 'x'.repeat(41), 7, null].map((each) => tag({ name: each })),
        ...[null, 7, [], tag({ id: { a: 1 } })],
        ...[tag({ name: 'Million', items: chats(1_000_000) }), tag({ name: 'Many', items: chats(20_000) })],
        ...['A', 'B', 'C'].map((each) => tag({ name: each, items: [{ kind: 'writer', id: full }] })),
        ...Array.from({ length: 200 }, () => tag({ name: 'More' })),
      ];
      const done = await importFile(server, person, await archiveOf({ works: [text], tags }), 'a.zip');
      expect(done).toMatchObject({
        ...{ state: 'done', items: { text: { added: 1 }, tag: { added: 4, present: 1 } } },
        leftOut: { tags: 211, taggings: 15_002 },
      });
      const { data } = await downloadArchive(person);
      expect(data.tags).toHaveLength(100);
      const idOf = (source: unknown) =>
        data.importedItems.find(({ sourceId }) => sourceId === source)?.itemId;
      const tagNamed = (tagName: string) => data.tags.find((each) => each.name === tagName);
      expect(tagNamed('Café')).toMatchObject({
        id: ownTag.id,
        items: [{ kind: 'writer', id: idOf(text.id) }],
      });
      expect(tagNamed('Odd')?.items).toEqual([{ kind: 'writer', id: ownWork }]);
      expect(tagNamed('Many')?.items).toEqual([]);
      expect((await downloadArchive(other)).data.tags).toMatchObject([{ id: foreign[1], items: [] }]);
    },
  );

  test('items beyond the limits of a person are counted, and an import beyond its limit stores nothing', async () => {
    const person = await createPerson(server);
    const projects = Array.from({ length: 53 }, (_, place) => ({
      id: `p${place}`,
      name: `P ${place}`,
      createdAt: at,
    }));
    const memory = {
      enabled: true,
      notes: Array.from({ length: 42 }, (_, place) => ({ id: `n${place}`, text: 'x' })),
    };
    const done = await importFile(server, person, await archiveOf({ projects, memory }), 'a.zip');
    expect(done).toMatchObject({
      items: { project: { added: 50 }, note: { added: 40 } },
      leftOut: { projects: 3, notes: 2 },
    });
    const notes = Array.from({ length: 20_001 }, (_, place) => ({ id: `m${place}`, text: 'x' }));
    expect(await failureOf(JSON.stringify({ memory: { notes } }), 'a.json')).toBe('too_many');
  });
});
