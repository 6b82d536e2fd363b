import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test, vi } from 'vitest';
import { createKey, listKeys, openaiClient, refusalOf } from '../support/api-keys.ts';
import { downloadArchive } from '../support/archive.ts';
import {
  gatewayLog,
  newChat,
  openChat,
  readEvents,
  requestVersion,
  sendBody,
  uniqueWord,
  waitForEnd,
} from '../support/chat.ts';
import { expectConsistent } from '../support/consistency.ts';
import { upload } from '../support/files.ts';
import { release } from '../support/gateway.ts';
import { visibleText } from '../support/html.ts';
import { createPerson, type Person } from '../support/people.ts';
import { pngFile } from '../support/picked-files.ts';
import { eventually, startTestServer, type TestServer } from '../support/server.ts';
import { changeSetting, settingsCommand } from '../support/settings.ts';

// Each command starts a process, which is slow on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

const quick = '[[tps:0]] [[first:0]]';
const fast = 'maker/fast';
const deep = 'maker/deep';
const vast = 'maker/vast';
const lines = [
  `${fast} | Fast | Everyday questions | images`,
  `${deep} | Deep | Hard problems | thinks, 5 credits, context 4000`,
  `${vast} | Vast | Everything at once | images, pro, 3 credits`,
];

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({
    postgres: inject('postgres'),
    env: { LLM_MODEL: 'maker/site', RUNNING_AT_ONCE: '200' },
  });
  await offerModels(...lines);
});
afterAll(async () => {
  await expectConsistent(server);
  await server.stop();
});

const offerModels = (...offered: string[]) => changeSetting([server], ['set', 'models.list', ...offered]);

let person: Person;
let word: string;
beforeEach(async () => {
  person = await createPerson(server, { credits: 100 });
  word = uniqueWord();
});

const modelsCalled = async (text = word) => (await gatewayLog(server, text)).map(({ model }) => model);

/** Sends a message and waits for the reply. @returns the credits that it cost */
async function costOf(chatId: string, choice: object, user = person): Promise<number> {
  const before = await user.credits();
  const sent = await sendBody(user, chatId, { text: `${word} ${quick}`, create: true, ...choice });
  expect(sent.status, JSON.stringify(sent.body)).toBe(202);
  const run = await waitForEnd(user, sent.body.generation.id);
  expect(run.state).toBe('done');
  expect(run.creditsCharged).toBe(before - (await user.credits()));
  return run.creditsCharged;
}

test('the chosen model answers at its price, and the chat keeps it', async () => {
  const chatId = randomUUID();
  expect(await costOf(chatId, { model: deep, price: 5 })).toBe(5);
  expect((await openChat(person, chatId)).model).toBe(deep);
  // A request without `model` uses the chat's; null is the default model.
  expect(await costOf(chatId, {})).toBe(5);
  expect(await costOf(chatId, { model: null, price: 1 })).toBe(1);
  expect((await openChat(person, chatId)).model).toBe(null);
  expect(await costOf(chatId, {})).toBe(1);
  expect(await modelsCalled()).toEqual([deep, deep, fast, fast]);
  const view = await openChat(person, chatId);
  expect(view.messages.flatMap(({ model }) => model ?? [])).toEqual([deep, deep, fast, fast]);
});

test('another version and a continuation use the chosen model', async () => {
  const chatId = randomUUID();
  expect(await costOf(chatId, { model: null })).toBe(1);
  const { messages } = await openChat(person, chatId);
  const before = await person.credits();
  const version = await requestVersion(person, 'regenerate', chatId, messages[1]?.id ?? '', randomUUID(), {
    model: deep,
    price: 5,
  });
  expect(await waitForEnd(person, version.body.generation.id)).toMatchObject({
    state: 'done',
    creditsCharged: 5,
  });
  expect(before - (await person.credits())).toBe(5);
  expect(await modelsCalled()).toEqual([fast, deep]);
  // The choice was for this reply only.
  expect((await openChat(person, chatId)).model).toBe(null);
});

