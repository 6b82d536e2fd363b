import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type ImportView, importLimits } from '#features/imports/contract.ts';
import { downloadArchive, exportSchema } from '../support/archive.ts';
import {
  gatewayLog,
  openChat,
  requestVersion,
  send,
  sendBody,
  uniqueWord,
  waitForEnd,
} from '../support/chat.ts';
import { untilWaiting } from '../support/gate.ts';
import {
  chatgptChat,
  chatgptHistory,
  claudeHistory,
  importFile,
  listImports,
  putPart,
  sendImport,
  waitForImport,
  zipped,
} from '../support/imports.ts';
import { createPerson, type Person } from '../support/people.ts';
import { eventually, type TestServer } from '../support/server.ts';
import { borrowServer } from '../support/shared-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await borrowServer(inject('servers'));
});
afterAll(() => server.stop());

const chatsOf = async (person: Pick<Person, 'get'>) =>
  (
    (await (await person.get('/api/chats')).json()) as {
      chats: { id: string; title: string; updatedAt: string }[];
    }
  ).chats;
const rolesAndTexts = (messages: { role: string; content: string }[]) =>
  messages.map(({ role, content }) => [role, content]);
const importHistory = (person: Person, value: unknown, name?: string) =>
  importFile(server, person, typeof value === 'string' ? value : JSON.stringify(value), name);

