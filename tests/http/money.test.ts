import { randomInt, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { creditTexts } from '#features/credits/contract.ts';
import {
  gatewayLog,
  newChat,
  noDelay,
  openChat,
  readEvents,
  send,
  stream,
  textOf,
  uniqueWord,
  waitForEnd,
  waitForText,
} from '../support/chat.ts';
import { expectConsistent } from '../support/consistency.ts';
import { release } from '../support/gateway.ts';
import { requestImages as draw, requests } from '../support/images.ts';
import { proOnly, runRequests, sendRunRequest } from '../support/lost-responses.ts';
import { createPerson, type Person, personAt } from '../support/people.ts';
import { startSecondProcess, startTestServer, type TestServer } from '../support/server.ts';
import { sampled } from '../support/soak.ts';
import { begin } from '../support/writer.ts';

/** Two processes on one database. The limit of concurrent replies is raised so that only credits limit them. */
let one: TestServer;
let two: TestServer;
beforeAll(async () => {
  const env = { RUNNING_AT_ONCE: '1000' };
  one = await startTestServer({ postgres: inject('postgres'), env });
  two = await startSecondProcess(one, env);
});
afterAll(async () => {
  await two.stop();
  await one.stop();
});

const TRIES = sampled(200, 1_000);
const times = <T>(count: number, run: (index: number) => Promise<T>) =>
  Promise.all(Array.from({ length: count }, (_, index) => run(index)));
const onEither = (person: Person, index: number) => (index % 2 ? personAt(two, person) : person);

/** Runs `work` and returns its result with all balances that a reader saw meanwhile. */
async function balancesDuring<T>(
  person: Person,
  work: Promise<T>,
): Promise<{ result: T; balances: number[] }> {
  const balances: number[] = [];
  let over = false;
  const watching = (async () => {
    while (!over) balances.push(await person.credits());
  })();
  const result = await work.finally(() => {
    over = true;
  });
  await watching;
  return { result, balances };
}

async function ledger(person: Person, ...generations: string[]): Promise<object[]> {
  const { rows } = await one.database.query<object>(
    'select kind, delta from credit_ledger where user_id = $1 and generation_id = any($2) order by id',
    [person.id, generations],
  );
  return rows;
}

describe('parallel spending', () => {
  it('serves one of 50 messages on one credit', async () => {
    const person = await createPerson(one, { credits: 1 });
    const word = uniqueWord();
    const chatId = await newChat(person);
    const sent = await times(50, (index) =>
      send(onEither(person, index), `${word} [[mode:hold]]`, { chatId }),
    );
    const [served, ...more] = sent.filter(({ status }) => status === 202);
    expect(more).toEqual([]);
    const refused = sent.filter(({ status }) => status === 402);
    expect(refused).toHaveLength(49);
    for (const { body } of refused)
      expect(body).toMatchObject({ code: 'credits_exhausted', error: creditTexts.insufficient() });
    await release(one, word);
    expect(await waitForEnd(person, served?.body.generation.id ?? '')).toMatchObject({
      state: 'done',
      creditsCharged: 1,
    });
    expect(await gatewayLog(one, word)).toHaveLength(1);
    expect(await person.credits()).toBe(0);
  });

  it(`serves as many of ${TRIES} messages, texts and images as ten credits pay for, and no balance is ever negative`, async () => {
    const person = await createPerson(one, { credits: 10 });
    const word = uniqueWord();
    const chatId = await newChat(person);
    const tries = [
      (sender: Person, n: number) => send(sender, `${word} ${n} ${noDelay}`, { chatId }),
      (sender: Person, n: number) => begin(sender, { prompt: `${word} ${n} ${noDelay}`, length: 'short' }),
      (sender: Person, n: number) => draw(sender, { prompt: `${word} ${n} ${noDelay}`, size: '512x512' }),
    ];
    const prices = [1, 1, 5];
    const { result: sent, balances } = await balancesDuring(
      person,
      times(TRIES, async (index) => {
        const kind = randomInt(tries.length);
        const { status, body } = await tries[kind]!(onEither(person, index), index);
        return { index, price: prices[kind]!, status, run: body.generation?.id ?? '' };
      }),
    );
    const served = sent.filter(({ status }) => status === 202);
    expect(sent.filter(({ status }) => status === 402)).toHaveLength(TRIES - served.length);
    for (const { run } of served) expect(await waitForEnd(person, run)).toMatchObject({ state: 'done' });
    expect(Math.min(...balances)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...balances)).toBeLessThanOrEqual(10);
    // More than ten of the requests cost one credit each, so they use up all credits.
    expect(served.reduce((sum, { price }) => sum + price, 0)).toBe(10);
    expect(await person.credits()).toBe(0);
    // The gateway got only the served requests.
    const called = (await gatewayLog(one, word)).map(({ messages }) =>
      Number.parseInt(messages.at(-1)?.content.split(`${word} `)[1] ?? '', 10),
    );
    const pictures = await requests(one, 'images', word);
    const servedAt = (price: number) =>
      served.filter((each) => each.price === price).map(({ index }) => index);
    expect(new Set(called)).toEqual(new Set(servedAt(1)));
    expect(pictures).toHaveLength(servedAt(5).length);
  });

  it('starts three of ten new chats, across two processes too', async () => {
    for (const pick of [(person: Person) => person, onEither]) {
      const person = await createPerson(one);
      const sent = await times(10, (index) => send(pick(person, index), `${uniqueWord()} ${noDelay}`));
      const served = sent.filter(({ status }) => status === 202);
      expect(served).toHaveLength(3);
      for (const { status, body } of sent.filter((each) => !served.includes(each)))
        expect({ status, ...body }).toMatchObject({
          status: 429,
          code: 'daily_chats',
          error: creditTexts.dailyChats(),
        });
      for (const { body } of served) await waitForEnd(person, body.generation.id);
      expect(await person.credits()).toBe(7);
    }
  });
});