describe('refused with a message, without a charge or a trace', () => {
  test.each([
    [
      'an unknown model',
      { model: 'maker/none' },
      409,
      'model_gone',
      /no longer offered\. Nothing was charged/,
    ],
    ['a model of Pro', { model: vast, price: 3 }, 403, 'plan_required', /^Vast is included in Pro\. Nothing/],
    ['another price', { model: deep, price: 4 }, 409, 'prices_changed', /Prices have changed/],
  ])('%s', async (_, choice, status, code, message) => {
    const chatId = randomUUID();
    const refused = await sendBody(person, chatId, { text: `${word} ${quick}`, create: true, ...choice });
    expect([refused.status, refused.body]).toEqual([
      status,
      { code, error: expect.stringMatching(message), requestId: expect.any(String) },
    ]);
    expect(await person.credits()).toBe(100);
    expect((await person.get(`/api/chats/${chatId}`)).status).toBe(404);
    expect(await modelsCalled()).toEqual([]);
  });

  test('an image for a model without vision, new or asked about again', async () => {
    const attachmentId = (await upload(server, person, (await pngFile()).buffer, { name: 'a.png' })).body.id;
    const chatId = randomUUID();
    const text = `${word} ${quick}`;
    const refused = await sendBody(person, chatId, { text, create: true, attachmentId, model: deep });
    expect([refused.status, refused.body.error]).toEqual([
      400,
      expect.stringMatching(/^Deep can’t see images/),
    ]);
    expect(await costOf(chatId, { attachmentId, model: null })).toBe(1);
    const { messages } = await openChat(person, chatId);
    const regenerated = await requestVersion(
      person,
      'regenerate',
      chatId,
      messages[1]?.id ?? '',
      randomUUID(),
      {
        model: deep,
      },
    );
    expect([regenerated.status, regenerated.body.error]).toEqual([
      400,
      expect.stringMatching(/^Deep can’t see images/),
    ]);
    expect(await person.credits()).toBe(99);
    // The refusal says nothing about another person's file.
    const otherPerson = await createPerson(server, { credits: 100 });
    const foreign = await sendBody(otherPerson, randomUUID(), {
      text,
      create: true,
      attachmentId,
      model: deep,
    });
    expect([foreign.status, foreign.body.error]).toEqual([
      400,
      expect.stringMatching(/^That file is no longer available/),
    ]);
    // The model gets an earlier image only by its name.
    expect(await costOf(chatId, { model: deep })).toBe(5);
    const [, last] = await gatewayLog(server, word);
    expect(last?.messages.map(({ content }) => content).join()).toContain('[The image "a.png" is here');
  });

  test('an invalid id', async () => {
    for (const model of [7, '', 'x'.repeat(201), ['maker/deep'], { id: deep }]) {
      const { status } = await sendBody(person, randomUUID(), { text: word, create: true, model });
      expect([400, 409]).toContain(status);
    }
    expect(await modelsCalled()).toEqual([]);
  });
});

test('on Pro no model costs credits', async () => {
  const pro = await createPerson(server, { plan: 'pro' });
  expect(await costOf(randomUUID(), { model: vast, price: 7 }, pro)).toBe(0);
  expect(await modelsCalled()).toEqual([vast]);
});

test('a failure refunds the full price', async () => {
  const sent = await sendBody(person, randomUUID(), {
    text: `${word} [[mode:500]]`,
    create: true,
    model: deep,
  });
  expect(sent.body.credits).toBe(95);
  expect(await waitForEnd(person, sent.body.generation.id)).toMatchObject({
    state: 'failed',
    creditsCharged: 0,
  });
  expect(await person.credits()).toBe(100);
});

describe('a fallback of the model', () => {
  const other = 'maker/other';
  beforeAll(() =>
    offerModels(lines[0] ?? '', `${lines[1]}, fallback ${vast}, fallback ${other}`, lines[2] ?? ''),
  );
  afterAll(() => offerModels(...lines));
  const away = (...models: string[]) => `${word} ${quick} [[away:${models.join(',')}]]`;

  test('answers at the price of the requested model, and is reported and stored', async () => {
    const chatId = randomUUID();
    const body = { text: away(deep, vast), create: true, model: deep, price: 5 };
    const headers = { accept: 'text/event-stream', 'idempotency-key': randomUUID() };
    const events = await readEvents(
      await person.send('POST', `/api/chats/${chatId}/messages`, body, headers),
    );
    expect(events.at(-1)?.data).toMatchObject({ state: 'done', creditsCharged: 5, answeredBy: other });
    const { messages } = await openChat(person, chatId);
    expect(messages[1]).toMatchObject({ model: deep, answeredBy: other });
    const run = await waitForEnd(person, messages[1]?.generationId ?? '');
    expect(run).toMatchObject({ answeredBy: other, creditsCharged: 5 });
    const again = await readEvents(await person.get(`/api/generations/${run.id}/events`));
    expect(again.at(-1)?.data).toMatchObject({ state: 'done', answeredBy: other });
    const { rows } = await server.database.query(
      'select model, answered_by from gateway_calls where generation_id = $1',
      [run.id],
    );
    expect(rows).toEqual([{ model: deep, answered_by: other }]);
  });

  test('is not reported if the model itself answers', async () => {
    const sent = await sendBody(person, randomUUID(), {
      text: `${word} ${quick}`,
      create: true,
      model: deep,
    });
    const { id } = await waitForEnd(person, sent.body.generation.id);
    const events = await readEvents(await person.get(`/api/generations/${id}/events`));
    expect(events.at(-1)?.data).toMatchObject({ state: 'done', answeredBy: null });
  });

  test('that is unavailable too refunds everything', async () => {
    const text = away(deep, vast, other);
    const sent = await sendBody(person, randomUUID(), { text, create: true, model: deep });
    expect(await waitForEnd(person, sent.body.generation.id)).toMatchObject({
      state: 'failed',
      answeredBy: null,
    });
    expect(await person.credits()).toBe(100);
  });
});

