import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest';
import { type RunningStandIns, spawnStandIns } from '../../standins/spawn.ts';
import { downloadArchive } from '../support/archive.ts';
import {
  follow,
  gatewayLog,
  newChat,
  openChat,
  readEvents,
  requestVersion,
  type Sent,
  sendBody,
  startedReply,
  stop,
  textOf,
  uniqueWord,
  waitForEnd,
  waitForText,
} from '../support/chat.ts';
import { expectConsistent, waitUntilIdle } from '../support/consistency.ts';
import { upload } from '../support/files.ts';
import { release } from '../support/gateway.ts';
import { createPerson, type Person, personAt } from '../support/people.ts';
import { pngFile } from '../support/picked-files.ts';
import { eventually, startSecondProcess, startTestServer, type TestServer } from '../support/server.ts';
import { changeSetting } from '../support/settings.ts';
import { soak } from '../support/soak.ts';

// Each command starts a process, which is slow on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

const quick = '[[tps:0]] [[first:0]]';
const fast = 'maker/fast';
const deep = 'maker/deep';
const lines = [
  `${fast} | Fast | Everyday questions | images`,
  `${deep} | Deep | Hard problems | thinks, 5 credits`,
  'maker/vast | Vast | Everything at once | images, pro, 3 credits',
];
/** A message that two models answer, for 1 and 5 credits. */
const comparison = { create: true, model: fast, price: 1, compare: { model: deep, price: 5 } };

let standIns: RunningStandIns;
let server: TestServer;
beforeAll(async () => {
  standIns = await spawnStandIns();
  server = await startTestServer({ postgres: inject('postgres'), standins: standIns.base });
  await changeSetting([server], ['set', 'models.list', ...lines]);
});
afterAll(async () => {
  await expectConsistent(server);
  await server.stop();
  await standIns.remove();
});

let person: Person;
let word: string;
beforeEach(async () => {
  person = await createPerson(server, { credits: 20 });
  word = uniqueWord();
});

const modelsCalled = async () => (await gatewayLog(server, word)).map(({ model }) => model).sort();

const compare = (chatId: string, change: object = {}, key?: string): Promise<Sent> =>
  sendBody(person, chatId, { text: `${word} ${quick}`, ...comparison, ...change }, key);

const otherOf = ({ body }: Pick<Sent, 'body'>) => {
  if (!body.compared) throw new Error(`No second reply: ${JSON.stringify(body)}`);
  return body.compared;
};

async function bothEnded(sent: Sent, user = person) {
  return [
    await waitForEnd(user, sent.body.generation.id),
    await waitForEnd(user, otherOf(sent).generation.id),
  ] as const;
}

const choose = (chatId: string, messageId: string) =>
  person.send('PUT', `/api/chats/${chatId}/branch`, { messageId });

