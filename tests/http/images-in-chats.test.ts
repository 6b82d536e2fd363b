import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { spawnStandIns } from '../../standins/spawn.ts';
import { downloadArchive } from '../support/archive.ts';
import {
  follow,
  gatewayLog,
  modelInput,
  noDelay,
  openChat,
  requestVersion,
  send,
  sendBody,
  stop,
  uniqueWord,
  waitForEnd,
} from '../support/chat.ts';
import { expectConsistent } from '../support/consistency.ts';
import { runErasure } from '../support/erasure.ts';
import { upload } from '../support/files.ts';
import { release } from '../support/gateway.ts';
import { bytesOf, gallery, getJob, quick, requests } from '../support/images.ts';
import { importFile } from '../support/imports.ts';
import { createPerson, type Person, personAt } from '../support/people.ts';
import { eventually, startTestServer, type TestServer } from '../support/server.ts';
import { changeSetting } from '../support/settings.ts';
import { openPage, share, sourceOf } from '../support/shares.ts';
import { soak } from '../support/soak.ts';
import { moveClock } from '../support/visitor.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ postgres: inject('postgres') });
});
afterAll(async () => {
  await expectConsistent(server);
  await server.stop();
});

const size = '512x512';

const askForImage = (
  person: Person,
  text: string,
  fields: Record<string, unknown> = {},
  chatId: string = randomUUID(),
) => sendBody(person, chatId, { text, create: true, draw: size, ...fields });

/** Starts a chat with an image. */
async function drawnChat(person: Person, text = `${uniqueWord()} a red fox ${quick}`) {
  const sent = await askForImage(person, text);
  expect(sent.status).toBe(202);
  await waitForEnd(person, sent.body.generation.id);
  const [question, reply] = (await openChat(person, sent.chatId)).messages;
  if (!question || !reply?.images) throw new Error('No image was drawn.');
  const [picture] = reply.images.pictures;
  if (!picture) throw new Error(`No image: ${reply.error}`);
  return { ...sent, text, question, reply, images: reply.images, picture };
}

const lastReply = async (person: Person, chatId: string) => (await openChat(person, chatId)).messages.at(-1);
const balance = async (person: Person) => person.credits();

test('a message can be answered by an image, in one run of the image tool at its price', async () => {
  const person = await createPerson(server, { credits: 12 });
  const { chatId, body, text, question, reply, images, picture } = await drawnChat(person);
  expect(body.credits).toBe(7);
  expect(question).toMatchObject({ role: 'user', content: text, images: null });
  expect(reply).toMatchObject({
    ...{ role: 'assistant', content: '', state: 'done', creditsCharged: 5, generationId: body.generation.id },
    images: { jobId: body.generation.id, prompt: text, size },
  });
  expect(images.pictures).toHaveLength(1);
  expect((await bytesOf(person, picture.id)).length).toBe(picture.bytes);
  expect((await gallery(person)).jobs).toMatchObject([{ id: body.generation.id, prompt: text, size }]);
  const { rows } = await server.database.query(
    `select kind, delta from credit_ledger where generation_id = $1 order by id`,
    [body.generation.id],
  );
  expect(rows).toEqual([
    { kind: 'hold', delta: -5 },
    { kind: 'settle', delta: 0 },
  ]);
  // The model of the next reply does not get the image's bytes.
  const { messages } = await modelInput(server, person, chatId);
  expect(messages.slice(1, -1)).toMatchObject([
    { role: 'user', content: text },
    { role: 'assistant', content: expect.stringMatching(/^\[An image was made .* You cannot see it\.\]$/) },
  ]);
  expect(await balance(person)).toBe(6);
});

