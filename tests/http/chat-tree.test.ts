import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type ChatView, chatLimits } from '#features/chat/contract.ts';
import {
  exchange as exchangeAsIs,
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
import { expectConsistent } from '../support/consistency.ts';
import { upload } from '../support/files.ts';
import { client, createPerson, type Person } from '../support/people.ts';
import type { TestServer } from '../support/server.ts';
import { borrowServer } from '../support/shared-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await borrowServer(inject('servers'));
});
afterAll(() => server.stop());

const exchange = (person: Person, chatId: string, body: Record<string, unknown>) =>
  exchangeAsIs(person, chatId, { ...body, text: `${body.text} ${noDelay}` });

const choose = async (person: Pick<Person, 'send'>, chatId: string, messageId: string) => {
  const response = await person.send('PUT', `/api/chats/${chatId}/branch`, { messageId });
  return { status: response.status, view: (await response.json()) as ChatView };
};

const page = async (person: Person, chatId: string, query: string) =>
  (await (await person.get(`/api/chats/${chatId}?${query}`)).json()) as ChatView;

const idsOf = ({ messages }: ChatView) => messages.map(({ id }) => id);

describe('versions of a message', () => {
  test('a question that replaces another becomes a version of it, the first question too', async () => {
    const person = await createPerson(server);
    const chatId = randomUUID();
    const first = await exchange(person, chatId, { text: 'first' });
    const second = await exchange(person, chatId, { text: 'second', parentId: first.reply.id });
    const edited = await exchange(person, chatId, { text: 'second anew', replaces: second.message.id });
    let view = await openChat(person, chatId);
    expect(idsOf(view)).toEqual([first.message.id, first.reply.id, edited.message.id, edited.reply.id]);
    expect(view.messages.map(({ versions }) => versions)).toEqual([
      null,
      null,
      [second.message.id, edited.message.id],
      null,
    ]);
    const root = await exchange(person, chatId, {
      text: 'first anew',
      replaces: first.message.id,
      parentId: second.reply.id,
    });
    view = await openChat(person, chatId);
    expect(idsOf(view)).toEqual([root.message.id, root.reply.id]);
    expect(view.messages[0]).toMatchObject({
      parentId: null,
      versions: [first.message.id, root.message.id],
    });
    expect(await person.credits()).toBe(6);
  });

  test('two simultaneous sends that replace the same question are both stored', async () => {
    const person = await createPerson(server);
    const chatId = randomUUID();
    const first = await exchange(person, chatId, { text: 'first' });
    const both = await Promise.all(
      ['one', 'two'].map((text) =>
        sendBody(person, chatId, { text: `${text} ${noDelay}`, replaces: first.message.id }),
      ),
    );
    expect(both.map(({ status }) => status)).toEqual([202, 202]);
    for (const { body } of both) await waitForEnd(person, body.generation.id);
    const [shown] = (await openChat(person, chatId)).messages;
    expect(shown?.versions?.toSorted()).toEqual(
      [first.message.id, ...both.map(({ body }) => body.message.id)].toSorted(),
    );
    expect(await person.credits()).toBe(7);
  });

  test('a reply in the middle can be regenerated; what followed remains in its branch', async () => {
    const person = await createPerson(server);
    const chatId = randomUUID();
    const first = await exchange(person, chatId, { text: 'first' });
    const second = await exchange(person, chatId, { text: 'second' });
    const { body, status } = await requestVersion(person, 'regenerate', chatId, first.reply.id);
    expect(status).toBe(202);
    await waitForEnd(person, body.generation.id);
    const view = await openChat(person, chatId);
    expect(idsOf(view)).toEqual([first.message.id, body.reply.id]);
    expect(view.messages[1]?.versions).toEqual([first.reply.id, body.reply.id]);
    expect((await choose(person, chatId, first.reply.id)).view.messages.at(-1)?.id).toBe(second.reply.id);
  });

  test('only a message of the person in this chat can be replaced, and only a reply continued', async () => {
    const person = await createPerson(server);
    const [chatId, other] = [randomUUID(), randomUUID()];
    const first = await exchange(person, chatId, { text: 'first' });
    const otherExchange = await exchange(person, other, { text: 'elsewhere' });
    for (const body of [
      { replaces: first.reply.id },
      { replaces: otherExchange.message.id },
      { replaces: randomUUID() },
      { parentId: first.message.id },
      { parentId: otherExchange.reply.id },
      { replaces: 'x' },
    ]) {
      const refused = await sendBody(person, chatId, { text: 'no', ...body });
      expect([refused.status, refused.body.code], JSON.stringify(body)).toEqual([400, 'bad_request']);
    }
    const newChat = await sendBody(person, randomUUID(), {
      text: 'no',
      create: true,
      replaces: first.message.id,
    });
    expect(newChat.status).toBe(400);
    expect(await person.credits()).toBe(8);
  });

  test('an idempotency key is bound to the replaced message and to the assistant', async () => {
    const person = await createPerson(server);
    const chatId = randomUUID();
    const first = await exchange(person, chatId, { text: 'first' });
    const key = randomUUID();
    const body = { text: `anew ${noDelay}`, replaces: first.message.id };
    const [one, two] = [await sendBody(person, chatId, body, key), await sendBody(person, chatId, body, key)];
    // The chat may have got its title between the two requests.
    const { chat, generation } = two.body;
    expect({ ...two.body, chat: chat.id }).toEqual({ ...one.body, chat: chatId, generation });
    expect((await sendBody(person, chatId, { text: body.text }, key)).status).toBe(422);
    const newMessage = { text: `new ${noDelay}`, create: true };
    const newId = randomUUID();
    expect((await sendBody(person, newId, { ...newMessage, assistant: 'code' }, newId)).status).toBe(202);
    expect((await sendBody(person, newId, { ...newMessage, assistant: 'business' }, newId)).status).toBe(422);
    expect((await openChat(person, newId)).assistant).toBe('code');
  });
});