describe('one question to two models', () => {
  test('is answered by both, each at its price; the chat shows both until one is chosen', async () => {
    const chatId = randomUUID();
    const sent = await compare(chatId);
    expect(sent.status, JSON.stringify(sent.body)).toBe(202);
    expect(sent.body).toMatchObject({ credits: 14, chat: { id: chatId, isNew: true } });
    const other = otherOf(sent);
    const ends = await bothEnded(sent);
    expect(ends.map(({ state, creditsCharged }) => [state, creditsCharged])).toEqual([
      ['done', 1],
      ['done', 5],
    ]);
    expect(await person.credits()).toBe(14);
    expect(await modelsCalled()).toEqual([deep, fast]);

    const versions = [other.reply.id, sent.body.reply.id];
    const view = await openChat(person, chatId);
    expect(view.model).toBe(fast);
    expect(view.messages.map(({ id }) => id)).toEqual([sent.body.message.id, sent.body.reply.id]);
    expect(view.messages[1]).toMatchObject({
      model: fast,
      versions,
      beside: { id: other.reply.id, model: deep },
    });
    expect(view.compared).toMatchObject({
      id: other.reply.id,
      parentId: sent.body.message.id,
      model: deep,
      content: ends[1].text,
      versions,
      beside: { id: sent.body.reply.id, model: fast },
    });

    const chosen = await choose(chatId, other.reply.id);
    expect(await chosen.json()).toMatchObject({ messages: [{}, { id: other.reply.id }], compared: null });
    const later = await openChat(person, chatId);
    expect([later.messages.at(-1)?.id, later.compared]).toEqual([other.reply.id, null]);
    const next = await sendBody(person, chatId, { text: `${word} next ${quick}` });
    await waitForEnd(person, next.body.generation.id);
    const [nextCall] = await gatewayLog(server, `${word} next`);
    expect(nextCall?.messages.map(({ content }) => content)).toContain(ends[1].text);
    // The other reply stays as a version.
    const returned = await (await choose(chatId, sent.body.reply.id)).json();
    expect(returned).toMatchObject({ messages: [{}, { id: sent.body.reply.id, content: ends[0].text }] });
  });

  test('continues from the reply of the chat’s own model if none is chosen', async () => {
    const chatId = randomUUID();
    const sent = await compare(chatId);
    const [main] = await bothEnded(sent);
    const exported = await (await person.get(`/api/chats/${chatId}/export?format=md`)).text();
    expect(exported).toContain(main.text.trim().split('\n')[0]);
    const next = await sendBody(person, chatId, { text: `${word} next ${quick}` });
    await waitForEnd(person, next.body.generation.id);
    const { messages, compared } = await openChat(person, chatId);
    expect(messages.map(({ id }) => id).slice(0, 2)).toEqual([sent.body.message.id, sent.body.reply.id]);
    expect([messages[2]?.parentId, compared]).toEqual([sent.body.reply.id, null]);
  });

  test('gets one title, and another version of either reply ends the comparison', async () => {
    const chatId = randomUUID();
    const sent = await compare(chatId);
    await bothEnded(sent);
    await waitUntilIdle(server);
    const { rows } = await server.database.query(
      `select 1 from generations where feature = 'title' and input ->> 'sessionId' = $1`,
      [chatId],
    );
    expect(rows.length).toBe(1);
    const { body: regenerated } = await requestVersion(person, 'regenerate', chatId, otherOf(sent).reply.id);
    await waitForEnd(person, regenerated.generation.id);
    const { messages, compared } = await openChat(person, chatId);
    expect([messages.at(-1)?.id, messages.at(-1)?.versions?.length, compared]).toEqual([
      regenerated.reply.id,
      3,
      null,
    ]);
  });

  test('is streamed twice, reports both replies in the first event, and can be read in mid-stream', async () => {
    const chatId = randomUUID();
    const text = `${word} ${quick} [[mode:hold]] [[holdAfter:2]]`;
    const headers = { accept: 'text/event-stream', 'idempotency-key': randomUUID() };
    const reading = readEvents(
      await person.send('POST', `/api/chats/${chatId}/messages`, { text, ...comparison }, headers),
    );
    const view = await eventually(async () => {
      const current =
        (await person.get(`/api/chats/${chatId}`)).status === 200 && (await openChat(person, chatId));
      return current && current.messages[1]?.content !== '' && current.compared?.content !== '' && current;
    });
    expect([view.messages[1]?.state, view.compared?.state]).toEqual(['running', 'running']);
    expect((await (await person.get('/api/chats')).json()).chats[0]).toMatchObject({
      id: chatId,
      running: true,
    });
    await release(server, word, 2);
    const events = await reading;
    const { compared, reply } = startedReply(events);
    expect([reply.id, compared?.reply.id]).toEqual([view.messages[1]?.id, view.compared?.id]);
    const other = await follow(person, compared?.generation.id ?? '');
    const stored = await openChat(person, chatId);
    expect([textOf(events), textOf(other)]).toEqual([stored.messages[1]?.content, stored.compared?.content]);
  });

  test('with the same key returns the same two runs; another body is refused', async () => {
    const [chatId, key] = [randomUUID(), randomUUID()];
    const sent = await compare(chatId, {}, key);
    await bothEnded(sent);
    const repeated = await compare(chatId, {}, key);
    expect([
      repeated.body.generation.id,
      repeated.body.compared?.generation.id,
      repeated.body.compared?.reply.id,
    ]).toEqual([sent.body.generation.id, otherOf(sent).generation.id, otherOf(sent).reply.id]);
    for (const change of [
      { compare: undefined },
      { compare: undefined, model: deep, price: 5 },
      { text: 'else' },
    ])
      expect((await compare(chatId, change, key)).body.code).toBe('key_reused');
    expect(await person.credits()).toBe(14);
    expect((await modelsCalled()).length).toBe(2);
  });

  test('costs no credits on Pro, and a new version of a question goes to both', async () => {
    person = await createPerson(server, { plan: 'pro' });
    const chatId = randomUUID();
    const first = await compare(chatId, { compare: { model: 'maker/vast', price: 9 } });
    await bothEnded(first);
    const sent = await compare(chatId, { create: false, replaces: first.body.message.id });
    expect((await bothEnded(sent)).map(({ creditsCharged }) => creditsCharged)).toEqual([0, 0]);
    const { messages, compared } = await openChat(person, chatId);
    expect([messages[0]?.versions?.length, messages[1]?.id, compared?.id]).toEqual([
      2,
      sent.body.reply.id,
      otherOf(sent).reply.id,
    ]);
  });
});

