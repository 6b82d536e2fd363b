import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { type RunningStandIns, spawnStandIns } from '../../standins/spawn.ts';
import { createKey, openaiClient, refusalOf } from '../support/api-keys.ts';
import { downloadArchive } from '../support/archive.ts';
import {
  exchange,
  follow,
  gatewayLog,
  listen,
  openChat,
  requestVersion,
  type SseEvent,
  sendBody,
  startedReply,
  stop,
  stream,
  textOf,
  uniqueWord,
  waitForEnd,
} from '../support/chat.ts';
import { expectConsistent, waitUntilIdle } from '../support/consistency.ts';
import { runJob } from '../support/files.ts';
import { release } from '../support/gateway.ts';
import { createPerson, type Person, personAt } from '../support/people.ts';
import { makeDatabase } from '../support/postgres.ts';
import { eventually, startTestServer, type TestServer } from '../support/server.ts';
import { changeSetting } from '../support/settings.ts';
import { openPage, share } from '../support/shares.ts';
import { soak } from '../support/soak.ts';

let standIns: RunningStandIns;
let server: TestServer;
/** A second process of the same site. */
let other: TestServer;
beforeAll(async () => {
  standIns = await spawnStandIns();
  const postgres = inject('postgres');
  const databaseUrl = await makeDatabase(postgres);
  const shared = { postgres, standins: standIns.base, databaseUrl };
  server = await startTestServer(shared);
  other = await startTestServer({ ...shared, dataDir: server.dataDir });
});
afterAll(async () => {
  for (const each of [other, server]) await each.stop();
  await standIns.remove();
});

let person: Person;
let word: string;
beforeEach(async () => {
  person = await createPerson(server);
  word = uniqueWord();
});

const answer = 'w0001 w0002 w0003 ';
const thoughts = (count = 6) => Array.from({ length: count }, (_, at) => `thought${at + 1} `).join('');
const promptFor = (mode: string, more = '') =>
  `${word} [[mode:${mode}]] [[answer:lorem]] [[tokens:3]] [[tps:0]] [[first:0]] ${more}`;

/** Returns the thinking that a reader has after these events; `ms` is -1 without any. */
function thinkingOf(events: SseEvent[]): { text: string; ms: number } {
  let [text, ms] = ['', -1];
  for (const { event, data } of events) {
    if (event !== 'thinking') continue;
    expect(data.from).toBeLessThanOrEqual(text.length);
    text = text.slice(0, Number(data.from)) + String(data.text);
    ms = Number(data.ms);
  }
  return { text, ms };
}

const stored = async (id: string, reader = person) =>
  (await (await reader.get(`/api/generations/${id}/thinking`)).json()) as { text: string; ms: number };

const rowsOf = async (owner: Person) =>
  (
    await server.database.query<{ text: string }>(
      'select t.text from thinking t join generations g on g.id = t.generation_id where g.user_id = $1',
      [owner.id],
    )
  ).rows.map(({ text }) => text);

const offerThinkingModels = () =>
  changeSetting(
    [server],
    [
      ...['set', 'models.list', 'maker/fast | Fast | Quick'],
      'maker/deep | Deep | Hard | thinks, context 64000',
      'maker/low | Low | Short | thinks, context 4000',
    ],
  );

/** Returns the `max_tokens` of each call with the test's word. */
const requestedTokens = async () =>
  (await gatewayLog(server, word)).map(({ detail }) => (detail as { maxTokens?: number } | null)?.maxTokens);