test('of many simultaneous messages only as many start as the balance covers', async () => {
  const limited = await createPerson(server, { credits: 12 });
  const chats = await Promise.all(Array.from({ length: 3 }, () => newChat(limited)));
  const sent = await Promise.all(
    Array.from({ length: 12 }, (_, at) =>
      sendBody(limited, chats[at % 3] ?? '', { text: `${word} ${quick}`, model: deep, price: 5 }),
    ),
  );
  const started = sent.filter(({ status }) => status === 202);
  expect(started.length).toBe(2);
  for (const { body } of started) await waitForEnd(limited, body.generation.id);
  expect(await limited.credits()).toBe(2);
});

test('a removed model finishes its running reply; then the chat falls back to the first model', async () => {
  const chatId = randomUUID();
  const key = randomUUID();
  const body = { text: `${word} [[mode:hold]] [[holdAfter:2]]`, create: true, model: deep, price: 5 };
  const running = await sendBody(person, chatId, body, key);
  await eventually(async () => (await modelsCalled()).length === 1);
  await offerModels(lines[0] ?? '', lines[2] ?? '');
  await release(server, word);
  expect(await waitForEnd(person, running.body.generation.id)).toMatchObject({
    state: 'done',
    creditsCharged: 5,
  });

  const refused = await sendBody(person, chatId, { text: `${word} ${quick}`, model: deep, price: 5 });
  expect([refused.status, refused.body.code]).toEqual([409, 'model_gone']);
  // A repeated request gets the run that it started, however late.
  const repeated = await sendBody(person, chatId, body, key);
  expect([repeated.status, repeated.body.generation.id]).toEqual([202, running.body.generation.id]);
  expect((await openChat(person, chatId)).model).toBe(deep);
  expect(await costOf(chatId, { create: false })).toBe(1);
  expect(await modelsCalled()).toEqual([deep, fast]);
  await offerModels(...lines);
});

test('a custom assistant sets its model, which another choice replaces', async () => {
  const created = await person.send('POST', '/api/assistants', { name: 'Thinker', model: deep });
  const { id } = (await created.json()) as { id: string };
  const chatId = randomUUID();
  expect(await costOf(chatId, { assistant: id })).toBe(5);
  expect((await openChat(person, chatId)).model).toBe(deep);
  expect(await costOf(chatId, { model: null, price: 1 })).toBe(1);
  const choose = (assistant: string) => person.send('PUT', '/api/chats/assistant', { chatId, assistant });
  expect((await choose('general')).status).toBe(204);
  expect((await openChat(person, chatId)).model).toBe(null);
  expect((await choose(id)).status).toBe(204);
  expect(await costOf(chatId, {})).toBe(5);
  expect(await modelsCalled()).toEqual([deep, fast, deep]);
  // An unknown model is refused; a Pro model is refused as it is for a chat.
  expect((await person.send('PATCH', `/api/assistants/${id}`, { model: 'maker/none' })).status).toBe(400);
  expect((await person.send('PATCH', `/api/assistants/${id}`, { model: vast })).status).toBe(200);
  const pro = await sendBody(person, randomUUID(), { text: `${word} ${quick}`, create: true, assistant: id });
  expect([pro.status, pro.body.code]).toEqual([403, 'plan_required']);
  expect((await person.send('PATCH', `/api/assistants/${id}`, { model: null })).status).toBe(200);
  expect(await costOf(randomUUID(), { assistant: id })).toBe(1);
});