describe('a ChatGPT history', () => {
  test('becomes chats with their tree, order and times, at no cost', async () => {
    const person = await createPerson(server, { credits: 3 });
    const word = uniqueWord();
    const done = await importHistory(person, chatgptHistory(word));
    expect(done).toMatchObject({
      state: 'done',
      source: 'chatgpt',
      total: 2,
      added: 2,
      present: 0,
      failure: null,
    });
    expect(done.leftOut).toEqual({ hidden: 1, thinking: 1, tools: 2, images: 1, files: 1 });
    const [newest, older, ...more] = await chatsOf(person);
    expect(more).toEqual([]);
    expect(newest).toMatchObject({ title: `See this ${word}`, updatedAt: '2024-05-01T10:00:00.000Z' });
    expect(older).toMatchObject({ title: `Kestrel ${word}`, updatedAt: '2024-03-01T09:30:00.000Z' });

    const { messages } = await openChat(person, older?.id ?? '');
    expect(rolesAndTexts(messages)).toEqual([
      ['user', `What is a ${word}?`],
      ['assistant', `**${word}** is a bird.`],
    ]);
    expect(messages[0]?.createdAt).toBe('2024-03-01T09:00:00.000Z');
    const [shown, other] = messages[1]?.versions ?? [];
    expect(shown).toBe(messages[1]?.id);
    expect(messages[1]).toMatchObject({ state: 'done', generationId: null, creditsCharged: 0, model: null });
    const branch = await person.send('PUT', `/api/chats/${older?.id}/branch`, { messageId: other });
    expect(rolesAndTexts(((await branch.json()) as { messages: never[] }).messages)).toEqual([
      ['user', `What is a ${word}?`],
      ['assistant', 'A falcon.'],
      ['user', 'How fast?'],
      ['assistant', 'Let me see.\n\nAbout 65 km/h.'],
    ]);
    const [picture] = (await openChat(person, newest?.id ?? '')).messages;
    expect(picture?.content).toBe(
      `See this ${word}\n\n(1 image was not imported.)\n\n(File not imported: plan.pdf)`,
    );

    expect(await person.credits()).toBe(3);
    expect(await gatewayLog(server, word)).toEqual([]);
    const found = await (await person.get(`/api/search?q=${word}`)).json();
    expect(JSON.stringify(found)).toContain(older?.id);
  });

  test('can be continued like any other chat, and does not count against the daily limit', async () => {
    const person = await createPerson(server);
    const now = Date.now() / 1000;
    const chats = Array.from({ length: 5 }, (_, at) =>
      chatgptChat({ title: `Of today ${at}`, create_time: now, update_time: now + 86_400 * 400 }, [
        { id: 'q', parent: null, role: 'user', parts: ['Q'], at: new Date().toISOString() },
        { id: 'a', parent: 'q', role: 'assistant', parts: ['A'] },
      ]),
    );
    expect((await importHistory(person, chats)).added).toBe(5);
    const ownMessage = await send(person, `${uniqueWord()} [[tps:0]] [[first:0]]`);
    expect(ownMessage.status).toBe(202);
    await waitForEnd(person, ownMessage.body.generation.id);
    const imported = (await chatsOf(person)).find(({ title }) => title.startsWith('Of today'));
    expect(Date.parse(imported?.updatedAt ?? '')).toBeLessThanOrEqual(Date.now() + 5_000);
    const id = imported?.id ?? '';
    const next = await sendBody(person, id, { text: `Go on ${uniqueWord()} [[tps:0]] [[first:0]]` });
    expect((await waitForEnd(person, next.body.generation.id)).state).toBe('done');
    const { messages } = await openChat(person, id);
    const regenerated = await requestVersion(person, 'regenerate', id, messages[1]?.id ?? '');
    expect((await waitForEnd(person, regenerated.body.generation.id)).state).toBe('done');
  });

  test('gives the same result in an archive with several files', async () => {
    const person = await createPerson(server);
    const [one, other] = chatgptHistory(uniqueWord());
    const archive = await zipped({
      'user.json': '{}',
      'chat.html': '<html></html>',
      'export/conversations-000.json': JSON.stringify([one]),
      'export/conversations-001.json': JSON.stringify([other]),
    });
    const done = await importHistory(person, archive.toString('latin1'));
    expect(done).toMatchObject({ state: 'failed', failure: 'damaged' });
    expect(await importFile(server, person, archive, 'chatgpt.zip')).toMatchObject({
      state: 'done',
      added: 2,
    });
  });

  test('in an archive includes the images and files of its questions', async () => {
    const person = await createPerson(server);
    const word = uniqueWord();
    const chat = chatgptChat({}, [
      { id: 'r', parent: null },
      {
        id: 'q',
        parent: 'r',
        role: 'user',
        content: {
          content_type: 'multimodal_text',
          parts: [
            { content_type: 'image_asset_pointer', asset_pointer: 'file-service://file-Ab1' },
            { content_type: 'image_asset_pointer', asset_pointer: 'sediment://file_0002' },
            { content_type: 'image_asset_pointer', asset_pointer: 'file-service://file-broken' },
            { content_type: 'image_asset_pointer', asset_pointer: 'file-service://file-elsewhere' },
            { content_type: 'image_asset_pointer', asset_pointer: 'file-service://file-Ab1/../user.json' },
            `Look at these ${word}`,
          ],
        },
        metadata: {
          attachments: [
            // Some exports name images without their type; the message parts contain them too.
            { id: 'file-Ab1', name: 'cat.png' },
            { id: 'file_0002', name: 'b.png' },
            { id: 'file-plan', name: 'plan.txt', mime_type: 'text/plain' },
            { id: 'file-lost', name: 'lost.txt', mime_type: 'text/plain' },
          ],
        },
      },
      { id: 'a', parent: 'q', role: 'assistant', parts: ['I see.'] },
    ]);
    const create = { width: 12, height: 12, channels: 3, background: 'blue' } as const;
    const png = await sharp({ create }).png().toBuffer();
    const archive = await zipped({
      'conversations.json': JSON.stringify([chat]),
      'file-Ab1-cat.png': png,
      'user-x/file_0002.png': png,
      'file-broken-dog.png': Buffer.from([1, 2, 3]),
      'file-plan-plan.txt': 'Two boats.',
      'user.json': '{}',
    });
    const done = await importFile(server, person, archive, 'chatgpt.zip');
    expect(done).toMatchObject({ state: 'done', added: 1 });
    expect(done.leftOut).toEqual({ images: 2, files: 2 });
    const [found] = await chatsOf(person);
    const { messages } = await openChat(person, found?.id ?? '');
    expect(messages[0]?.attachments).toMatchObject([
      { kind: 'image', name: 'cat.png', width: 12 },
      { kind: 'image', name: 'file_0002.png' },
      { kind: 'text', name: 'plan.txt' },
    ]);
    expect(messages[0]?.content).toBe(
      `Look at these ${word}\n\n(2 images were not imported.)\n\n(File not imported: lost.txt)\n\n(File not imported: dog.png)`,
    );
    const again = await importFile(server, person, archive, 'chatgpt.zip');
    expect(again).toMatchObject({ added: 0, present: 1 });
  });
});