describe('in a chat', () => {
  test.each(['reasoning', 'reasoningcontent', 'reasoningdetails', 'thinktags'])(
    '%s produces separate events before the text, and is stored with its duration',
    async (mode) => {
      const live = listen(await stream(person, promptFor(mode)));
      await live.finished;
      const { generation, chat } = startedReply(live.events);
      const { text, ms } = thinkingOf(live.events);
      expect([text.trim(), textOf(live.events)]).toEqual([thoughts().trim(), answer]);
      const names = live.events.map(({ event }) => event);
      expect(names.indexOf('thinking')).toBeLessThan(names.indexOf('delta'));
      expect(live.events.at(-1)).toMatchObject({
        event: 'end',
        data: { state: 'done', creditsCharged: 1, thoughtMs: ms },
      });
      expect(ms).toBeGreaterThan(0);
      expect(await stored(generation.id)).toEqual({ text, ms });
      const { messages } = await openChat(person, chat.id);
      expect(messages).toMatchObject([{ thoughtMs: null }, { content: answer, thoughtMs: ms }]);
      expect(await follow(person, generation.id)).toMatchObject([
        { event: 'thinking', data: { text, from: 0, ms } },
        { event: 'reset', data: { text: answer } },
        { event: 'end' },
      ]);
    },
  );

  test('is sent to no model again, and is in no title and no search', async () => {
    const chatId = randomUUID();
    for (const mode of ['thinktags', 'reasoning'])
      await exchange(person, chatId, { text: promptFor(mode, '[[title:thinktags]]') });
    await waitUntilIdle(server);
    const calls = await gatewayLog(server, word);
    expect(calls).toHaveLength(2);
    expect(calls[1]?.messages.map(({ content }) => content)).toContain(answer);
    expect(JSON.stringify(calls.map(({ messages }) => messages))).not.toContain('thought1');
    const { title, messages } = await openChat(person, chatId);
    expect(title).not.toMatch(/thought|think/);
    expect(messages[1]?.content).toBe(answer);
    expect(await (await person.get('/api/search?q=thought1')).json()).toMatchObject({ hits: [] });
    const markdown = await (await person.get(`/api/chats/${chatId}/export?format=md`)).text();
    expect(markdown).not.toContain('thought1');
  });

  test('without text is no reply: nothing is charged, and it can still be read', async () => {
    const sent = await sendBody(person, randomUUID(), { text: promptFor('thinkopen'), create: true });
    const run = await waitForEnd(person, sent.body.generation.id);
    expect(run).toMatchObject({ state: 'failed', creditsCharged: 0, text: '', error: { code: 'empty' } });
    expect((await stored(run.id)).text).toBe(`${thoughts()}${answer}`);
    expect(await person.credits()).toBe(10);
  });

  test('that is missing is stored as empty', async () => {
    const sent = await sendBody(person, randomUUID(), { text: promptFor('ok'), create: true });
    const run = await waitForEnd(person, sent.body.generation.id);
    expect(run).toMatchObject({ state: 'done', thoughtMs: null });
    expect(await stored(run.id)).toEqual({ text: '', ms: 0 });
    const events = await follow(person, run.id);
    expect(events.map(({ event }) => event)).toEqual(['reset', 'end']);
  });

  test.runIf(soak)('without end is limited, and the reply is complete', async () => {
    const sent = await sendBody(person, randomUUID(), {
      text: promptFor('reasoningcontent', '[[thought:40000]]'),
      create: true,
    });
    const run = await waitForEnd(person, sent.body.generation.id);
    expect(run).toMatchObject({ state: 'done', text: answer });
    expect((await stored(run.id)).text).toBe(thoughts(40_000).slice(0, 128 * 1024));
  });

  test('has extra tokens, besides those of the answer, for a thinking model', async () => {
    await offerThinkingModels();
    const chatId = randomUUID();
    for (const model of ['maker/fast', 'maker/deep', 'maker/low'])
      await exchange(person, chatId, { text: promptFor('ok'), model });
    await changeSetting([server], ['unset', 'models.list']);
    expect(await requestedTokens()).toEqual([2_000, 10_000, 2_000]);
  });

  test('happens anew for another version', async () => {
    const chatId = randomUUID();
    const first = await exchange(person, chatId, { text: promptFor('reasoning,ok') });
    const { body } = await requestVersion(person, 'regenerate', chatId, first.reply.id);
    expect(await waitForEnd(person, body.generation.id)).toMatchObject({ state: 'done', thoughtMs: null });
    expect((await stored(first.generation.id)).text).toBe(thoughts());
  });
});

