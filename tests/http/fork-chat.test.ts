import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type ChatRow, chatLimits } from '#features/chat/contract.ts';
import { downloadArchive } from '../support/archive.ts';
import {
  exchange,
  gatewayLog,
  noDelay,
  openChat,
  requestVersion,
  send,
  sendBody,
  stop,
  uniqueWord,
  waitForEnd,
  waitForText,
} from '../support/chat.ts';
import { seedChats } from '../support/chat-list.ts';
import { expectConsistent, waitUntilIdle } from '../support/consistency.ts';
import { runJob, upload } from '../support/files.ts';
import { writeChat } from '../support/long-chat.ts';
import { createPerson, type Person } from '../support/people.ts';
import type { TestServer } from '../support/server.ts';
import { borrowServer } from '../support/shared-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await borrowServer(inject('servers'));
});
afterAll(() => server.stop());

async function fork(person: Pick<Person, 'send'>, messageId: string, id: string = randomUUID()) {
  const answer = await person.send('POST', '/api/chats/fork', { messageId, id });
  const body = (await answer.json()) as { id: string; title: string; error: string; code: string };
  return { status: answer.status, ...body };
}

const listChats = async (person: Person) =>
  ((await (await person.get('/api/chats')).json()) as { chats: ChatRow[] }).chats;
const contents = async (person: Person, id: string) =>
  (await openChat(person, id)).messages.map(({ role, content }) => [role, content]);

test('the branch up to a reply becomes a separate chat, at no cost, and both continue independently', async () => {
  const person = await createPerson(server, { credits: 9 });
  const { id, messages } = await writeChat(server, person, 6, (at) => `part ${at}`);
  const [, , , reply = ''] = messages;
  const copy = await fork(person, reply);
  expect(copy).toMatchObject({ status: 201, title: 'Branch · Chat of 6' });
  const copied = [
    ['user', 'part 0'],
    ['assistant', 'part 1'],
    ['user', 'part 2'],
    ['assistant', 'part 3'],
  ];
  expect(await contents(person, copy.id)).toEqual(copied);
  const copies = (await openChat(person, copy.id)).messages;
  expect(copies.map((each) => each.id).some((each) => messages.includes(each))).toBe(false);
  expect(copies[3]).toMatchObject({ state: 'done', generationId: null, creditsCharged: 0, versions: null });
  expect(await person.credits()).toBe(9);
  expect((await listChats(person)).map(({ title }) => title)).toContain('Branch · Chat of 6');
  expect((await person.get(`/chat/${copy.id}`, { accept: 'text/html' })).status).toBe(200);

  const word = uniqueWord();
  const next = await exchange(person, copy.id, { text: `${word} ${noDelay}` });
  const [call] = await gatewayLog(server, word);
  expect(call?.messages.slice(1, -1).map(({ content }) => content)).toEqual(copied.map(([, text]) => text));
  expect(await contents(person, id)).toHaveLength(6);
  const other = await requestVersion(person, 'regenerate', copy.id, copies[1]?.id ?? '');
  await waitForEnd(person, other.body.generation.id);

  // A fork of a fork gets the prefix once, and stays when both originals are deleted.
  const second = await fork(person, next.reply.id);
  expect(second.title).toBe('Branch · Chat of 6');
  for (const originalId of [id, copy.id]) await person.send('DELETE', `/api/chats/${originalId}`);
  expect(await contents(person, second.id)).toHaveLength(6);
  const { data } = await downloadArchive(person);
  expect(data.chats.find((chat) => chat.id === second.id)?.messages).toHaveLength(6);
});

test('of several versions the branch through the reply is copied, and its files remain usable', async () => {
  const person = await createPerson(server, { plan: 'pro' });
  const files = [];
  for (const name of ['one.txt', 'two.txt', 'three.txt'])
    files.push((await upload(server, person, `text of ${name}`, { name, type: 'text/plain' })).body.id);
  const chatId = randomUUID();
  const first = await exchange(person, chatId, { text: `with files ${noDelay}`, attachmentIds: files });
  const version = await requestVersion(person, 'regenerate', chatId, first.reply.id);
  await waitForEnd(person, version.body.generation.id);
  await exchange(person, chatId, { text: `later ${noDelay}` });
  const copy = await fork(person, first.reply.id);
  const { messages } = await openChat(person, copy.id);
  expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant']);
  expect(messages[0]?.attachments.map(({ id }) => id)).toEqual(files);

  await waitUntilIdle(server);
  await person.send('DELETE', `/api/chats/${chatId}`);
  await server.database.query(
    `update chat_sessions set deleted_at = deleted_at - interval '8 days' where id = $1`,
    [chatId],
  );
  await runJob(server, 'purge-deleted-chats');
  expect((await openChat(person, chatId)).messages).toBeUndefined();
  for (const file of files) expect((await person.get(`/api/files/${file}`)).status).toBe(200);
  const word = uniqueWord();
  await exchange(person, copy.id, { text: `${word} ${noDelay}` });
  expect(JSON.stringify((await gatewayLog(server, word))[0]?.messages)).toContain('text of three.txt');
});