test('the second model is stored for the chat, is exported, and belongs to the owner', async () => {
  const chatId = randomUUID();
  await bothEnded(await compare(chatId));
  const storedModel = async (id = chatId) => (await openChat(person, id)).compare;
  expect(await storedModel()).toBe(deep);
  // A page that names one model stops the comparison; below, a program that names none keeps it.
  await waitForEnd(person, (await sendBody(person, chatId, { text: word, model: fast })).body.generation.id);
  expect(await storedModel()).toBe(null);
  const saveModels = (body: object, user = person) => user.send('PUT', '/api/chats/model', body);
  expect((await saveModels({ chatId, compare: deep })).status).toBe(204);
  await waitForEnd(person, (await sendBody(person, chatId, { text: word })).body.generation.id);
  const { model, compare: second } = await openChat(person, chatId);
  expect([model, second]).toEqual([fast, deep]);
  expect((await saveModels({ chatId, compare: 'maker/none' })).status).toBe(409);
  expect((await saveModels({ compare: deep })).status).toBe(400);
  const otherPerson = await createPerson(server);
  expect((await saveModels({ chatId, compare: null }, otherPerson)).status).toBe(404);
  expect((await downloadArchive(person)).data.chats).toMatchObject([{ id: chatId, comparedModel: deep }]);
  const fork = randomUUID();
  const messageId = (await openChat(person, chatId)).messages.at(-1)?.id;
  expect((await person.send('POST', '/api/chats/fork', { id: fork, messageId })).status).toBe(201);
  expect(await storedModel(fork)).toBe(deep);
  expect((await saveModels({ chatId, compare: null })).status).toBe(204);
  expect(await storedModel()).toBe(null);
});

describe('both replies are refused with a message, without a charge or a trace', () => {
  const expectRefusal = async (change: object, status: number, code: string, message: RegExp) => {
    const before = await person.credits();
    const chatId = randomUUID();
    const { status: answered, body } = await compare(chatId, change);
    expect([answered, body]).toEqual([
      status,
      { code, error: expect.stringMatching(message), requestId: expect.any(String) },
    ]);
    expect((await person.get(`/api/chats/${chatId}`)).status).toBe(404);
    expect(await person.credits()).toBe(before);
    expect(await modelsCalled()).toEqual([]);
  };

  test('credits for either reply but not both', async () => {
    person = await createPerson(server, { credits: 5 });
    const message =
      /^Two replies cost 1 credit and 5 credits, 6 credits in total\. .+ Nothing was charged\.$/;
    await expectRefusal({}, 402, 'credits_exhausted', message);
    await expectRefusal(
      { model: deep, price: 5, compare: { model: fast, price: 1 } },
      402,
      'credits_exhausted',
      /6/,
    );
  });

  test.each([
    ['the same model twice', { model: deep, price: 5 }, 400, 'bad_request', /^Choose two different models/],
    ['the first model twice', { model: null, compare: { model: fast } }, 400, 'bad_request', /two different/],
    ['an unknown model', { compare: { model: 'maker/none' } }, 409, 'model_gone', /no longer offered/],
    [
      'a model of Pro',
      { compare: { model: 'maker/vast' } },
      403,
      'plan_required',
      /^Vast is included in Pro/,
    ],
    ['another price', { compare: { model: deep, price: 1 } }, 409, 'prices_changed', /Prices have changed/],
    ['another price of the first', { price: 6 }, 409, 'prices_changed', /Prices have changed/],
    ['an invalid choice', { compare: { price: 5 } }, 400, 'bad_request', /./],
  ])('%s', (_, change, status, code, message) => expectRefusal(change, status, code, message));

  test('an image that one of the two cannot see', async () => {
    const attachmentId = (await upload(server, person, (await pngFile()).buffer, { name: 'a.png' })).body.id;
    await expectRefusal({ attachmentIds: [attachmentId] }, 400, 'bad_request', /^Deep can’t see images/);
  });

  test('another running reply that leaves capacity for only one', async () => {
    const running = await sendBody(person, randomUUID(), {
      text: `${uniqueWord()} [[tps:20]] [[tokens:4000]]`,
      create: true,
    });
    await expectRefusal(
      {},
      429,
      'too_many_running',
      /^Only 2 replies can run at a time, and comparing needs two\./,
    );
    await stop(person, running.body.generation.id);
    await waitForEnd(person, running.body.generation.id);
  });

  test('another person’s chat, and one that does not exist', async () => {
    const otherPerson = await createPerson(server);
    const foreign = await newChat(otherPerson);
    for (const chatId of [foreign, randomUUID()])
      expect((await compare(chatId, { create: false })).status).toBe(404);
    expect(await person.credits()).toBe(20);
    expect((await openChat(otherPerson, foreign)).messages).toEqual([]);
  });
});

