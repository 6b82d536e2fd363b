import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { creditTexts } from '#features/credits/contract.ts';
import {
  follow,
  gatewayLog,
  listen,
  newChat,
  noDelay,
  send,
  stop,
  textOf,
  uniqueWord,
  waitForEnd,
  waitForText,
} from '../support/chat.ts';
import { expectConsistent } from '../support/consistency.ts';
import { release } from '../support/gateway.ts';
import { createPerson, type Person } from '../support/people.ts';
import { eventually, startTestServer, type TestServer } from '../support/server.ts';
import { moveClock } from '../support/visitor.ts';

const CAP = 0.002;
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({
    postgres: inject('postgres'),
    env: { FAIR_USE_CHAT: '2', SPEND_CAP_DAY: String(CAP), RELEASED_PER_HOUR: '4', RELEASED_PER_DAY: '6' },
  });
});
afterAll(() => server.stop());

/** Real time until the next UTC day, in ms. */
async function untilMidnight(): Promise<number> {
  const { rows } = await server.database.query<{ ms: number }>(
    `select (extract(epoch from date_trunc('day', now(), 'UTC') + interval '1 day' - now()) * 1000)::int as ms`,
  );
  return rows[0]?.ms ?? 0;
}

/** Returns the refusal's body with its status and Retry-After in seconds. */
async function refusal(person: Person, path: string, body: object): Promise<Record<string, unknown>> {
  const response = await person.send('POST', path, body, { 'idempotency-key': uniqueWord() });
  const wait = Number(response.headers.get('retry-after'));
  return { ...((await response.json()) as object), status: response.status, wait };
}

const sendAndWait = async (person: Person, chatId?: string) => {
  const sent = await send(person, `${uniqueWord()} ${noDelay}`, { chatId });
  expect(sent.status).toBe(202);
  return waitForEnd(person, sent.body.generation.id);
};

describe('replies at once', () => {
  it('are limited to two; the third is refused without a charge', async () => {
    const person = await createPerson(server);
    const word = uniqueWord();
    const chatId = await newChat(person);
    const running = [
      await send(person, `${word} [[mode:hold]] [[holdAfter:2]]`, { chatId }),
      await send(person, `${word} [[mode:hold]] [[holdAfter:2]]`, { chatId }),
    ];
    const refused = await refusal(person, `/api/chats/${chatId}/messages`, { text: word });
    expect(refused).toMatchObject({ status: 429, code: 'too_many_running', error: creditTexts.running(2) });
    expect(refused.wait).toBeGreaterThan(0);
    expect(await person.credits()).toBe(8);
    const [first] = running;
    await waitForText(person, first?.body.generation.id ?? '');
    await stop(person, first?.body.generation.id ?? '');
    await waitForEnd(person, first?.body.generation.id ?? '');
    await sendAndWait(person, chatId);
    await release(server, word);
    for (const { body } of running) await waitForEnd(person, body.generation.id);
    expect(await person.credits()).toBe(7);
  });

  it('do not include title runs', async () => {
    const person = await createPerson(server);
    const word = uniqueWord();
    const first = await send(person, `${word} [[title:hold]] ${noDelay}`);
    await waitForEnd(person, first.body.generation.id);
    const titles = () =>
      server.database.query(
        `select 1 from generations where user_id = $1 and feature = 'title' and state = 'running'`,
        [person.id],
      );
    await eventually(async () => (await titles()).rowCount === 1);
    const texts = [`${word} one [[mode:hold]]`, `${word} two [[mode:hold]]`];
    const running = await Promise.all(texts.map((text) => send(person, text, { chatId: first.chatId })));
    expect(running.map(({ status }) => status)).toEqual([202, 202]);
    await release(server, word, 3);
    for (const { body } of running) expect((await waitForEnd(person, body.generation.id)).state).toBe('done');
  });
});