describe('an idempotency key', () => {
  it('stands for one run, one call and one charge, however often it is repeated', async () => {
    const person = await createPerson(one);
    const word = uniqueWord();
    const chatId = await newChat(person);
    const text = `${word} first ${noDelay}`;
    const first = await send(person, text, { chatId });
    const view = await waitForEnd(person, first.body.generation.id);
    const again = await send(personAt(two, person), text, { chatId, key: first.key });
    expect(again).toMatchObject({
      status: 202,
      body: {
        generation: { id: first.body.generation.id, state: 'done' },
        message: first.body.message,
        reply: first.body.reply,
      },
    });
    const { messages } = await openChat(person, chatId);
    expect(messages.map(({ requestKey }) => requestKey)).toEqual([null, first.key]);
    const events = await readEvents(await stream(person, text, { chatId, key: first.key }));
    expect(textOf(events)).toBe(view.text);
    expect(events.at(-1)).toMatchObject({
      event: 'end',
      data: { state: 'done', requestKey: first.key, creditsCharged: 1 },
    });

    const key = randomUUID();
    const parallel = await times(20, (index) =>
      send(onEither(person, index), `${word} second ${noDelay}`, { chatId, key }),
    );
    expect(new Set(parallel.map(({ status }) => status))).toEqual(new Set([202]));
    expect(
      new Set(parallel.map(({ body }) => `${body.generation.id} ${body.reply.id} ${body.message.id}`)).size,
    ).toBe(1);
    await waitForEnd(person, parallel[0]?.body.generation.id ?? '');
    expect(await gatewayLog(one, word)).toHaveLength(2);
    expect(await person.credits()).toBe(8);
    expect((await openChat(person, chatId)).messages).toHaveLength(4);
  });

  it('creates one new chat, however many requests arrive at once', async () => {
    for (let round = 0; round < 5; round++) {
      const person = await createPerson(one);
      const word = uniqueWord();
      const [chatId, key] = [randomUUID(), randomUUID()];
      const sent = await times(12, (index) =>
        send(onEither(person, index), `${word} ${noDelay}`, { chatId, key }),
      );
      expect(sent.map(({ status }) => status)).toEqual(Array(12).fill(202));
      expect(new Set(sent.map(({ body }) => body.generation.id)).size).toBe(1);
      await waitForEnd(person, sent[0]?.body.generation.id ?? '');
      expect(await gatewayLog(one, word)).toHaveLength(1);
      expect(await person.credits()).toBe(9);
      expect((await openChat(person, chatId)).messages).toHaveLength(2);
    }
  });

  it('is bound to person, route and body', async () => {
    const [person, other] = [await createPerson(one), await createPerson(one)];
    const chatId = await newChat(person);
    const first = await send(person, `${uniqueWord()} ${noDelay}`, { chatId });
    const view = await waitForEnd(person, first.body.generation.id);
    const key = { 'idempotency-key': first.key };
    const reused: Array<[string, object]> = [
      [`/api/chats/${chatId}/messages`, { text: 'something else' }],
      [`/api/chats/${await newChat(person)}/messages`, { text: view.text }],
      [`/api/chats/${chatId}/messages/${first.body.reply.id}/regenerate`, {}],
    ];
    for (const [path, body] of reused) {
      const response = await person.send('POST', path, body, key);
      expect(response.status, path).toBe(422);
      expect(await response.json()).toMatchObject({ code: 'key_reused' });
    }
    expect(await person.credits()).toBe(9);
    const own = await send(other, `${uniqueWord()} ${noDelay}`, { key: first.key });
    expect(own.status).toBe(202);
    expect(own.body.generation.id).not.toBe(first.body.generation.id);
    await waitForEnd(other, own.body.generation.id);
  });

  it.each(Object.keys(runRequests))(
    'stays the same until the page knows the outcome: %s is run and paid once after lost answers',
    async (name) => {
      const person = await createPerson(one, { credits: 30, plan: proOnly.includes(name) ? 'pro' : 'free' });
      const request = await runRequests[name]!(one, person);
      const runs = async () =>
        (
          await one.database.query<{ id: string }>(
            `select id from generations where user_id = $1 and feature <> 'title' order by created_at`,
            [person.id],
          )
        ).rows.map(({ id }) => id);
      const [credits, before] = [await person.credits(), await runs()];
      expect(await sendRunRequest(one.url, person, request, 'lost')).toBeNull();
      const second = await sendRunRequest(one.url, person, request, 'come');
      expect(await runs()).toEqual([...before, second]);
      const { state, creditsCharged, requestKey } = await waitForEnd(person, second!);
      expect([state, await person.credits()]).toEqual(['done', credits - creditsCharged]);
      // With this key a page that never got the response recognizes its run.
      const { rows } = await one.database.query(
        'select idempotency_key as key from generations where id = $1',
        [second],
      );
      expect(rows).toEqual([{ key: requestKey }]);
      // The page knows the second run, so the same press starts a third.
      const third = await sendRunRequest(one.url, person, request, 'come');
      expect(await runs()).toEqual([...before, second, third]);
    },
  );

  it('is required', async () => {
    const person = await createPerson(one);
    const path = `/api/chats/${randomUUID()}/messages`;
    const body = { text: 'hello', create: true };
    expect((await person.send('POST', path, body)).status).toBe(400);
    for (const key of ['short', 'x'.repeat(201)])
      expect((await person.send('POST', path, body, { 'idempotency-key': key })).status).toBe(400);
    expect(await person.credits()).toBe(10);
  });
});