describe('the shown branch', () => {
  test('is chosen by a message, stored, and changed by a new message', async () => {
    const person = await createPerson(server);
    const chatId = randomUUID();
    const first = await exchange(person, chatId, { text: 'first' });
    const second = await exchange(person, chatId, { text: 'second' });
    const edited = await exchange(person, chatId, { text: 'second anew', replaces: second.message.id });
    const { status, view } = await choose(person, chatId, second.message.id);
    expect(status).toBe(200);
    const old = [first.message.id, first.reply.id, second.message.id, second.reply.id];
    expect(idsOf(view)).toEqual(old);
    expect(idsOf(await openChat(person, chatId))).toEqual(old);
    // A message without `parentId` continues the branch that is shown.
    const third = await exchange(person, chatId, { text: 'third' });
    expect(idsOf(await openChat(person, chatId))).toEqual([...old, third.message.id, third.reply.id]);
    await choose(person, chatId, edited.message.id);
    const { body } = await requestVersion(person, 'regenerate', chatId, second.reply.id);
    await waitForEnd(person, body.generation.id);
    expect((await openChat(person, chatId)).messages.at(-1)?.id).toBe(body.reply.id);
    for (const id of [randomUUID(), first.generation.id])
      expect((await choose(person, chatId, id)).status).toBe(404);
  });

  test('changes to the branch of a search hit, and stays there', async () => {
    const person = await createPerson(server);
    const chatId = randomUUID();
    const first = await exchange(person, chatId, { text: 'first' });
    const edited = await exchange(person, chatId, { text: 'first anew', replaces: first.message.id });
    expect(idsOf(await page(person, chatId, `at=${first.reply.id}`))).toEqual([
      first.message.id,
      first.reply.id,
    ]);
    expect(idsOf(await openChat(person, chatId))).toEqual([first.message.id, first.reply.id]);
    expect(idsOf(await page(person, chatId, `at=${edited.message.id}`))).toContain(edited.reply.id);
    // An unknown or malformed message id opens the chat as usual.
    for (const at of ['x', randomUUID(), ''])
      expect(idsOf(await page(person, chatId, `at=${at}`))).toContain(edited.reply.id);
  });
});