test('a Claude history becomes chats, with the text of its files', async () => {
  const person = await createPerson(server);
  const word = uniqueWord();
  const history = claudeHistory(word);
  const archive = await zipped({
    'conversations.json': JSON.stringify(history),
    'users.json': '[]',
    'projects.json': '[]',
  });
  const done = await importFile(server, person, archive, 'data.zip');
  expect(done).toMatchObject({ state: 'done', source: 'claude', total: 1, added: 1 });
  expect(done.leftOut).toEqual({ chats: 1, files: 1, thinking: 1, tools: 2 });
  const [chat] = await chatsOf(person);
  expect(chat).toMatchObject({ title: `Harbour ${word}`, updatedAt: '2024-06-01T08:10:00.123Z' });
  const { messages } = await openChat(person, chat?.id ?? '');
  const [notes] = messages[0]?.attachments ?? [];
  expect(notes).toMatchObject({ kind: 'text', name: 'notes.txt', textBytes: 13, note: null });
  expect(await (await person.get(`/api/files/${notes?.id}`)).text()).toBe('Tide at nine.');
  expect(rolesAndTexts(messages)).toEqual([
    [
      'user',
      `Read this about ${word}

(File not imported: harbour.png)`,
    ],
    ['assistant', 'I look it up.\n\nThe tide is at nine.'],
    ['user', 'Thanks'],
    ['assistant', 'Welcome.'],
  ]);
});

describe('a repeated import', () => {
  test('changes nothing and reports so; new chats are added', async () => {
    const person = await createPerson(server);
    const history = chatgptHistory(uniqueWord());
    await importHistory(person, history);
    const before = await chatsOf(person);
    expect(await importHistory(person, history)).toMatchObject({
      state: 'done',
      total: 2,
      added: 0,
      present: 2,
    });
    expect(await chatsOf(person)).toEqual(before);
    const more = [...history, ...chatgptHistory(uniqueWord())];
    expect(await importHistory(person, more)).toMatchObject({ total: 4, added: 2, present: 2 });
    expect(await chatsOf(person)).toHaveLength(4);
  });

  test('by another person creates their own chats', async () => {
    const history = chatgptHistory(uniqueWord());
    for (const person of [await createPerson(server), await createPerson(server)])
      expect(await importHistory(person, history)).toMatchObject({ added: 2, present: 0 });
  });

  test('restores chats that were deleted since', async () => {
    const person = await createPerson(server);
    const history = chatgptHistory(uniqueWord());
    await importHistory(person, history);
    const [chat] = await chatsOf(person);
    await person.send('DELETE', `/api/chats/${chat?.id}`);
    expect(await importHistory(person, history)).toMatchObject({ added: 1, present: 1 });
    expect(await chatsOf(person)).toHaveLength(2);
  });

  test('counts deleted chats as long as they are stored', async () => {
    const person = await createPerson(server);
    const history = chatgptHistory(uniqueWord());
    const bytes = async () => {
      const { rows } = await server.database.query<{ sum: number }>(
        'select sum(bytes)::int as sum from imported_chats where user_id = $1',
        [person.id],
      );
      return rows[0]?.sum ?? 0;
    };
    await importHistory(person, history);
    const once = await bytes();
    expect(once).toBeGreaterThan(0);
    for (const { id } of await chatsOf(person)) await person.send('DELETE', `/api/chats/${id}`);
    expect(await importHistory(person, history)).toMatchObject({ added: 2, present: 0 });
    expect(await bytes()).toBe(2 * once);
  });
});

