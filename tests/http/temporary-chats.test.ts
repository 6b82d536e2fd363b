import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { ChatRow, SearchHit } from '#features/chat/contract.ts';
import { downloadArchive } from '../support/archive.ts';
import {
  gatewayLog,
  noDelay,
  openChat,
  requestVersion,
  sendBody,
  stop,
  uniqueWord,
  waitForEnd,
  waitForText,
} from '../support/chat.ts';
import { expectConsistent, waitUntilIdle } from '../support/consistency.ts';
import { runJob, upload } from '../support/files.ts';
import { pdfWith } from '../support/pdf.ts';
import { createPerson, type Person } from '../support/people.ts';
import { eventually, startTestServer, type TestServer } from '../support/server.ts';
import { moveClock } from '../support/visitor.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ postgres: inject('postgres') });
});
afterAll(() => server.stop());

const HOUR = 3_600_000;

/** Starts a temporary chat and waits for the first reply. */
async function startChat(person: Person, options: { attachmentId?: string; text?: string } = {}) {
  const word = uniqueWord();
  const { text = `${word} ${noDelay}`, ...rest } = options;
  const sent = await sendBody(person, randomUUID(), { text, create: true, temporary: true, ...rest });
  expect(sent.status).toBe(202);
  await waitForEnd(person, sent.body.generation.id);
  return { ...sent, word };
}

const chatsOf = async (person: Person) =>
  ((await (await person.get('/api/chats')).json()) as { chats: ChatRow[] }).chats;
const hitsOf = async (person: Person, word: string) =>
  ((await (await person.get(`/api/search?q=${word}`)).json()) as { hits: SearchHit[] }).hits;
const status = async (person: Person, path: string) => (await person.get(path)).status;

/** Returns how many rows of chats, runs and files contain a word. */
async function traces(word: string): Promise<number> {
  const { rows } = await server.database.query<{ count: number }>(
    `select (select count(*) from chat_messages m where m::text ilike $1)
          + (select count(*) from chat_sessions s where s::text ilike $1)
          + (select count(*) from attachments a where a::text ilike $1)
          + (select count(*) from generation_chunks c where c::text ilike $1)
          + (select count(*) from generations g where g::text ilike $1) as count`,
    [`%${word}%`],
  );
  return Number(rows[0]?.count);
}

test('a temporary chat is in no list, search, archive or ledger item, has no title, and otherwise works as any other', async () => {
  const person = await createPerson(server);
  const file = await upload(server, person, await pdfWith([`Secret of ${uniqueWord()}.`]), {
    name: 'note.pdf',
  });
  const { chatId, body, word } = await startChat(person, { attachmentId: file.body.id });
  expect(body.chat).toEqual({ id: chatId, title: 'Temporary chat', isNew: true, temporary: true });
  const regenerated = await requestVersion(person, 'regenerate', chatId, body.reply.id);
  expect(regenerated.body.chat).toMatchObject({ isNew: false, temporary: true });
  await waitForEnd(person, regenerated.body.generation.id);
  const next = await sendBody(person, chatId, { text: `more of ${word} [[mode:hold]] [[holdAfter:3]]` });
  await waitForText(person, next.body.generation.id);
  await stop(person, next.body.generation.id);
  expect((await waitForEnd(person, next.body.generation.id)).state).toBe('stopped');
  const view = await openChat(person, chatId);
  expect(view).toMatchObject({ title: 'Temporary chat', temporary: true });
  expect(view.messages.map(({ state }) => state)).toEqual(['done', 'done', 'done', 'stopped']);
  expect(await person.credits()).toBe(7);

  await waitUntilIdle(server);
  const log = await fetch(`${server.standins}/log?path=/gateway/v1/chat/completions`);
  const calls = (await log.json()) as Array<{ detail: { kind: string } | null; messages: unknown }>;
  const about = calls.filter(({ messages }) => JSON.stringify(messages).includes(word));
  expect(about.map(({ detail }) => detail?.kind)).toEqual(['chat', 'chat', 'chat']);
  expect(await chatsOf(person)).toEqual([]);
  expect(await hitsOf(person, word)).toEqual([]);
  expect(await hitsOf(person, 'Conversation')).toEqual([]);
  const { data, files } = await downloadArchive(person);
  expect([data.chats, data.attachments]).toEqual([[], []]);
  expect([...files.values()].some((bytes) => bytes.includes(word))).toBe(false);
  const { entries } = (await (await person.get('/api/me/ledger')).json()) as {
    entries: Array<{ feature: string | null; delta: number; item: unknown }>;
  };
  const charges = entries.filter(({ feature }) => feature === 'chat');
  expect(charges.map(({ delta, item }) => [delta, item])).toEqual([
    [-1, null],
    [-1, null],
    [-1, null],
  ]);
  // /chat opens another chat, although this one is newest.
  expect(await (await person.get('/chat', { accept: 'text/html' })).text()).not.toContain(word);
  expect(await status(person, `/chat/${chatId}`)).toBe(200);
  expect(await status(await createPerson(server), `/api/chats/${chatId}`)).toBe(404);
});