test('the same id creates one chat, also for simultaneous requests, and an existing id of another person none', async () => {
  const person = await createPerson(server);
  const otherPerson = await createPerson(server);
  const { messages } = await writeChat(server, person, 2);
  const [question = '', reply = ''] = messages;
  const id = randomUUID();
  const answers = await Promise.all([1, 2, 3].map(() => fork(person, reply, id)));
  expect(answers.map((answer) => [answer.status, answer.id])).toEqual(Array(3).fill([201, id]));
  expect((await openChat(person, id)).messages).toHaveLength(2);
  expect(await listChats(person)).toHaveLength(2);

  const [foreign = ''] = await seedChats(server, otherPerson, [{ title: 'Theirs', updatedAt: new Date() }]);
  expect((await fork(person, reply, foreign)).status).toBe(404);
  expect((await fork(otherPerson, reply)).status).toBe(404);
  expect((await fork(person, randomUUID())).status).toBe(404);
  expect((await fork(person, question)).status).toBe(400);
  for (const body of [{}, { messageId: reply }, { messageId: 'x', id }, { messageId: reply, id: 1 }, []])
    expect((await person.send('POST', '/api/chats/fork', body)).status).toBe(400);
  expect(await listChats(person)).toHaveLength(2);
  expect((await openChat(otherPerson, foreign)).messages).toEqual([]);
});

test('a running reply is refused with a message, and an earlier one can be forked', async () => {
  const person = await createPerson(server, { plan: 'pro' });
  const chatId = randomUUID();
  const before = await exchange(person, chatId, { text: `first ${noDelay}` });
  const running = await sendBody(person, chatId, { text: `${uniqueWord()} [[mode:hold]] [[holdAfter:3]]` });
  await waitForText(person, running.body.generation.id);
  expect(await fork(person, running.body.reply.id)).toMatchObject({
    status: 409,
    code: 'conflict',
    error: 'This reply is still being written. Wait for it to finish, or stop it, then branch.',
  });
  expect((await fork(person, before.reply.id)).status).toBe(201);
  await stop(person, running.body.generation.id);
  const { text } = await waitForEnd(person, running.body.generation.id);
  const stopped = await fork(person, running.body.reply.id);
  expect((await contents(person, stopped.id)).at(-1)).toEqual(['assistant', text]);
});

test('temporary chats, deleted chats and texts above the limit are refused, and nothing is created', async () => {
  const person = await createPerson(server, { plan: 'pro' });
  const temporaryId = randomUUID();
  const exchanged = await exchange(person, temporaryId, { text: `not kept ${noDelay}`, temporary: true });
  const refused = await fork(person, exchanged.reply.id);
  expect(refused).toMatchObject({ status: 409, code: 'conflict' });
  expect(refused.error).toContain('Temporary chats can’t be branched');

  const deleted = await send(person, `gone ${noDelay}`);
  await waitForEnd(person, deleted.body.generation.id);
  await person.send('DELETE', `/api/chats/${deleted.chatId}`);
  expect((await fork(person, deleted.body.reply.id)).status).toBe(404);

  const part = 'word '.repeat(chatLimits.forkBytes / 20);
  const long = await writeChat(server, person, 6, () => part);
  const [, second = '', , , , last = ''] = long.messages;
  expect(await fork(person, last)).toMatchObject({ status: 409, code: 'conflict' });
  expect((await fork(person, second)).status).toBe(201);
  expect(await listChats(person)).toHaveLength(2);
});

test('the daily limit of new chats applies to forks, and there is an hourly limit', async () => {
  const person = await createPerson(server);
  const { messages } = await writeChat(server, person, 2);
  const [, reply = ''] = messages;
  const answers = await Promise.all(Array.from({ length: 5 }, () => fork(person, reply)));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 201, 429, 429]);
  expect(answers.find(({ status }) => status === 429)?.code).toBe('daily_chats');

  const busy = await createPerson(server, { plan: 'pro' });
  const chat = await writeChat(server, busy, 2);
  const statuses = [];
  for (let at = 0; at < 31; at += 1) statuses.push((await fork(busy, chat.messages[1] ?? '')).status);
  expect(statuses.filter((status) => status === 201)).toHaveLength(30);
  expect(statuses.at(-1)).toBe(429);
});

test('every invariant holds', () => expectConsistent(server));