describe('an import', () => {
  test('belongs to its person, runs one at a time, and needs its complete file', async () => {
    const [person, other] = [await createPerson(server), await createPerson(server)];
    const text = JSON.stringify(chatgptHistory(uniqueWord()));
    const startImport = (importer: Person, bytes = Buffer.byteLength(text)) =>
      importer.send('POST', '/api/imports', { name: 'conversations.json', bytes });
    const view = (await (await startImport(person)).json()) as ImportView;
    expect(view).toMatchObject({ state: 'uploading', total: null, finishedAt: null });
    expect((await person.send('POST', `/api/imports/${view.id}/start`)).status).toBe(409);
    const bytes = Buffer.from(text);
    expect((await putPart(server, other, view.id, 0, bytes)).status).toBe(404);
    expect((await putPart(server, person, view.id, 1, bytes)).status).toBe(400);
    expect((await putPart(server, person, view.id, 0, bytes.subarray(1))).status).toBe(400);
    expect((await putPart(server, person, view.id, 0, Buffer.concat([bytes, bytes]))).status).toBe(413);
    expect((await putPart(server, person, view.id, 0, bytes)).status).toBe(204);
    expect((await putPart(server, person, view.id, 0, bytes)).status).toBe(204);
    expect((await other.send('POST', `/api/imports/${view.id}/start`)).status).toBe(404);
    expect((await other.send('DELETE', `/api/imports/${view.id}`)).status).toBe(404);
    expect(await listImports(other)).toEqual([]);
    // A new import replaces one that was not finished.
    const next = (await (await startImport(person)).json()) as ImportView;
    expect((await listImports(person)).map(({ id }) => id)).toEqual([next.id]);
    expect((await person.send('DELETE', `/api/imports/${next.id}`)).status).toBe(204);
    expect(await listImports(person)).toEqual([]);
    expect((await startImport(person, 1024 ** 3)).status).toBe(413);
    expect((await startImport(person, 0)).status).toBe(400);
    const { rows } = await server.database.query('select 1 from import_parts where user_id = $1', [
      person.id,
    ]);
    expect(rows).toEqual([]);
  });

  test('is refused during another one, and beyond ten an hour', async () => {
    const person = await createPerson(server);
    await server.database.query(
      `insert into imports (id, user_id, name, bytes, language, state) values ($1, $2, 'x.json', 1, 'en', 'running')`,
      [randomUUID(), person.id],
    );
    const startImport = () => person.send('POST', '/api/imports', { name: 'x.json', bytes: 10 });
    const refused = await startImport();
    expect([refused.status, await refused.json()]).toMatchObject([409, { code: 'conflict' }]);
    await server.database.query('delete from imports where user_id = $1', [person.id]);
    const answers = await Promise.all(Array.from({ length: 12 }, startImport));
    expect(answers.filter(({ status }) => status === 429).length).toBe(3);
  });

  test('accepts two parts at once; further ones are refused before a byte of them is read', async () => {
    const person = await createPerson(server);
    const created = await person.send('POST', '/api/imports', { name: 'x.json', bytes: 30_000_000 });
    const { id } = (await created.json()) as ImportView;
    const abort = new AbortController();
    const slowPart = () =>
      fetch(`${server.url}/api/imports/${id}/parts/0`, {
        method: 'PUT',
        headers: { cookie: person.cookie, origin: server.url },
        body: new ReadableStream({ start: (stream) => stream.enqueue(new Uint8Array(1_000)) }),
        duplex: 'half',
        signal: abort.signal,
      } as RequestInit);
    const slowParts = [slowPart(), slowPart()];
    const storedCount = async () => {
      const { rows } = await server.database.query('select count from rate_limits where key = $1', [
        `import-parts:${person.id}`,
      ]);
      return rows[0]?.count as number | undefined;
    };
    await eventually(async () => (await storedCount()) === 2);
    const part = new Uint8Array(importLimits.part);
    const refused = await putPart(server, person, id, 1, part);
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5']);
    expect(await storedCount()).toBe(2);
    abort.abort();
    await Promise.allSettled(slowParts);
    await eventually(async () => (await putPart(server, person, id, 1, part)).status === 204);
  });

  test('that another page starts in the meantime is not replaced', async () => {
    const person = await createPerson(server);
    const startImport = () => person.send('POST', '/api/imports', { name: 'x.json', bytes: 10 });
    const { id } = (await (await startImport()).json()) as ImportView;
    const starter = await server.database.connect();
    try {
      await starter.query('begin');
      await starter.query(`update imports set state = 'running', touched_at = app_now() where id = $1`, [id]);
      const refused = startImport();
      await untilWaiting(server, 1, 'imports');
      await starter.query('commit');
      expect((await refused).status).toBe(409);
    } finally {
      starter.release();
    }
    expect(await listImports(person)).toMatchObject([{ id, state: 'running' }]);
    expect((await person.send('DELETE', `/api/imports/${id}`)).status).toBe(204);
  });

  test('is part of the data export', async () => {
    const person = await createPerson(server);
    const history = chatgptHistory(uniqueWord());
    await importHistory(person, history);
    const { data } = await downloadArchive(person);
    expect(exportSchema.safeParse(data).error).toBeUndefined();
    expect(data.imports).toMatchObject([{ name: 'conversations.json', source: 'chatgpt', added: 2 }]);
    expect(data.importedChats.map(({ sourceId }) => sourceId).sort()).toEqual(
      history.map(({ conversation_id }) => conversation_id).sort(),
    );
    expect(data.chats).toHaveLength(2);
  });

  test('that its process abandoned continues, with the same result', async () => {
    const person = await createPerson(server);
    const history = chatgptHistory(uniqueWord());
    const text = JSON.stringify(history);
    const created = await person.send('POST', '/api/imports', {
      name: 'conversations.json',
      bytes: Buffer.byteLength(text),
    });
    const { id } = (await created.json()) as ImportView;
    await putPart(server, person, id, 0, Buffer.from(text));
    // As if its process had been killed a while ago.
    await server.database.query(
      `update imports set state = 'running', epoch = 1, touched_at = app_now() - interval '1 minute' where id = $1`,
      [id],
    );
    expect((await listImports(person))[0]).toMatchObject({ state: 'running', stalled: true });
    expect((await person.send('POST', `/api/imports/${id}/start`)).status).toBe(202);
    await expect
      .poll(async () => (await listImports(person))[0], { timeout: 30_000 })
      .toMatchObject({ state: 'done', added: 2, present: 0, handled: 2 });
    expect(await chatsOf(person)).toHaveLength(2);
  });

  test('that six processes abandoned is given up', async () => {
    const person = await createPerson(server);
    const id = randomUUID();
    await server.database.query(
      `insert into imports (id, user_id, name, bytes, language, state, epoch, touched_at)
       values ($1, $2, 'x.json', 1, 'en', 'running', 5, app_now() - interval '1 minute')`,
      [id, person.id],
    );
    await person.send('POST', `/api/imports/${id}/start`);
    expect(await waitForImport(person, id)).toMatchObject({ state: 'failed', failure: 'internal' });
  });

  test('of a file of many parts is read completely', async () => {
    const person = await createPerson(server);
    const chats = chatgptHistory(uniqueWord());
    const padded = `${' '.repeat(9 * 1024 * 1024)}${JSON.stringify(chats)}`;
    const { id } = await sendImport(server, person, padded);
    await expect
      .poll(async () => (await listImports(person)).find((each) => each.id === id), { timeout: 30_000 })
      .toMatchObject({ state: 'done', added: 2 });
  });
});