test('it is erased when it is left, with its file and the texts of its runs, and counts towards its day', async () => {
  const person = await createPerson(server);
  const word = uniqueWord();
  const file = await upload(server, person, await pdfWith([`The harvest of ${word}.`]), {
    name: `${word}.pdf`,
  });
  const { chatId, word: messageWord } = await startChat(person, { attachmentId: file.body.id });
  expect(await traces(word)).toBeGreaterThan(0);
  expect((await person.send('DELETE', `/api/chats/${chatId}`)).status).toBe(204);
  expect([await traces(word), await traces(messageWord)]).toEqual([0, 0]);
  for (const path of [`/api/chats/${chatId}`, `/chat/${chatId}`, `/api/files/${file.body.id}`])
    expect(await status(person, path)).toBe(404);
  expect((await person.send('POST', `/api/chats/${chatId}/restore`)).status).toBe(404);
  expect((await person.send('DELETE', `/api/chats/${chatId}`)).status).toBe(404);
  expect((await sendBody(person, chatId, { text: `again ${noDelay}`, create: true })).status).toBe(404);
  for (let each = 0; each < 2; each++) await startChat(person);
  const refused = await sendBody(person, randomUUID(), { text: 'hi', create: true, temporary: true });
  expect([refused.status, refused.body.code]).toEqual([429, 'daily_chats']);
  expect(await person.credits()).toBe(7);
});

test.each([
  ['nothing has arrived yet, is refunded', '[[mode:stallhead]]', 0],
  ['text has arrived, is charged', '[[mode:hold]] [[holdAfter:3]]', 1],
])(
  'it can be left during a reply, which is stopped and, where %s; it is erased after that',
  async (_, mode, charged) => {
    const person = await createPerson(server);
    const word = uniqueWord();
    const text = `${word} ${mode}`;
    const { chatId, body } = await sendBody(person, randomUUID(), { text, create: true, temporary: true });
    if (charged) await waitForText(person, body.generation.id);
    else await eventually(async () => (await gatewayLog(server, word)).length === 1);
    expect((await person.send('DELETE', `/api/chats/${chatId}`)).status).toBe(204);
    expect(await waitForEnd(person, body.generation.id)).toMatchObject({
      state: 'stopped',
      creditsCharged: charged,
    });
    await eventually(async () => (await traces(word)) === 0);
    expect(await person.credits()).toBe(10 - charged);
  },
);

test('it is erased by a job a day after its last message, and not before', async () => {
  const [person, other] = [await createPerson(server), await createPerson(server)];
  const { chatId, word } = await startChat(person);
  const ordinary = await sendBody(other, randomUUID(), { text: `${uniqueWord()} ${noDelay}`, create: true });
  await waitForEnd(other, ordinary.body.generation.id);
  await moveClock(server, 22 * HOUR);
  await runJob(server, 'erase-temporary-chats');
  expect(await status(person, `/api/chats/${chatId}`)).toBe(200);
  await moveClock(server, 23 * HOUR + 60_000);
  await runJob(server, 'erase-temporary-chats');
  expect(await status(person, `/api/chats/${chatId}`)).toBe(404);
  expect(await traces(word)).toBe(0);
  expect((await chatsOf(other)).map(({ id }) => id)).toEqual([ordinary.chatId]);
  await moveClock(server, 0);
});

test('the choice applies only with the first message, and is part of the request that its key stands for', async () => {
  const person = await createPerson(server);
  const { chatId, body } = await sendBody(person, randomUUID(), { text: `a ${noDelay}`, create: true });
  await waitForEnd(person, body.generation.id);
  const later = await sendBody(person, chatId, { text: `b ${noDelay}`, create: true, temporary: true });
  expect(later.body.chat.temporary).toBe(false);
  await waitForEnd(person, later.body.generation.id);
  expect((await chatsOf(person)).map(({ id }) => id)).toEqual([chatId]);
  const key = randomUUID();
  const id = randomUUID();
  const [text, create] = [`c ${noDelay}`, true];
  const first = await sendBody(person, id, { text, create, temporary: true }, key);
  const same = await sendBody(person, id, { text, create, temporary: true }, key);
  expect(same.body.generation.id).toBe(first.body.generation.id);
  expect(same.body.chat).toMatchObject({ title: 'Temporary chat', temporary: true });
  expect((await sendBody(person, id, { text, create }, key)).status).toBe(422);
  await expectConsistent(server);
});