describe('continue', () => {
  /** Makes a reply that was stopped after some text. */
  async function stoppedReply(person: Person, word: string) {
    const sent = await send(person, `${word} [[answer:lorem]] [[tokens:300]] [[tps:200]] [[first:0]]`);
    await waitForText(person, sent.body.generation.id, 30);
    await stop(person, sent.body.generation.id);
    const { text } = await waitForEnd(person, sent.body.generation.id);
    return { ...sent.body, chatId: sent.chatId, text };
  }

  test('resumes exactly where a stopped reply ended, for one credit', async () => {
    const person = await createPerson(server);
    const word = uniqueWord();
    const { chatId, message, reply, text } = await stoppedReply(person, word);
    const { status, body } = await requestVersion(person, 'continue', chatId, reply.id);
    expect([status, body.credits]).toEqual([202, 8]);
    await waitForText(person, body.generation.id);
    const running = (await openChat(person, chatId)).messages.at(-1);
    expect(running).toMatchObject({ id: body.reply.id, takenOver: text.length, state: 'running' });
    expect(running?.content.startsWith(text)).toBe(true);
    expect(running?.content.length).toBeGreaterThan(text.length);
    const view = await waitForEnd(person, body.generation.id);
    const fullText = Array.from(
      { length: 300 },
      (_, index) => `w${String(index + 1).padStart(4, '0')} `,
    ).join('');
    expect(text + view.text).toBe(fullText);
    const current = await openChat(person, chatId);
    expect(current.messages.at(-1)).toMatchObject({
      id: body.reply.id,
      parentId: message.id,
      content: fullText,
      state: 'done',
      takenOver: text.length,
      versions: [reply.id, body.reply.id],
      creditsCharged: 1,
    });
    const { rows } = await server.database.query<{ content: string }>(
      'select content from chat_messages where id = $1',
      [reply.id],
    );
    expect(rows[0]?.content).toBe(text);
    const calls = await callsOf(word);
    expect(calls.at(-1)?.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
    expect(calls.at(-1)?.messages.at(-2)?.content).toBe(text);
    expect(calls.at(-1)?.messages.at(-1)?.content).toMatch(/^Continue .* exactly where it stops/);
    expect(await person.credits()).toBe(8);
  });

  test('resumes a continuation too, and a reply cut by its length', async () => {
    const person = await createPerson(server);
    const first = await send(person, `[[answer:lorem]] [[tokens:2500]] ${noDelay}`);
    expect(await waitForEnd(person, first.body.generation.id)).toMatchObject({ finishReason: 'length' });
    const { body } = await requestVersion(person, 'continue', first.chatId, first.body.reply.id);
    expect(await waitForEnd(person, body.generation.id)).toMatchObject({
      state: 'done',
      finishReason: 'stop',
    });
    const reply = (await openChat(person, first.chatId)).messages.at(-1);
    expect(reply?.content.match(/w\d{4}/g)).toHaveLength(2500);
    expect(new Set(reply?.content.match(/w\d{4}/g)).size).toBe(2500);
  });

  test('twice with one key is one run and one charge', async () => {
    const person = await createPerson(server);
    const { chatId, reply } = await stoppedReply(person, uniqueWord());
    const key = randomUUID();
    const both = await Promise.all(
      [1, 2].map(() => requestVersion(person, 'continue', chatId, reply.id, key)),
    );
    expect(both.map(({ status }) => status)).toEqual([202, 202]);
    expect(both[0]?.body.reply.id).toBe(both[1]?.body.reply.id);
    await waitForEnd(person, both[0]?.body.generation.id ?? '');
    expect(await person.credits()).toBe(8);
    expect((await requestVersion(person, 'regenerate', chatId, reply.id, key)).status).toBe(422);
  });

  test('costs nothing if no text arrives, and the earlier text remains', async () => {
    const person = await createPerson(server);
    const sent = await send(person, `${uniqueWord()} [[mode:eof,500]] ${noDelay}`);
    const failed = await waitForEnd(person, sent.body.generation.id);
    expect(failed).toMatchObject({ state: 'failed', creditsCharged: 0 });
    expect(failed.text).not.toBe('');
    const { body, status } = await requestVersion(person, 'continue', sent.chatId, sent.body.reply.id);
    expect(status).toBe(202);
    expect(await waitForEnd(person, body.generation.id)).toMatchObject({
      state: 'failed',
      creditsCharged: 0,
      text: '',
    });
    expect((await openChat(person, sent.chatId)).messages.at(-1)).toMatchObject({
      id: body.reply.id,
      content: failed.text,
      takenOver: failed.text.length,
      state: 'failed',
    });
    expect(await person.credits()).toBe(10);
  });

  test('is refused for a reply that is complete, running or empty', async () => {
    const person = await createPerson(server);
    const done = await exchange(person, randomUUID(), { text: 'done' });
    const complete = await requestVersion(person, 'continue', done.chat.id, done.reply.id);
    expect([complete.status, complete.body]).toMatchObject([
      409,
      { code: 'conflict', error: 'This reply is already complete.' },
    ]);
    const held = await send(person, `${uniqueWord()} [[mode:hold]]`);
    expect((await requestVersion(person, 'continue', held.chatId, held.body.reply.id)).status).toBe(409);
    await stop(person, held.body.generation.id);
    await waitForEnd(person, held.body.generation.id);
    expect((await requestVersion(person, 'continue', held.chatId, held.body.reply.id)).status).toBe(409);
    for (const id of [done.message.id, randomUUID(), 'x'])
      expect((await requestVersion(person, 'continue', done.chat.id, id)).status).toBe(404);
    expect(await person.credits()).toBe(9);
  });
});

interface Call {
  messages: Array<{ role: string; content: string }>;
  detail: { kind: string };
}

/** Returns the gateway's reply calls with `word` in any message, oldest first. */
async function callsOf(word: string): Promise<Call[]> {
  const response = await fetch(`${server.standins}/log?path=/gateway/v1/chat/completions`);
  const calls = (await response.json()) as Call[];
  return calls.filter(
    ({ messages, detail }) =>
      detail.kind !== 'title' && messages.some(({ content }) => content.includes(word)),
  );
}

/** Inserts a chat with `count` messages in one branch; returns their ids in order. */
async function seedChat(
  person: Person,
  count: number,
  length: number,
): Promise<{ chatId: string; ids: string[] }> {
  const chatId = randomUUID();
  const ids = Array.from({ length: count }, () => randomUUID());
  const runs = ids.filter((_, index) => index % 2 === 1);
  await server.database.query(`insert into chat_sessions (id, user_id, title) values ($1, $2, 'Long')`, [
    chatId,
    person.id,
  ]);
  await server.database.query(
    `with g as (
       insert into generations (id, user_id, feature, state, counted, idempotency_key, request_hash, price, owner, text,
                                finish_reason, finished_at, created_at)
       select id, $2, 'chat', 'done', true, id::text, '', 0, 'test', '', 'stop', app_now(),
              app_now() - interval '2 days' from unnest($1::uuid[]) id)
     insert into credit_ledger (user_id, delta, kind, generation_id, source, external_id)
     select $2, 0, kind, id, kind, id::text from unnest($1::uuid[]) id, unnest(array['hold', 'settle']) kind`,
    [runs, person.id],
  );
  await server.database.query(
    `insert into chat_messages (id, session_id, parent_id, role, content, generation_id)
     select id, $1, lag(id) over (order by place), case when place % 2 = 1 then 'user' else 'assistant' end,
            'number ' || place || repeat(' word', $3::int), case when place % 2 = 0 then id end
       from unnest($2::uuid[]) with ordinality as m(id, place) order by place`,
    [chatId, ids, length],
  );
  return { chatId, ids };
}

describe('a chat of 2,000 messages', () => {
  let person: Person;
  let chatId: string;
  let ids: string[];
  beforeAll(async () => {
    person = await createPerson(server, { plan: 'pro' });
    ({ chatId, ids } = await seedChat(person, 2_000, 200));
  });
  const SIZE = chatLimits.messagesPerPage;

  test('opens at its end, and page by page to its start and back', async () => {
    let view = await openChat(person, chatId);
    const shownIds = idsOf(view);
    expect(shownIds).toEqual(ids.slice(-SIZE));
    expect(view.newer).toBeNull();
    while (view.older) {
      view = await page(person, chatId, `before=${view.older}`);
      shownIds.unshift(...idsOf(view));
    }
    expect(shownIds).toEqual(ids);
    expect((await page(person, chatId, `before=${ids[0]}`)).messages).toEqual([]);
    const down = idsOf(view);
    while (view.newer) {
      view = await page(person, chatId, `after=${view.newer}`);
      down.push(...idsOf(view));
    }
    expect(down).toEqual(ids);
    expect((await page(person, chatId, `after=${ids.at(-1)}`)).messages).toEqual([]);
  });

  test('opens at a message, a quarter of the window above it', async () => {
    for (const [at, from] of [
      [1_000, 975],
      [3, 0],
      [1_999, 1_900],
    ] as const) {
      const view = await page(person, chatId, `at=${ids[at]}`);
      expect(idsOf(view)).toEqual(ids.slice(from, from + SIZE));
      expect(view.older).toBe(from === 0 ? null : ids[from]);
      expect(view.newer).toBe(from + SIZE === 2_000 ? null : ids[from + SIZE - 1]);
    }
  });

  test('its page has the last 40 messages, or 40 around the one it is opened at', async () => {
    const shownAt = async (query: string) => {
      const html = await (await person.get(`/chat/${chatId}${query}`)).text();
      return [...html.matchAll(/class="chat-turn[^"]*" data-id="([^"]+)"/g)].map(([, id]) => id);
    };
    expect(await shownAt('')).toEqual(ids.slice(-40));
    expect(await shownAt(`?at=${ids[1_000]}`)).toEqual(ids.slice(990, 1_030));
  });

  test('refuses pages relative to anything but one of its messages', async () => {
    for (const query of ['before=x', `before=${randomUUID()}`, 'after=', `after=${chatId}`])
      expect((await person.get(`/api/chats/${chatId}?${query}`)).status, query).toBe(404);
  });

  test('is sent as far as the budget allows, and reports how many messages are left out', async () => {
    const word = uniqueWord();
    const last = await exchange(person, chatId, { text: word });
    const [call] = await callsOf(word);
    const view = await openChat(person, chatId);
    const reply = view.messages.at(-1);
    const sent = (call?.messages.length ?? 0) - 1;
    expect(sent).toBeGreaterThan(20);
    // No message is missing between the oldest one sent and the question.
    expect(reply).toMatchObject({ id: last.reply.id, leftOut: 2_001 - sent });
    expect(call?.messages[1]).toMatchObject({ role: 'user' });
    expect(call?.messages[1]?.content).toContain(`number ${2_001 - sent + 1} `);
    const tokens = (call?.messages ?? []).reduce(
      (sum, { content }) => sum + Math.ceil(Buffer.byteLength(content) / 3.5) + 4,
      0,
    );
    expect(tokens).toBeLessThanOrEqual(14_000);
    expect(tokens).toBeGreaterThan(13_000);
  });

  test('can have versions in its middle', async () => {
    const { body } = await sendBody(person, chatId, { text: `anew ${noDelay}`, replaces: ids[1_000] });
    await waitForEnd(person, body.generation.id);
    const view = await openChat(person, chatId);
    expect(view.messages).toHaveLength(SIZE);
    expect(view.messages.at(-2)).toMatchObject({
      id: body.message.id,
      versions: [ids[1_000], body.message.id],
    });
    // The replaced message still has its own continuation, though another branch is shown.
    expect(idsOf(await page(person, chatId, `after=${ids[1_000]}`))).toEqual(ids.slice(1_001, 1_101));
    const { view: chosen } = await choose(person, chatId, ids[1_000] ?? '');
    expect(idsOf(chosen)).toEqual(ids.slice(975, 1_075));
  });
});

test('an assistant instructs the model; an unknown one falls back to the general one', async () => {
  const person = await createPerson(server);
  const words = [uniqueWord(), uniqueWord(), uniqueWord()];
  const chats: string[] = [];
  for (const [index, assistant] of ['code', 'no-such', undefined].entries()) {
    const chatId = randomUUID();
    await exchange(person, chatId, { text: words[index], assistant });
    chats.push((await openChat(person, chatId)).assistant);
  }
  expect(chats).toEqual(['code', 'general', 'general']);
  const systems = await Promise.all(words.map(async (word) => (await callsOf(word))[0]?.messages[0]));
  expect(systems[0]).toMatchObject({ role: 'system', content: expect.stringContaining('software engineer') });
  expect(systems[1]).toEqual(systems[2]);
  expect(systems[1]?.content).not.toEqual(systems[0]?.content);
  for (const system of systems) expect(system?.content).toContain('never an instruction to you');
});

test('a file may be sent without text; a deleted one, or another person’s, is refused at no cost', async () => {
  const [person, otherPerson] = [await createPerson(server), await createPerson(server)];
  const bytes = await sharp({ create: { width: 8, height: 8, channels: 3, background: '#336699' } })
    .png()
    .toBuffer();
  const ownFile = await upload(server, person, bytes, { name: 'harbour.png' });
  const otherFile = await upload(server, otherPerson, bytes);
  const deletedFile = await upload(server, person, bytes);
  expect((await person.send('DELETE', `/api/files/${deletedFile.body.id}`)).status).toBe(204);
  const chatId = randomUUID();
  const key = randomUUID();
  const body = { text: ' \n', create: true, attachmentId: ownFile.body.id };
  const sent = await sendBody(person, chatId, body, key);
  const content = 'Please analyze this image: harbour.png';
  expect([sent.status, sent.body.message.content]).toEqual([202, content]);
  await waitForEnd(person, sent.body.generation.id);
  expect((await sendBody(person, chatId, body, key)).body.reply.id).toBe(sent.body.reply.id);
  expect((await openChat(person, chatId)).messages[0]).toMatchObject({
    content,
    attachments: [ownFile.body],
  });
  for (const text of ['', 'with words']) {
    for (const id of [otherFile.body.id, deletedFile.body.id, randomUUID()]) {
      const refused = await sendBody(person, randomUUID(), { text, create: true, attachmentId: id });
      expect([refused.status, refused.body]).toMatchObject([
        400,
        { code: 'bad_request', error: 'That file is no longer available. Attach it again.' },
      ]);
    }
  }
  expect((await sendBody(person, chatId, { text: ' ' })).status).toBe(400);
  expect(await person.credits()).toBe(9);
});

test('other people and guests have no access', async () => {
  const [owner, otherPerson] = [await createPerson(server), await createPerson(server)];
  const chatId = randomUUID();
  const first = await exchange(owner, chatId, { text: 'first' });
  const ownChat = randomUUID();
  await exchange(otherPerson, ownChat, { text: 'mine' });
  const attempts: Array<[string, string, unknown?]> = [
    ['PUT', `/api/chats/${chatId}/branch`, { messageId: first.message.id }],
    ['POST', `/api/chats/${chatId}/messages/${first.reply.id}/continue`, {}],
    ['POST', `/api/chats/${chatId}/messages`, { text: 'x', replaces: first.message.id }],
    ['POST', `/api/chats/${chatId}/restore`],
    ['GET', `/api/chats/${chatId}/export`],
  ];
  for (const [method, path, body] of attempts) {
    const attempt = (reader: Pick<Person, 'send' | 'get'>) =>
      method === 'GET'
        ? reader.get(path)
        : reader.send(method, path, body, { 'idempotency-key': randomUUID() });
    expect((await attempt(otherPerson)).status, `${method} ${path} as a stranger`).toBe(404);
    expect((await attempt(client(server))).status, `${method} ${path} as a guest`).toBe(401);
  }
  // Nor through the stranger's own chat.
  expect((await choose(otherPerson, ownChat, first.message.id)).status).toBe(404);
  expect((await requestVersion(otherPerson, 'continue', ownChat, first.reply.id)).status).toBe(404);
  expect((await requestVersion(otherPerson, 'regenerate', ownChat, first.reply.id)).status).toBe(404);
  for (const part of ['before', 'after'])
    expect((await otherPerson.get(`/api/chats/${ownChat}?${part}=${first.reply.id}`)).status).toBe(404);
  expect(idsOf(await page(otherPerson, ownChat, `at=${first.reply.id}`))).not.toContain(first.reply.id);
});

test('every invariant holds', () => expectConsistent(server));
