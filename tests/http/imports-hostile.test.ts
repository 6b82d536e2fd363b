import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { marker, openChat, send } from '../support/chat.ts';
import { chatgptChat, chatgptHistory, importFile, zipped } from '../support/imports.ts';
import { createPerson, type Person } from '../support/people.ts';
import type { TestServer } from '../support/server.ts';
import { borrowServer } from '../support/shared-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await borrowServer(inject('servers'));
});
afterAll(() => server.stop());

const chatsOf = async (person: Person) =>
  ((await (await person.get('/api/chats')).json()) as { chats: { id: string; title: string }[] }).chats;

async function refused(file: Buffer | string, name = 'export.zip') {
  const person = await createPerson(server);
  const { state, failure, added } = await importFile(server, person, file, name);
  expect([state, added, await chatsOf(person)]).toEqual(['failed', 0, []]);
  return failure;
}

/** An archive with a history, and signs of it in place of others of the same length. */
async function forged(change: (archive: Buffer) => void): Promise<Buffer> {
  const text = JSON.stringify(chatgptHistory(marker()));
  const archive = await zipped({ 'aa/conversations.json': text });
  change(archive);
  return archive;
}

const everywhere = (archive: Buffer, from: string, to: string) => {
  for (let at = archive.indexOf(from); at >= 0; at = archive.indexOf(from, at + 1))
    archive.write(to, at, 'latin1');
};

describe('what is no history is refused in words', () => {
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
    expect(await refused(text, 'conversations.json')).toBe(failure);
  });

  test('an archive that is cut off, without a history, encrypted, or with names that lead out of it', async () => {
    const whole = await forged(() => undefined);
    expect(await refused(whole.subarray(0, whole.length - 60))).toBe('damaged');
    expect(await refused(await zipped({ 'chat.html': '<html></html>' }))).toBe('unknown');
    const encrypted = await forged((archive) => {
      archive[archive.indexOf('PK\x01\x02', 0, 'latin1') + 8]! |= 1;
    });
    expect(await refused(encrypted)).toBe('encrypted');
    expect(await refused(await forged((archive) => everywhere(archive, 'aa/', '../')))).toBe('unsafe');
    expect(await refused(await forged((archive) => everywhere(archive, 'aa/', '/a/')))).toBe('unsafe');
    const wrongSum = await forged((archive) => {
      archive[archive.indexOf('PK\x01\x02', 0, 'latin1') + 16]! ^= 0xff;
    });
    expect(await refused(wrongSum)).toBe('damaged');
  });

  test('more messages than one import takes, before any of them is there', async () => {
    const messages = Array.from({ length: 10_000 }, (_, at) => ({
      sender: at % 2 ? 'assistant' : 'human',
      text: 'x',
    }));
    const chats = Array.from({ length: 21 }, (_, at) => ({ uuid: `c${at}`, chat_messages: messages }));
    expect(await refused(JSON.stringify(chats), 'conversations.json')).toBe('too_many');
  });
});

test('a chat that follows itself, or has no end, is left out and counted; the others come', async () => {
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

test('a message with a million files and kinds says some of them, within the length of a message', async () => {
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
  const [words, ...notes] = content.split('\n\n');
  expect(words).toMatch(/^w+$/);
  expect(notes).toHaveLength(40);
  expect(notes[0]).toBe(`(File not imported: ${'n'.repeat(200)})`);
});

test('names of prototypes, NUL, lone surrogates and wrong types harm nothing', async () => {
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

test('an id of another’s chat in a file leads to nothing of theirs', async () => {
  const [person, other] = [await createPerson(server), await createPerson(server)];
  const theirs = await send(other, `${marker()} [[tps:0]] [[first:0]]`);
  const file = {
    chats: [
      {
        id: theirs.chatId,
        title: 'Taken over',
        createdAt: '2024-01-01T00:00:00.000Z',
        updatedAt: '2024-01-01T00:00:00.000Z',
        messages: [
          {
            id: theirs.body.message.id,
            parentId: null,
            role: 'user',
            content: 'Mine',
            createdAt: '2024-01-01T00:00:00.000Z',
          },
          {
            id: theirs.body.reply.id,
            parentId: theirs.body.message.id,
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
  expect(chat?.id).not.toBe(theirs.chatId);
  const ids = (await openChat(person, chat?.id ?? '')).messages.map(({ id }) => id);
  expect(ids).not.toContain(theirs.body.message.id);
  expect((await openChat(other, theirs.chatId)).messages[0]?.content).not.toBe('Mine');
});