test('without a list the site’s model answers, and model names are refused', async () => {
  await changeSetting([server], ['unset', 'models.list']);
  expect(await costOf(randomUUID(), {})).toBe(1);
  expect(await modelsCalled()).toEqual(['maker/site']);
  expect((await sendBody(person, randomUUID(), { text: word, create: true, model: deep })).body.code).toBe(
    'model_gone',
  );
  expect(visibleText(await (await fetch(`${server.url}/pricing`)).text())).not.toContain('Models in chat');
  await offerModels(...lines);
  expect(visibleText(await (await fetch(`${server.url}/pricing`)).text())).toContain(
    'Per message on the free plan: Fast: 1 credit, Deep: 5 credits, Vast: Pro only',
  );
});

test('a choice is stored for the chat and for the next one, is exported, and belongs to the owner', async () => {
  const chatId = await newChat(person);
  const choose = (user: Person, body: object) => user.send('PUT', '/api/chats/model', body);
  const storedModel = async () =>
    ((await (await person.get('/api/me')).json()) as { chatModel: string | null }).chatModel;
  expect(await storedModel()).toBe(null);
  expect((await choose(person, { model: deep, chatId })).status).toBe(204);
  expect([(await openChat(person, chatId)).model, await storedModel()]).toEqual([deep, deep]);
  expect((await choose(person, { model: null })).status).toBe(204);
  expect([(await openChat(person, chatId)).model, await storedModel()]).toEqual([deep, null]);
  expect((await choose(person, { model: 'maker/none', chatId })).status).toBe(409);
  const otherPerson = await createPerson(server);
  expect((await choose(otherPerson, { model: vast, chatId })).status).toBe(404);
  expect((await openChat(person, chatId)).model).toBe(deep);
  await choose(person, { model: vast });
  expect(await storedModel()).toBe(vast);
  const { data } = await downloadArchive(person);
  expect([data.account.chatModel, data.chats.map(({ model }) => model)]).toEqual([vast, [deep]]);
});

describe('over the API', () => {
  const user = (content: string) => [{ role: 'user' as const, content }];

  test('every model is listed, answers at its price and counts against the ceiling', async () => {
    const { secret } = await createKey(person, { ceiling: 11, scopes: ['chat'] });
    const openai = openaiClient(server, secret);
    expect((await openai.models.list()).data.map(({ id }) => id)).toEqual([fast, deep, vast]);
    const answer = await openai.chat.completions.create({ model: deep, messages: user(`${word} ${quick}`) });
    expect(answer.model).toBe(deep);
    await openai.chat.completions.create({ model: deep, messages: user(`${word} ${quick}`) });
    expect(await person.credits()).toBe(90);
    expect(await listKeys(person)).toMatchObject([{ month: { runs: 2, credits: 10 } }]);
    const callModel = (model: string) =>
      refusalOf(openai.chat.completions.create({ model, messages: user(`${word} ${quick}`) }));
    expect(await callModel(deep)).toMatchObject({ status: 429, code: 'insufficient_quota' });
    expect(await callModel('maker/none')).toMatchObject({ status: 404, code: 'model_not_found' });
    expect(await callModel('maker/site')).toMatchObject({ status: 404, code: 'model_not_found' });
    const free = await createKey(person, { scopes: ['chat'] });
    const proCall = openaiClient(server, free.secret).chat.completions.create({
      model: vast,
      messages: user(word),
    });
    expect(await refusalOf(proCall)).toMatchObject({ status: 403, code: 'plan_required' });
    expect(await modelsCalled()).toEqual([deep, deep]);
  });

  test('the context of the model limits the length of a request', async () => {
    const { secret } = await createKey(person, { scopes: ['chat'] });
    const messages = user(`${word} ${quick} ${'word '.repeat(4_000)}`);
    const openai = openaiClient(server, secret);
    const refused = await refusalOf(openai.chat.completions.create({ model: deep, messages }));
    expect(refused).toMatchObject({ status: 400, code: 'context_length_exceeded' });
    expect((await openai.chat.completions.create({ model: fast, messages })).model).toBe(fast);
  });
});

test('the list is shown as typed, and invalid lines are refused with the reason', async () => {
  const printed = await settingsCommand(server, ['get', 'models.list']);
  expect(printed.output).toContain(JSON.stringify(lines));
  const refused = await settingsCommand(server, [
    'set',
    'models.list',
    ...lines,
    'maker/more | More | | 5 coins',
  ]);
  expect([refused.code, refused.output]).toEqual([
    1,
    expect.stringContaining('models.list line 4 has the unknown option "5 coins"'),
  ]);
});