test.each([
  ['the credits cover one', 11, '200', 'credits_exhausted'],
  ['only one more pair may run', 1000, '3', 'too_many_running'],
])('of a hundred simultaneous requests one pair starts if %s', async (_, credits, places, code) => {
  person = await createPerson(server, { credits });
  await changeSetting([server], ['set', 'limits.running', places]);
  const chats = await Promise.all(Array.from({ length: 3 }, () => newChat(person)));
  const sent = await Promise.all(
    Array.from({ length: 100 }, (_, at) =>
      compare(chats[at % 3] ?? '', { text: `${word} [[tps:20]] [[tokens:4000]]`, create: false }),
    ),
  );
  const started = sent.filter(({ status }) => status === 202);
  expect(started.length).toBe(1);
  for (const { body } of sent.filter(({ status }) => status !== 202)) expect(body.code).toBe(code);
  expect(await person.credits()).toBe(credits - 6);
  for (const pair of started) {
    for (const { id } of [pair.body.generation, otherOf(pair).generation]) await stop(person, id);
    await bothEnded(pair);
  }
  await changeSetting([server], ['unset', 'limits.running']);
  const { rows } = await server.database.query<{ runs: number; messages: number }>(
    `select (select count(*)::int from generations where user_id = $1 and feature = 'chat') as runs,
            (select count(*)::int from chat_messages m join chat_sessions s on s.id = m.session_id
              where s.user_id = $1) as messages`,
    [person.id],
  );
  expect(rows).toEqual([{ runs: 2, messages: 3 }]);
});

describe('each of the two replies ends independently', () => {
  test('a failed one is refunded, the other is charged and remains', async () => {
    const chatId = randomUUID();
    const sent = await compare(chatId, { text: `${word} ${quick} [[away:${deep}]]` });
    const ends = await bothEnded(sent);
    expect(ends.map(({ state, creditsCharged }) => [state, creditsCharged])).toEqual([
      ['done', 1],
      ['failed', 0],
    ]);
    expect(await person.credits()).toBe(19);
  });

  test('one can be stopped while the other continues; deleting the chat stops both', async () => {
    const chatId = randomUUID();
    const text = `${word} [[mode:hold]] [[holdAfter:2]]`;
    const sent = await compare(chatId, { text });
    const other = otherOf(sent).generation.id;
    await waitForText(person, other);
    await stop(person, other);
    expect((await waitForEnd(person, other)).state).toBe('stopped');
    expect((await waitForText(person, sent.body.generation.id)).state).toBe('running');
    await release(server, word);
    expect((await waitForEnd(person, sent.body.generation.id)).state).toBe('done');
    const secondPair = await compare(chatId, { text, create: false });
    await waitForText(person, secondPair.body.generation.id);
    await person.send('DELETE', `/api/chats/${chatId}`);
    expect((await bothEnded(secondPair)).map(({ state }) => state)).toEqual(['stopped', 'stopped']);
  });

  test.runIf(soak)('kill -9 ends both: the text so far remains, and all credits are returned', async () => {
    const chatId = randomUUID();
    const sent = await compare(chatId, { text: `${word} [[answer:lorem]] [[tokens:4000]] [[tps:50]]` });
    await waitForText(person, sent.body.generation.id, 100);
    await waitForText(person, otherOf(sent).generation.id, 100);
    const before = server;
    await before.kill();
    server = await startSecondProcess(before);
    const restarted = personAt(server, person);
    const ends = await bothEnded(sent, restarted);
    expect(ends.map(({ state, creditsCharged }) => [state, creditsCharged])).toEqual([
      ['interrupted', 0],
      ['interrupted', 0],
    ]);
    expect(await person.credits()).toBe(20);
    const { messages, compared } = await openChat(restarted, chatId);
    expect([messages.at(-1)?.content, compared?.content]).toEqual(ends.map(({ text }) => text));
    expect(compared?.content).not.toBe('');
  });
});
