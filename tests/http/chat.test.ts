import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { ChatRow } from '#features/chat/contract.ts';
import {
  gatewayLog,
  openChat,
  readEvents,
  requestVersion,
  send,
  stream,
  textOf,
  uniqueWord,
  waitForEnd,
  waitForText,
} from '../support/chat.ts';
import { release } from '../support/gateway.ts';
import { client, createPerson } from '../support/people.ts';
import { eventually, type TestServer } from '../support/server.ts';
import { borrowServer } from '../support/shared-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await borrowServer(inject('servers'));
});
afterAll(() => server.stop());

describe('a chat', () => {
  it('stores question and reply, charges once, and titles the chat', async () => {
    const person = await createPerson(server);
    const word = uniqueWord();
    const sent = await send(person, `Tell me about ${word} gardens [[tps:0]] [[first:0]]`);
    expect(sent.status).toBe(202);
    const view = await waitForEnd(person, sent.body.generation.id);
    expect(view).toMatchObject({ state: 'done', creditsCharged: 1, finishReason: 'stop' });
    const [call] = await gatewayLog(server, word);
    expect(view.text).toBe(call?.sentText);
    const chat = await openChat(person, sent.chatId);
    expect(chat.messages.map(({ role }) => role)).toEqual(['user', 'assistant']);
    expect(chat.messages[1]?.content).toBe(view.text);
    expect(await person.credits()).toBe(9);
    expect(sent.body.chat.title).toBe(`Tell me about ${word} gardens [[tps:0]]…`);
    const title = await eventually(async () => {
      const current = await openChat(person, sent.chatId);
      return current.title !== sent.body.chat.title && current.title;
    });
    expect(title.split(' ').length).toBeLessThanOrEqual(8);
    expect(await person.credits()).toBe(9);
  });

  it('refuses a message written by another person, as an old open page would send it', async () => {
    const [writer, reader] = [await createPerson(server), await createPerson(server)];
    const path = `/api/chats/${randomUUID()}/messages`;
    const post = (userId: string) =>
      reader.send(
        'POST',
        path,
        { text: 'mine [[tps:0]]', create: true, by: userId },
        { 'idempotency-key': randomUUID() },
      );
    expect((await post(writer.id)).status).toBe(401);
    expect(await reader.credits()).toBe(10);
    expect((await post(reader.id)).status).toBe(202);
  });

  it('answers with an event stream if the client accepts it, ids first', async () => {
    const person = await createPerson(server);
    const word = uniqueWord();
    const chatId = randomUUID();
    const response = await stream(person, `${word} [[tokens:40]] [[tps:200]]`, { chatId });
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
    const events = await readEvents(response);
    expect(events[0]?.event).toBe('started');
    expect(events.at(-1)).toMatchObject({
      event: 'end',
      data: { state: 'done', creditsCharged: 1, credits: 9 },
    });
    const [call] = await gatewayLog(server, word);
    expect(textOf(events)).toBe(call?.sentText);
    const ids = events.flatMap(({ id }) => id ?? []);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('sends the earlier turns with the next message', async () => {
    const person = await createPerson(server);
    const word = uniqueWord();
    const first = await send(person, `first ${word} [[tps:0]] [[first:0]]`);
    await waitForEnd(person, first.body.generation.id);
    const second = await send(person, `second ${word} [[tps:0]] [[first:0]]`, { chatId: first.chatId });
    await waitForEnd(person, second.body.generation.id);
    const calls = (await gatewayLog(server, `second ${word}`)) as unknown as Array<{
      messages: Array<{ role: string; content: string }>;
    }>;
    expect(calls[0]?.messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user']);
    expect(calls[0]?.messages[1]?.content).toContain(`first ${word}`);
  });

  it('continues when the reader leaves, and a second reader gets the same text', async () => {
    const person = await createPerson(server);
    const word = uniqueWord();
    const chatId = randomUUID();
    const response = await stream(person, `${word} [[answer:lorem]] [[tokens:120]] [[tps:150]]`, { chatId });
    const before = await readEvents(response, (events) => textOf(events).length > 30);
    const started = before[0] as unknown as { data: { generation: { id: string } } };
    const generation = started.data.generation.id;
    const at = before.at(-1)?.id ?? '';
    const resumed = await readEvents(
      await person.get(`/api/generations/${generation}/events`, { 'last-event-id': at }),
    );
    const fromStart = await readEvents(await person.get(`/api/generations/${generation}/events`));
    const [call, ...otherCalls] = await gatewayLog(server, word);
    expect(otherCalls).toEqual([]);
    expect(textOf(resumed, textOf(before))).toBe(call?.sentText);
    expect(textOf(fromStart)).toBe(call?.sentText);
    expect(await person.credits()).toBe(9);
  });

  it('can be stopped by another client: the upstream call is closed, the partial text stored and charged', async () => {
    const person = await createPerson(server);
    const word = uniqueWord();
    const sent = await send(person, `${word} [[tokens:2000]] [[tps:50]]`);
    await waitForText(person, sent.body.generation.id, 10);
    expect((await person.send('POST', `/api/generations/${sent.body.generation.id}/stop`)).status).toBe(202);
    const view = await waitForEnd(person, sent.body.generation.id);
    expect(view).toMatchObject({ state: 'stopped', creditsCharged: 1 });
    const [call] = await eventually(async () => {
      const calls = await gatewayLog(server, word);
      return calls[0]?.clientClosedAt ? calls : null;
    });
    expect(call?.sentText.startsWith(view.text)).toBe(true);
    const chat = await openChat(person, sent.chatId);
    expect(chat.messages[1]).toMatchObject({ content: view.text, state: 'stopped' });
  });

  it('returns the credit for a stop before the first token', async () => {
    const person = await createPerson(server);
    const text = `${uniqueWord()} [[mode:hold]]`;
    const sent = await send(person, text);
    await person.send('POST', `/api/generations/${sent.body.generation.id}/stop`);
    expect(await waitForEnd(person, sent.body.generation.id)).toMatchObject({
      state: 'stopped',
      creditsCharged: 0,
      text: '',
    });
    expect(await person.credits()).toBe(10);
    // Without a reply the title is the first words of the question, until the owner renames the chat.
    const list = async () =>
      ((await (await person.get('/api/chats')).json()) as { chats: ChatRow[] }).chats.find(
        ({ id }) => id === sent.chatId,
      );
    expect(await list()).toMatchObject({ title: text, provisional: true });
    await person.send('PATCH', `/api/chats/${sent.chatId}`, { title: 'Mine' });
    const next = await send(person, `${uniqueWord()} [[tokens:3]] [[tps:0]]`, { chatId: sent.chatId });
    await waitForEnd(person, next.body.generation.id);
    expect(await list()).toMatchObject({ title: 'Mine', provisional: false });
  });

  it('keeps an earlier reply when another one is requested', async () => {
    const person = await createPerson(server);
    const first = await send(person, `${uniqueWord()} [[tps:0]] [[first:0]]`);
    await waitForEnd(person, first.body.generation.id);
    const { body } = await requestVersion(person, 'regenerate', first.chatId, first.body.reply.id);
    await waitForEnd(person, body.generation.id);
    const chat = await openChat(person, first.chatId);
    expect(chat.messages.at(-1)?.id).toBe(body.reply.id);
    const { rows } = await server.database.query('select id from chat_messages where parent_id = $1', [
      first.body.message.id,
    ]);
    expect(rows).toHaveLength(2);
  });

  it('belongs to its owner only', async () => {
    const [owner, other] = [await createPerson(server), await createPerson(server)];
    const word = uniqueWord();
    const sent = await send(owner, `${word} [[mode:hold]] [[holdAfter:5]] [[tokens:20]] [[tps:0]]`);
    const { generation, reply } = sent.body;
    const key = { 'idempotency-key': randomUUID() };
    const attempts: Array<[string, string, unknown?]> = [
      ['GET', `/api/chats/${sent.chatId}`],
      ['PATCH', `/api/chats/${sent.chatId}`, { title: 'mine' }],
      ['DELETE', `/api/chats/${sent.chatId}`],
      ['POST', `/api/chats/${sent.chatId}/messages`, { text: 'hello', create: true }],
      ['POST', `/api/chats/${sent.chatId}/messages/${reply.id}/regenerate`, {}],
      ['GET', `/api/generations/${generation.id}`],
      ['GET', `/api/generations/${generation.id}/events`],
      ['POST', `/api/generations/${generation.id}/stop`],
    ];
    for (const [method, path, body] of attempts) {
      expect((await other.send(method, path, body, key)).status, `${method} ${path} as another`).toBe(404);
      expect(
        (await client(server).send(method, path, body, key)).status,
        `${method} ${path} as a guest`,
      ).toBe(401);
    }
    await release(server, word);
    expect(await waitForEnd(owner, generation.id)).toMatchObject({ state: 'done' });
    expect((await openChat(owner, sent.chatId)).messages).toHaveLength(2);
  });
});