describe('while it lasts', () => {
  const heldPrompt = () => promptFor('reasoning', '[[thought:9]] [[holdThought:4]]');
  const until = (text: string) => (events: SseEvent[]) => thinkingOf(events).text === text;

  test('it is shown to later readers, here and on another process, and continues for them', async () => {
    const live = listen(await stream(person, heldPrompt()));
    await eventually(async () => thinkingOf(live.events).text === thoughts(4));
    const { generation, chat } = startedReply(live.events);
    for (const process of [server, other]) {
      const remote = personAt(process, person);
      expect(thinkingOf(await follow(remote, generation.id, { until: until(thoughts(4)) })).text).toBe(
        thoughts(4),
      );
      const { messages } = await openChat(remote, chat.id);
      expect(messages[1]).toMatchObject({ content: '', thoughtMs: expect.any(Number) });
      expect((await stored(generation.id, remote)).text).toBe(thoughts(4));
    }
    const remoteStream = listen(
      await personAt(other, person).get(`/api/generations/${generation.id}/events`),
    );
    const localStream = listen(await person.get(`/api/generations/${generation.id}/events`));
    await release(server, word);
    for (const { finished, events } of [live, remoteStream, localStream]) {
      await finished;
      expect(events.at(-1)).toMatchObject({ event: 'end', data: { state: 'done' } });
    }
    const { ms } = await stored(generation.id);
    for (const { events } of [live, remoteStream, localStream]) {
      expect(thinkingOf(events)).toEqual({ text: thoughts(9), ms });
      expect(textOf(events)).toBe(answer);
    }
  });

  test('Stop keeps it, and nothing is charged', async () => {
    const live = listen(await stream(person, heldPrompt()));
    await eventually(async () => thinkingOf(live.events).text === thoughts(4));
    const { generation } = startedReply(live.events);
    await stop(personAt(other, person), generation.id);
    await live.finished;
    const { ms } = await stored(generation.id);
    expect(live.events.at(-1)).toMatchObject({
      event: 'end',
      data: { state: 'stopped', creditsCharged: 0, thoughtMs: ms },
    });
    expect(await stored(generation.id)).toEqual({ text: thoughts(4), ms });
    expect(await person.credits()).toBe(10);
  });

  test('text is logged and shown where no thinking can be stored', async () => {
    await server.database.query('alter table thinking add constraint none check (false) not valid');
    const oldest = async () => {
      const { rows } = await server.database.query<{ seq: number | null }>(
        'select min(s.seq)::int as seq from shown_pieces s join generations g on g.owner = s.owner where g.user_id = $1',
        [person.id],
      );
      return rows[0]?.seq ?? Infinity;
    };
    const live = listen(
      await stream(
        person,
        `${word} [[mode:reasoning]] [[answer:lorem]] [[tokens:2000]] [[tps:50]] [[first:0]]`,
      ),
    );
    const first = await eventually(async () => {
      const seq = await oldest();
      return textOf(live.events) !== '' && Number.isFinite(seq) && seq;
    });
    await eventually(async () => (await oldest()) > first);
    expect(live.events.some(({ event }) => event === 'end')).toBe(false);
    const { generation } = startedReply(live.events);
    await stop(person, generation.id);
    await live.finished;
    expect(live.events.at(-1)).toMatchObject({ event: 'end', data: { state: 'stopped', creditsCharged: 1 } });
    expect(await stored(generation.id)).toEqual({ text: '', ms: 0 });
    await server.database.query('alter table thinking drop constraint none');
  });

  test('the operator’s cost of a stopped run includes it', async () => {
    const costs = [];
    for (const count of [40, 4_000]) {
      const prompt = promptFor('reasoning', `[[thought:${count + 1}]] [[holdThought:${count}]]`);
      const live = listen(await stream(person, prompt));
      await eventually(async () => thinkingOf(live.events).text === thoughts(count));
      const { generation } = startedReply(live.events);
      await stop(person, generation.id);
      await live.finished;
      const { rows } = await server.database.query<{ cost_micros: number; cost_estimated: boolean }>(
        'select cost_micros, cost_estimated from gateway_calls where generation_id = $1',
        [generation.id],
      );
      expect(rows).toMatchObject([{ cost_estimated: true }]);
      costs.push(rows[0]?.cost_micros ?? 0);
    }
    expect(costs[1]).toBeGreaterThan(50 * (costs[0] ?? 0));
  });

  test.runIf(soak)('what a process has logged of it survives the process', async () => {
    const remote = personAt(other, person);
    const live = listen(await stream(remote, heldPrompt()));
    await eventually(async () => thinkingOf(live.events).text === thoughts(4));
    const { generation } = startedReply(live.events);
    await eventually(async () => (await rowsOf(person))[0] === thoughts(4));
    const localStream = listen(await person.get(`/api/generations/${generation.id}/events`));
    await other.kill();
    await localStream.finished;
    expect(thinkingOf(localStream.events).text).toBe(thoughts(4));
    expect(localStream.events.at(-1)).toMatchObject({ event: 'end', data: { state: 'interrupted' } });
    expect((await stored(generation.id)).text).toBe(thoughts(4));
    await other.stop();
    const { databaseUrl, dataDir } = server;
    other = await startTestServer({
      ...{ postgres: inject('postgres'), standins: standIns.base, databaseUrl, dataDir },
    });
  });
});