test('the same key returns the same image, and a request with another price is refused', async () => {
  const person = await createPerson(server, { credits: 12 });
  const [chatId, key, text] = [randomUUID(), randomUUID(), `${uniqueWord()} ${quick}`];
  const body = { text, create: true, draw: size, price: 5 };
  const [first, second] = [
    await sendBody(person, chatId, body, key),
    await sendBody(person, chatId, body, key),
  ];
  expect([first.status, second.body.reply.id]).toEqual([202, first.body.reply.id]);
  await waitForEnd(person, first.body.generation.id);
  expect(await requests(server, 'images', text)).toHaveLength(1);
  const other = await sendBody(person, chatId, { ...body, price: 1 });
  expect([other.status, other.body.code]).toEqual([409, 'prices_changed']);
  expect([await balance(person), (await openChat(person, chatId)).messages.length]).toEqual([7, 2]);
});

test.each([
  ['nothing to draw', { text: ' ' }, 400, 'bad_request', /./],
  ['too many words', { text: 'x'.repeat(4_001) }, 400, 'bad_request', /up to 4,000 characters/],
  ['declined words', { text: 'a nude in oil' }, 400, 'prompt_declined', /don’t allow in images/],
  ['a temporary chat', { temporary: true }, 409, 'conflict', /^Temporary chats aren’t saved/],
  ['a second model', { compare: { model: 'a' } }, 400, 'bad_request', /draw/],
  ['the web', { web: true }, 400, 'bad_request', /draw/],
  ['an unknown size', { draw: '9x9' }, 400, 'bad_request', /./],
])('%s: refused with a message, nothing is stored or charged', async (_, change, status, code, message) => {
  const person = await createPerson(server, { credits: 12 });
  const sent = await askForImage(person, `a fox ${quick}`, change);
  expect([sent.status, sent.body.code]).toEqual([status, code]);
  expect(sent.body.error).toMatch(message);
  expect((await person.get(`/api/chats/${sent.chatId}`)).status).toBe(404);
  expect([await balance(person), (await gallery(person)).jobs]).toEqual([12, []]);
});

test('too few credits, another person’s chat and an attached file are refused', async () => {
  const [lowOnCredits, owner] = [
    await createPerson(server, { credits: 4 }),
    await createPerson(server, { credits: 12 }),
  ];
  const sent = await askForImage(lowOnCredits, `a fox ${quick}`);
  expect(sent).toMatchObject({ status: 402, body: { code: 'credits_exhausted' } });
  expect(sent.body.error).toBe('You need 5 credits to generate an image.');
  const { chatId, reply } = await drawnChat(owner);
  const otherPerson = await createPerson(server, { credits: 12 });
  expect((await askForImage(otherPerson, `a fox ${quick}`, {}, chatId)).status).toBe(404);
  expect(
    (await requestVersion(otherPerson, 'regenerate', chatId, reply.id, randomUUID(), { draw: size })).status,
  ).toBe(404);
  const { body: file } = await upload(server, otherPerson, 'some text', {
    name: 'a.txt',
    type: 'text/plain',
  });
  const withFile = await askForImage(otherPerson, `a fox ${quick}`, { attachmentIds: [file.id] });
  expect(withFile.body.error).toMatch(/from text alone/);
  const question = { text: `What does it say? ${noDelay}`, create: true, attachmentIds: [file.id] };
  const textReply = await sendBody(otherPerson, randomUUID(), question);
  await waitForEnd(otherPerson, textReply.body.generation.id);
  const redrawn = await requestVersion(
    otherPerson,
    'regenerate',
    textReply.chatId,
    textReply.body.reply.id,
    randomUUID(),
    {
      draw: size,
    },
  );
  expect([redrawn.status, redrawn.body.error]).toEqual([400, withFile.body.error]);
  expect([await balance(otherPerson), (await gallery(otherPerson)).jobs]).toEqual([11, []]);
});

test('a new chat is counted once against the daily limit, whether it starts with text or an image', async () => {
  const person = await createPerson(server, { credits: 40 });
  for (let at = 0; at < 3; at++) await drawnChat(person);
  const fourth = await askForImage(person, `a fox ${quick}`);
  expect([fourth.status, fourth.body.code]).toEqual([429, 'daily_chats']);
  expect(await balance(person)).toBe(25);
});