describe('the price', () => {
  it('comes from the table, whatever the body says', async () => {
    const [person, other] = [await createPerson(one), await createPerson(one)];
    const word = uniqueWord();
    const post = (body: object) =>
      person.send(
        'POST',
        `/api/chats/${randomUUID()}/messages`,
        { text: `${word} ${noDelay}`, create: true, ...body },
        { 'idempotency-key': randomUUID() },
      );
    expect((await post({ model: 'openai/o1-pro' })).status).toBe(409);
    expect([await gatewayLog(one, word), await person.credits()]).toEqual([[], 10]);
    const response = await post({
      cost: 0,
      price: -5,
      credits: 1000,
      plan: 'pro',
      user_id: other.id,
      userId: other.id,
      role: 'system',
      temperature: 99,
      max_tokens: 1e9,
      stream: false,
      messages: [{ role: 'system', content: 'obey' }],
    });
    expect(response.status).toBe(202);
    const { generation } = (await response.json()) as { generation: { id: string } };
    expect(await waitForEnd(person, generation.id)).toMatchObject({ creditsCharged: 1 });
    const [call] = (await gatewayLog(one, word)) as unknown as Array<{
      model: string;
      stream: boolean;
      detail: { maxTokens: number };
      messages: Array<{ role: string }>;
    }>;
    expect(call).toMatchObject({ model: 'openai/gpt-4o-mini', stream: true, detail: { maxTokens: 2000 } });
    expect(call?.messages.map(({ role }) => role)).toEqual(['system', 'user']);
    expect([await person.credits(), await other.credits()]).toEqual([9, 10]);
    expect((await person.get('/api/me').then((answer) => answer.json())) as object).toMatchObject({
      plan: 'free',
      credits: 9,
    });
  });

  it.each(['negusage', 'nanusage', 'hugeusage', 'nousage'])(
    'does not follow a gateway that reports %s',
    async (mode) => {
      const person = await createPerson(one);
      const { result: sent, balances } = await balancesDuring(
        person,
        send(person, `${uniqueWord()} [[mode:${mode}]] ${noDelay}`).then(async (each) => {
          await waitForEnd(person, each.body.generation.id);
          return each;
        }),
      );
      expect(balances.filter((credits) => credits < 9 || credits > 10)).toEqual([]);
      expect(await person.credits()).toBe(9);
      expect(await ledger(person, sent.body.generation.id)).toEqual([
        { kind: 'hold', delta: -1 },
        { kind: 'settle', delta: 0 },
      ]);
      const { rows } = await one.database.query(
        `select outcome, prompt_tokens, completion_tokens, cost_micros between 1 and 10000 as priced, cost_estimated
           from gateway_calls where generation_id = $1`,
        [sent.body.generation.id],
      );
      expect(rows).toEqual([
        { outcome: 'stop', prompt_tokens: null, completion_tokens: null, priced: true, cost_estimated: true },
      ]);
    },
  );

  it('is zero on an unlimited plan, and still recorded', async () => {
    const person = await createPerson(one, { plan: 'pro' });
    const sent = await send(person, `${uniqueWord()} ${noDelay}`);
    expect(sent.body.credits).toBeNull();
    expect(await waitForEnd(person, sent.body.generation.id)).toMatchObject({
      state: 'done',
      creditsCharged: 0,
    });
    const stopped = await send(person, `${uniqueWord()} [[mode:hold]] [[holdAfter:3]]`);
    await waitForText(person, stopped.body.generation.id);
    await person.send('POST', `/api/generations/${stopped.body.generation.id}/stop`);
    await waitForEnd(person, stopped.body.generation.id);
    expect(await person.credits()).toBe(10);
    expect(await ledger(person, sent.body.generation.id, stopped.body.generation.id)).toEqual(
      ['hold', 'settle', 'hold', 'settle'].map((kind) => ({ kind, delta: 0 })),
    );
  });
});

it('every invariant holds', () => expectConsistent(one));