describe('access', () => {
  test('is for nobody else', async () => {
    const sent = await sendBody(person, randomUUID(), { text: promptFor('reasoning'), create: true });
    const { id } = await waitForEnd(person, sent.body.generation.id);
    const otherPerson = await createPerson(server);
    expect((await otherPerson.get(`/api/generations/${id}/thinking`)).status).toBe(404);
  });

  test('is on no page that shares the chat', async () => {
    const chatId = randomUUID();
    await exchange(person, chatId, { text: promptFor('reasoning') });
    const { body } = await share(person, { chatId });
    const { html } = await openPage(server, body.id);
    expect(html).toContain(answer.trim());
    expect(html).not.toContain('thought1');
  });

  test('is in the archive and in the file of a chat', async () => {
    const chatId = randomUUID();
    await exchange(person, chatId, { text: promptFor('reasoning') });
    const file = (await (await person.get(`/api/chats/${chatId}/export?format=json`)).json()) as {
      messages: object[];
    };
    const { data } = await downloadArchive(person);
    for (const messages of [file.messages, data.chats[0]?.messages])
      expect(messages).toMatchObject([
        { thinking: null, thoughtMs: null },
        { content: answer, thinking: thoughts(), thoughtMs: expect.any(Number) },
      ]);
    expect(data.generations.map(({ thinking }) => thinking)).toEqual([null, null]);
  });

  test('ends with its chat: a temporary one when it is left, another when its time is over', async () => {
    const chats = [randomUUID(), randomUUID()];
    const [temporary = '', ordinary = ''] = chats;
    for (const chatId of chats)
      await exchange(person, chatId, { text: promptFor('reasoning'), temporary: chatId === temporary });
    await waitUntilIdle(server);
    expect(await rowsOf(person)).toHaveLength(2);
    expect((await person.send('DELETE', `/api/chats/${temporary}`)).status).toBe(204);
    expect(await rowsOf(person)).toHaveLength(1);
    await person.send('DELETE', `/api/chats/${ordinary}`);
    expect(await rowsOf(person)).toHaveLength(1);
    await server.database.query(
      `update chat_sessions set deleted_at = deleted_at - interval '31 days' where id = $1`,
      [ordinary],
    );
    await runJob(server, 'purge-deleted-chats');
    expect(await rowsOf(person)).toEqual([]);
  });
});