test('a declined or stopped image costs nothing and can be requested again', async () => {
  const person = await createPerson(server, { credits: 12 });
  const declined = await askForImage(person, `${uniqueWord()} [[picture:blocked]] ${quick}`);
  await waitForEnd(person, declined.body.generation.id);
  expect(await lastReply(person, declined.chatId)).toMatchObject({
    ...{ state: 'failed', creditsCharged: 0, content: '' },
    error: expect.stringContaining('declined this prompt'),
    images: { pictures: [] },
  });
  const word = uniqueWord();
  const heldRun = await askForImage(person, `${word} [[mode:hold]]`);
  await eventually(async () => (await requests(server, 'images', word)).length === 1);
  expect(await lastReply(person, heldRun.chatId)).toMatchObject({ state: 'running', content: '' });
  await stop(person, heldRun.body.generation.id);
  await waitForEnd(person, heldRun.body.generation.id);
  const stopped = await lastReply(person, heldRun.chatId);
  expect(stopped).toMatchObject({ state: 'stopped', creditsCharged: 0 });
  expect(await balance(person)).toBe(12);
  const retried = await requestVersion(
    person,
    'regenerate',
    heldRun.chatId,
    stopped?.id ?? '',
    randomUUID(),
    {
      draw: size,
      price: 5,
    },
  );
  expect(retried.status).toBe(202);
  await stop(person, retried.body.generation.id);
  await waitForEnd(person, retried.body.generation.id);
  const versions = (await lastReply(person, heldRun.chatId))?.versions;
  expect(versions).toHaveLength(2);
});

test('a second tab follows the run and receives the image at its end', async () => {
  const person = await createPerson(server, { credits: 12 });
  const word = uniqueWord();
  const sent = await askForImage(person, `${word} [[mode:hold]] ${quick}`);
  const reading = follow(person, sent.body.generation.id);
  await eventually(async () => (await requests(server, 'images', word)).length === 1);
  await release(server, word);
  const events = await reading;
  const deltas = events.filter(({ event }) => event === 'delta').map(({ data }) => String(data.text));
  const { picture } = JSON.parse(deltas.join('')) as { picture: { id: string } };
  expect((await lastReply(person, sent.chatId))?.images?.pictures).toMatchObject([{ id: picture.id }]);
});

test('an image deleted in the gallery disappears from the chat, and returns with Undo', async () => {
  const person = await createPerson(server, { credits: 12 });
  const { chatId, picture, images } = await drawnChat(person);
  await person.send('DELETE', `/api/images/pictures/${picture.id}`);
  expect((await lastReply(person, chatId))?.images).toEqual({ ...images, jobId: null, pictures: [] });
  expect((await person.get(`/chat/${chatId}`, { accept: 'text/html' })).status).toBe(200);
  await person.send('POST', `/api/images/pictures/${picture.id}/restore`);
  expect((await lastReply(person, chatId))?.images).toEqual(images);
  await person.send('DELETE', `/api/chats/${chatId}`);
  expect((await getJob(person, images.jobId ?? '')).pictures).toHaveLength(1);
});