describe('a day', () => {
  it('ends at midnight UTC, for new conversations (deleted ones included) and for fair use', async () => {
    const msLeft = await untilMidnight();
    await moveClock(server, msLeft - 30_000);
    const [free, pro] = [await createPerson(server), await createPerson(server, { plan: 'pro' })];
    await sendAndWait(free);
    const chats = [await newChat(free), await newChat(free)];
    expect((await free.send('DELETE', `/api/chats/${chats[0]}`)).status).toBe(204);
    for (const path of ['/api/chats', `/api/chats/${crypto.randomUUID()}/messages`]) {
      const refused = await refusal(free, path, path === '/api/chats' ? {} : { text: 'hello', create: true });
      expect(refused).toMatchObject({ status: 429, code: 'daily_chats', error: creditTexts.dailyChats() });
      expect(refused.wait).toBeGreaterThan(0);
      expect(refused.wait).toBeLessThanOrEqual(30);
    }
    await sendAndWait(free, chats[1]);
    expect(await free.credits()).toBe(8);

    const chatId = await newChat(pro);
    await sendAndWait(pro, chatId);
    await sendAndWait(pro, chatId);
    const refused = await refusal(pro, `/api/chats/${chatId}/messages`, { text: 'once more' });
    expect(refused).toMatchObject({ status: 429, code: 'daily_fair_use', error: creditTexts.fairUse() });
    expect(refused.wait).toBeGreaterThan(0);
    expect(refused.wait).toBeLessThanOrEqual(30);

    await moveClock(server, msLeft + 1_000);
    await sendAndWait(free);
    await sendAndWait(pro, chatId);
    await newChat(free);
    await newChat(free);
    expect(await refusal(free, '/api/chats', {})).toMatchObject({ status: 429, code: 'daily_chats' });
  });

  it('has a cost cap for the whole site', async () => {
    const person = await createPerson(server, { credits: 1000 });
    const chatId = await newChat(person);
    const word = uniqueWord();
    const text = `${word} [[answer:lorem]] [[tokens:2000]] ${noDelay}`;
    const costly = await send(person, text, { chatId });
    expect(await waitForEnd(person, costly.body.generation.id)).toMatchObject({ state: 'done' });
    const { rows } = await server.database.query<{ usd: number }>(
      'select cost_micros / 1e6::float8 as usd from gateway_calls where generation_id = $1',
      [costly.body.generation.id],
    );
    expect(rows[0]?.usd).toBeGreaterThan(CAP);
    const refused = await eventually(async () => {
      const answer = await refusal(person, `/api/chats/${chatId}/messages`, { text: noDelay });
      return answer.status === 503 && answer;
    });
    expect(refused).toMatchObject({ code: 'spend_cap', error: creditTexts.spendCap() });
    expect(refused.wait).toBeGreaterThan(0);
    const before = await person.credits();
    expect(await refusal(person, `/api/chats/${chatId}/messages`, { text: 'again' })).toMatchObject({
      status: 503,
    });
    expect(await person.credits()).toBe(before);
    await eventually(async () => server.output().includes('SPEND_CAP_DAY is reached'));
    expect(server.output().match(/SPEND_CAP_DAY is reached/g)).toHaveLength(1);
    // A run that exists is not refused: the same key returns it.
    const again = await send(person, text, { chatId, key: costly.key });
    expect(again).toMatchObject({
      status: 202,
      body: { generation: { id: costly.body.generation.id, state: 'done' } },
    });
    expect(await gatewayLog(server, word)).toHaveLength(1);

    await moveClock(server, (await untilMidnight()) + 24 * 3600_000 + 1_000);
    await eventually(
      async () => (await send(person, `${uniqueWord()} ${noDelay}`, { chatId })).status === 202,
    );
  });
});

describe('the cost of a day', () => {
  const costs = async (generationId: string) => {
    const { rows } = await server.database.query<{ micros: number; estimated: boolean; outcome: string }>(
      `select cost_micros::int as micros, cost_estimated as estimated, outcome from gateway_calls
        where generation_id = $1 order by started_at`,
      [generationId],
    );
    return rows;
  };

  it('includes calls without reported usage, and stopped ones', async () => {
    const person = await createPerson(server, { credits: 1000 });
    const chatId = await newChat(person);
    const silent = await send(person, `${uniqueWord()} [[mode:nousage]] ${noDelay}`, { chatId });
    await waitForEnd(person, silent.body.generation.id);
    const stopped = await send(person, `${uniqueWord()} [[mode:hold]] [[holdAfter:3]]`, { chatId });
    const { id } = stopped.body.generation;
    await waitForText(person, id);
    await eventually(async () => ((await costs(id))[0]?.micros ?? 0) > 0);
    const [openCall] = await costs(id);
    expect(openCall).toMatchObject({ estimated: true, outcome: 'open' });
    await stop(person, id);
    await waitForEnd(person, id);
    const [call] = await costs(id);
    expect(call).toMatchObject({ estimated: true, outcome: 'aborted' });
    expect(call?.micros).toBeGreaterThan(openCall?.micros ?? 0);
    const [silentCall] = await costs(silent.body.generation.id);
    expect(silentCall).toMatchObject({ estimated: true, outcome: 'stop' });
    expect(silentCall?.micros).toBeGreaterThan(0);
  });

  it('is checked before each further call of a run, which then ends with what it has', async () => {
    const person = await createPerson(server);
    const word = uniqueWord();
    const started = await person.send(
      'POST',
      '/api/write',
      { prompt: `${word} [[words:120,400]] [[mode:hold]] [[holdAfter:3]] ${noDelay}`, length: 'short' },
      { 'idempotency-key': uniqueWord(), prefer: 'respond-async' },
    );
    const { generation } = (await started.json()) as { generation: { id: string } };
    await waitForText(person, generation.id);
    await server.database.query(
      `insert into gateway_calls (id, generation_id, purpose, model, outcome, cost_micros)
       values (gen_random_uuid(), $1, 'test', 'm', 'lost', $2)`,
      [generation.id, CAP * 1e6],
    );
    await release(server, word);
    expect(await waitForEnd(person, generation.id)).toMatchObject({ state: 'done', creditsCharged: 1 });
    expect(await gatewayLog(server, word)).toHaveLength(1);
    expect(await refusal(person, '/api/write', { prompt: 'more' })).toMatchObject({
      status: 503,
      code: 'spend_cap',
    });
  });
});