describe('over the API', () => {
  const user = (content: string) => [{ role: 'user' as const, content }];

  test('is next to the text, complete and streamed, and is not stored', async () => {
    const openai = openaiClient(server, (await createKey(person)).secret);
    const [model = ''] = (await openai.models.list()).data.map(({ id }) => id);
    for (const mode of ['reasoning', 'thinktags']) {
      const messages = user(promptFor(mode));
      const full = await openai.chat.completions.create({ model, messages });
      expect(full.choices[0]).toMatchObject({
        finish_reason: 'stop',
        message: { content: answer, reasoning_content: expect.stringContaining(thoughts().trim()) },
      });
      const received = { content: '', reasoning_content: '' };
      let answering = false;
      for await (const { choices } of await openai.chat.completions.create({
        model,
        messages,
        stream: true,
      })) {
        const delta = choices[0]?.delta as Partial<typeof received> | undefined;
        if (delta?.reasoning_content) expect(answering).toBe(false);
        answering ||= Boolean(delta?.content);
        received.content += delta?.content ?? '';
        received.reasoning_content += delta?.reasoning_content ?? '';
      }
      expect(received).toEqual({
        content: answer,
        reasoning_content: expect.stringContaining(thoughts().trim()),
      });
    }
    const plain = await openai.chat.completions.create({ model, messages: user(promptFor('ok')) });
    expect(Object.keys(plain.choices[0]?.message ?? {})).toEqual(['role', 'content', 'refusal']);
    await eventually(async () => (await rowsOf(person)).length === 0);
  });

  test('is repeated under the key of its request for as long as its text', async () => {
    const openai = openaiClient(server, (await createKey(person)).secret);
    const [model = ''] = (await openai.models.list()).data.map(({ id }) => id);
    const headers = { 'Idempotency-Key': randomUUID() };
    const ask = () =>
      openai.chat.completions.create({ model, messages: user(promptFor('reasoning')) }, { headers });
    const [first, second] = [await ask(), await ask()];
    expect(second.choices).toEqual(first.choices);
    expect(await rowsOf(person)).toEqual([thoughts()]);
    const { data } = await downloadArchive(person);
    expect(data.generations.map(({ thinking }) => thinking)).toEqual([thoughts()]);
    await runJob(server, 'erase-completions');
    expect(await rowsOf(person)).toHaveLength(1);
    await server.database.query(
      `update generations set finished_at = finished_at - interval '25 hours' where user_id = $1`,
      [person.id],
    );
    await runJob(server, 'erase-completions');
    expect(await rowsOf(person)).toEqual([]);
  });

  test('has the same token limit as in a chat, which a client may set itself', async () => {
    await offerThinkingModels();
    const openai = openaiClient(server, (await createKey(person)).secret);
    const ask = (model: string, most?: number) =>
      openai.chat.completions.create({
        ...{ model, messages: user(promptFor('ok')) },
        ...(most === undefined ? {} : { max_completion_tokens: most }),
      });
    for (const model of ['maker/fast', 'maker/deep', 'maker/low']) await ask(model);
    await ask('maker/deep', 10_000);
    for (const [model, most] of [
      ['maker/fast', 2_001],
      ['maker/deep', 10_001],
    ] as const)
      expect(await refusalOf(ask(model, most))).toMatchObject({
        status: 400,
        code: 'invalid_value',
        param: 'max_completion_tokens',
      });
    await changeSetting([server], ['unset', 'models.list']);
    expect(await requestedTokens()).toEqual([2_000, 10_000, 2_000, 10_000]);
  });

  test('that uses all tokens leaves an empty answer, cut by its length, at no cost', async () => {
    const openai = openaiClient(server, (await createKey(person)).secret);
    const [model = ''] = (await openai.models.list()).data.map(({ id }) => id);
    const call = { model, messages: user(promptFor('thinkopen')), max_completion_tokens: 2 };
    const full = await openai.chat.completions.create(call);
    expect(full.choices).toMatchObject([{ finish_reason: 'length', message: { content: '' } }]);
    const reasons: (string | null)[] = [];
    for await (const { choices } of await openai.chat.completions.create({ ...call, stream: true }))
      reasons.push(choices[0]?.finish_reason ?? null);
    expect(reasons.at(-1)).toBe('length');
    expect(await person.credits()).toBe(10);
  });
});

test('every invariant holds', () => expectConsistent(server));