test('a fork contains the image, an export names it, and a shared page omits it', async () => {
  const person = await createPerson(server, { credits: 12 });
  const { chatId, reply, images, picture, text } = await drawnChat(person);
  const id = randomUUID();
  expect((await person.send('POST', '/api/chats/fork', { messageId: reply.id, id })).status).toBe(201);
  expect(await lastReply(person, id)).toMatchObject({ generationId: null, content: '', images });
  // In the fork the model also gets the note about the image.
  const { messages } = await modelInput(server, person, id);
  expect(messages[2]?.content).toMatch(/^\[An image was made/);

  const { data } = await downloadArchive(person);
  const exportedChat = data.chats.find((chat) => chat.id === chatId);
  expect(exportedChat?.messages[1]).toMatchObject({ content: '', imageIds: [picture.id] });
  expect(data.images[0]?.pictures[0]?.id).toBe(picture.id);
  const markdown = await (await person.get(`/api/chats/${chatId}/export`)).text();
  expect(markdown).toContain(text);
  expect(markdown).toContain('An image was created here. It isn’t part of this file.');

  const source = await sourceOf(person, `chat=${chatId}`);
  expect(source).toMatchObject({ count: 2, files: 0, drawn: 1 });
  const { html } = await openPage(server, (await share(person, { chatId })).body.id);
  expect(html).toContain('An image was created here. It isn’t shown on this page.');
  expect(html).not.toContain(picture.id);
});

test('export.json without its files can be imported, and reports what is missing', async () => {
  const [person, other] = [
    await createPerson(server, { credits: 12 }),
    await createPerson(server, { credits: 12 }),
  ];
  await drawnChat(person);
  const list = (await downloadArchive(person)).text('export.json');
  const done = await importFile(server, other, list, 'export.json');
  expect(done).toMatchObject({ added: 1, items: {}, leftOut: { images: 1 } });
  const { chats } = (await (await other.get('/api/chats')).json()) as { chats: { id: string }[] };
  const [, reply] = (await openChat(other, chats[0]?.id ?? '')).messages;
  expect(reply?.content).toMatch(/^\(.*image.*\)$/);
});

test.runIf(soak)('kill -9 returns the credits and keeps the question', async () => {
  const standIns = await spawnStandIns();
  const killed = await startTestServer({ postgres: inject('postgres'), standins: standIns.base });
  const person = await createPerson(killed, { credits: 12 });
  const word = uniqueWord();
  const sent = await askForImage(person, `${word} [[mode:hold]]`);
  await eventually(async () => (await requests(killed, 'images', word)).length === 1);
  await killed.kill();
  const { databaseUrl } = killed;
  const next = await startTestServer({ postgres: inject('postgres'), standins: standIns.base, databaseUrl });
  const reader = personAt(next, person);
  await waitForEnd(reader, sent.body.generation.id);
  expect(await lastReply(reader, sent.chatId)).toMatchObject({
    state: 'interrupted',
    creditsCharged: 0,
    images: { pictures: [] },
  });
  expect(await balance(reader)).toBe(12);
  await expectConsistent(next);
  await next.stop();
  await killed.stop();
  await standIns.remove();
});

test('when images are switched off new ones are refused, and earlier ones remain', async () => {
  const person = await createPerson(server, { credits: 12 });
  const { chatId } = await drawnChat(person);
  await changeSetting([server], ['set', 'tool.image.on', 'false']);
  const refused = await askForImage(person, `a fox ${quick}`, {}, chatId);
  expect([refused.status, refused.body.code]).toEqual([403, 'tool_off']);
  expect((await lastReply(person, chatId))?.images?.pictures).toHaveLength(1);
  await changeSetting([server], ['unset', 'tool.image.on']);
  const word = uniqueWord();
  const reply = await send(person, `${word} ${noDelay}`, { chatId });
  await waitForEnd(person, reply.body.generation.id);
  expect(await gatewayLog(server, word)).toHaveLength(1);
});

test('chats and their images are erased with the account', async () => {
  const person = await createPerson(server, { credits: 12 });
  const { chatId, reply } = await drawnChat(person);
  await person.send('POST', '/api/chats/fork', { messageId: reply.id, id: randomUUID() });
  await server.database.query('update users set deleted_at = app_now() where id = $1', [person.id]);
  await moveClock(server, 31 * 86_400_000);
  await runErasure(server);
  await moveClock(server, 0);
  const { rows } = await server.database.query('select 1 from chat_messages where session_id = $1', [chatId]);
  expect(rows).toEqual([]);
});
