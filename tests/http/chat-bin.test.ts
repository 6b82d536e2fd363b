import sharp from 'sharp';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { ChatRow } from '#features/chat/contract.ts';
import {
  gatewayLog,
  openChat,
  requestVersion,
  type Sent,
  send,
  sendBody,
  uniqueWord,
  waitForEnd,
  waitForText,
} from '../support/chat.ts';
import { expectConsistent, waitUntilIdle } from '../support/consistency.ts';
import { runJob, upload } from '../support/files.ts';
import { createPerson, type Person } from '../support/people.ts';
import { eventually, startTestServer, type TestServer } from '../support/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ postgres: inject('postgres') });
});
afterAll(() => server.stop());

const DAY = 24 * 3600 * 1000;

/** Advances the sandbox clock, which the site follows. */
async function advanceClock(ms: number): Promise<void> {
  const now = async () =>
    (await server.database.query<{ at: number }>('select offset_ms as at from app_clock')).rows[0]?.at ?? 0;
  const before = Number(await now());
  await fetch(`${server.standins}/control`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ clock: { advanceMs: ms } }),
  });
  await eventually(async () => Number(await now()) >= before + ms);
}

async function chat(person: Person): Promise<Sent & { word: string }> {
  const word = uniqueWord();
  const sent = await send(person, `${word} [[tps:0]] [[first:0]]`);
  await waitForEnd(person, sent.body.generation.id);
  return { ...sent, word };
}

const deleteChat = async (person: Person, { chatId }: Sent) =>
  expect((await person.send('DELETE', `/api/chats/${chatId}`)).status).toBe(204);
const restore = (person: Person, { chatId }: Sent) => person.send('POST', `/api/chats/${chatId}/restore`);

/** Returns how many rows of messages, chats and runs contain a word. */
async function countRows(word: string): Promise<number> {
  const { rows } = await server.database.query<{ count: number }>(
    `select (select count(*) from chat_messages m where m::text ilike $1)
          + (select count(*) from chat_sessions s where s::text ilike $1)
          + (select count(*) from generations g where g::text ilike $1) as count`,
    [`%${word}%`],
  );
  return Number(rows[0]?.count);
}

test.each([
  ['has no text yet, is refunded', '[[mode:stallhead]]', 0],
  ['has text, is charged and keeps it', '[[mode:hold]] [[holdAfter:3]]', 1],
])('deleting a chat also stops its reply at the gateway; a reply that %s', async (_, mode, charged) => {
  const person = await createPerson(server);
  const word = uniqueWord();
  const sent = await send(person, `${word} ${mode}`);
  const { id } = sent.body.generation;
  if (charged) await waitForText(person, id);
  else await eventually(async () => (await gatewayLog(server, word)).length === 1);
  await deleteChat(person, sent);
  const view = await waitForEnd(person, id);
  expect(view).toMatchObject({ state: 'stopped', creditsCharged: charged });
  expect(view.text !== '').toBe(charged === 1);
  await eventually(async () => (await gatewayLog(server, word))[0]?.closedBy === 'client');
  expect(await person.credits()).toBe(10 - charged);
  await restore(person, sent);
  const { messages } = await openChat(person, sent.chatId);
  expect(messages.at(-1)).toMatchObject({ state: 'stopped', content: view.text, creditsCharged: charged });
});

test('a deleted chat disappears everywhere, and can be restored completely', async () => {
  const person = await createPerson(server);
  const sent = await chat(person);
  // The title is a separate run that starts shortly after the reply has ended.
  await eventually(async () => (await openChat(person, sent.chatId)).title !== sent.body.chat.title);
  await waitUntilIdle(server);
  const before = await openChat(person, sent.chatId);
  await deleteChat(person, sent);
  const answers = [
    await person.get(`/api/chats/${sent.chatId}`),
    await person.get(`/api/chats/${sent.chatId}/export`),
    await person.send('PUT', `/api/chats/${sent.chatId}/branch`, { messageId: sent.body.reply.id }),
    await person.send('DELETE', `/api/chats/${sent.chatId}`),
  ];
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
  expect((await requestVersion(person, 'continue', sent.chatId, sent.body.reply.id)).status).toBe(404);
  expect((await requestVersion(person, 'regenerate', sent.chatId, sent.body.reply.id)).status).toBe(404);
  expect((await sendBody(person, sent.chatId, { text: 'x', create: true })).status).toBe(404);
  expect(await (await person.get(`/api/search?q=${sent.word}`)).json()).toEqual({ hits: [], items: [] });
  expect(await (await person.get('/api/chats')).json()).toMatchObject({ chats: [] });

  const answer = await restore(person, sent);
  expect(answer.status).toBe(200);
  const row = (await answer.json()) as ChatRow;
  expect(row).toEqual({
    id: sent.chatId,
    title: before.title,
    provisional: false,
    updatedAt: before.updatedAt,
    running: false,
    pinnedAt: null,
    archivedAt: null,
    assistant: 'general',
    projectId: null,
  });
  expect(await openChat(person, sent.chatId)).toEqual(before);
  expect((await restore(person, sent)).status).toBe(200);
});

test('after seven days it is erased with the texts of its runs and its file, and cannot be restored', async () => {
  const person = await createPerson(server);
  const [early, late, active] = [await chat(person), await chat(person), await chat(person)];
  const picture = sharp({ create: { width: 20, height: 20, channels: 3, background: '#336699' } });
  const file = await upload(server, person, await picture.png().toBuffer(), { name: 'mine.png' });
  expect(file.status).toBe(201);
  const withFile = await sendBody(person, early.chatId, { text: '[[tps:0]]', attachmentId: file.body.id });
  expect(withFile.status).toBe(202);
  await waitUntilIdle(server);
  await deleteChat(person, early);
  await advanceClock(4 * DAY);
  await deleteChat(person, late);
  await runJob(server, 'purge-deleted-chats');
  expect(await countRows(early.word)).toBeGreaterThan(0);
  await advanceClock(3 * DAY + 1000);
  // Too late, even before the job has deleted the chat.
  expect((await restore(person, early)).status).toBe(404);
  await runJob(server, 'purge-deleted-chats');
  expect(await countRows(early.word)).toBe(0);
  expect((await person.get(`/api/files/${file.body.id}`)).status).toBe(404);
  const { rowCount: files } = await server.database.query('select 1 from attachments where user_id = $1', [
    person.id,
  ]);
  expect(files).toBe(0);
  expect((await restore(person, early)).status).toBe(404);
  expect((await restore(person, late)).status).toBe(200);
  for (const { chatId, word } of [late, active]) {
    expect((await openChat(person, chatId)).messages).toHaveLength(2);
    expect(await countRows(word)).toBeGreaterThan(0);
  }
  // The cost stays in the ledger.
  expect(await person.credits()).toBe(6);
});

test('every invariant holds', () => expectConsistent(server));