describe('released starts', () => {
  /** Starts six runs at once and stops the admitted ones, until none is admitted. @returns how many were */
  async function releaseUntilRefused(person: Person, chatId: string): Promise<number> {
    let all = 0;
    for (let admitted = 1; admitted > 0; all += admitted) {
      const starts = Array.from({ length: 6 }, () =>
        send(person, `${uniqueWord()} [[mode:stallhead]]`, { chatId }),
      );
      const sent = (await Promise.all(starts)).filter(({ status }) => status === 202);
      for (const { body } of sent) {
        await stop(person, body.generation.id);
        expect(await waitForEnd(person, body.generation.id)).toMatchObject({
          state: 'stopped',
          creditsCharged: 0,
        });
      }
      admitted = sent.length;
    }
    return all;
  }

  it('are limited per hour and per day, in parallel too; gateway failures do not count', async () => {
    const hour = 3600_000;
    const eveningOffset = (await untilMidnight()) + 72 * hour - 3 * hour;
    await moveClock(server, eveningOffset);
    const [person, failing] = [await createPerson(server), await createPerson(server)];
    const chats = [await newChat(person), await newChat(failing)] as const;
    for (let failed = 0; failed < 5; failed++) {
      const { body } = await send(failing, `${uniqueWord()} [[mode:503]]`, { chatId: chats[1] });
      expect(await waitForEnd(failing, body.generation.id)).toMatchObject({ state: 'failed' });
    }
    await sendAndWait(failing, chats[1]);

    expect(await releaseUntilRefused(person, chats[0])).toBe(4);
    const path = `/api/chats/${chats[0]}/messages`;
    const refused = await refusal(person, path, { text: 'once more' });
    expect(refused).toMatchObject({ status: 429, code: 'too_many_released' });
    expect(refused.error).toMatch(/Nothing was charged.* at \d\d:\d\d UTC\.$/);
    expect(refused.wait).toBeGreaterThan(3000);
    expect(refused.wait).toBeLessThanOrEqual(3600);
    expect(await person.credits()).toBe(10);

    await moveClock(server, eveningOffset + hour + 60_000);
    expect(await releaseUntilRefused(person, chats[0])).toBe(2);
    const tomorrow = await refusal(person, path, { text: 'once more' });
    expect(tomorrow).toMatchObject({ status: 429, code: 'too_many_released' });
    expect(tomorrow.error).toContain(' at 00:00 UTC.');
    await moveClock(server, eveningOffset + 3 * hour + 1_000);
    await sendAndWait(person, chats[0]);
    expect(await person.credits()).toBe(9);
  });
});

it('a person has at most ten event streams: the oldest is evicted, and no text is lost', async () => {
  const [person, other] = [await createPerson(server), await createPerson(server)];
  const word = uniqueWord();
  const own = await send(person, `${word} [[mode:hold]] [[holdAfter:3]] ${noDelay}`);
  const others = await send(other, `${word} [[mode:hold]] [[holdAfter:3]] ${noDelay}`);
  const { id } = own.body.generation;
  await waitForText(person, id);
  const open = async (reader: Person, run: string) =>
    listen(await reader.get(`/api/generations/${run}/events`));
  const otherStream = await open(other, others.body.generation.id);
  const streams: Awaited<ReturnType<typeof open>>[] = [];
  for (let nth = 0; nth < 13; nth++) {
    const next = await open(person, id);
    await eventually(async () => next.events.length > 0);
    streams.push(next);
  }
  const evicted = streams.slice(0, 3);
  await Promise.all(evicted.map(({ finished }) => finished));
  expect(evicted.map(({ events }) => events.at(-1)?.event)).toEqual(['evicted', 'evicted', 'evicted']);
  await release(server, word, 2);
  await Promise.all(streams.map(({ finished }) => finished));
  await otherStream.finished;
  const { text } = await waitForEnd(person, id);
  for (const { events } of streams.slice(3)) {
    expect(events.at(-1)).toMatchObject({ event: 'end', data: { state: 'done' } });
    expect(textOf(events)).toBe(text);
  }
  expect(otherStream.events.at(-1)?.event).toBe('end');
  const at = evicted[0]?.events.findLast((event) => event.id)?.id;
  const rest = await follow(person, id, { at });
  expect(textOf(rest, textOf(evicted[0]?.events ?? []))).toBe(text);
});

it('every invariant holds', () => expectConsistent(server));
