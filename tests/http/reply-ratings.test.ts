import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { ReplyRating } from '#features/chat/contract.ts';
import { createOperator } from '../support/admin.ts';
import { openChat, send, uniqueWord, waitForEnd } from '../support/chat.ts';
import { expectConsistent } from '../support/consistency.ts';
import { release } from '../support/gateway.ts';
import { createPerson, type Person } from '../support/people.ts';
import type { TestServer } from '../support/server.ts';
import { borrowServer } from '../support/shared-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await borrowServer(inject('servers'));
});
afterAll(async () => {
  await expectConsistent(server);
  await server.stop();
});

const rate = (person: Person, messageId: string, rating: unknown) =>
  person.send('PUT', '/api/chats/rating', { messageId, rating });

async function createReply(person: Person) {
  const { body, chatId } = await send(person, `${uniqueWord()} [[tps:0]] [[first:0]] [[tokens:20]]`);
  await waitForEnd(person, body.generation.id);
  return { chatId, question: body.message.id, reply: body.reply.id };
}

test('a rating is stored with its reply, can be changed and withdrawn, and is only the person’s own', async () => {
  const [person, otherPerson] = [await createPerson(server), await createPerson(server)];
  const { chatId, question, reply } = await createReply(person);
  const shown = async (): Promise<ReplyRating | null | undefined> =>
    (await openChat(person, chatId)).messages.find(({ id }) => id === reply)?.rating;
  expect(await shown()).toBeNull();
  for (const rating of [
    { good: true, reason: null },
    { good: false, reason: null },
    { good: false, reason: 'length' },
    null,
    null,
    { good: false, reason: 'wrong' },
  ]) {
    expect((await rate(person, reply, rating)).status).toBe(204);
    expect(await shown()).toEqual(rating);
  }
  expect((await rate(otherPerson, reply, { good: true, reason: null })).status).toBe(404);
  expect((await rate(otherPerson, reply, null)).status).toBe(404);
  expect((await rate(person, question, { good: true, reason: null })).status).toBe(404);
  for (const wrong of [
    { good: true, reason: 'wrong' },
    { good: false, reason: 'because' },
    { good: 1 },
    'good',
  ])
    expect((await rate(person, reply, wrong)).status).toBe(400);
  expect(await shown()).toEqual({ good: false, reason: 'wrong' });
});

test('a reply that is still being written cannot be rated', async () => {
  const person = await createPerson(server);
  const mark = uniqueWord();
  const { body } = await send(person, `${mark} [[tps:0]] [[first:0]] [[mode:hold]] [[holdAfter:5]]`);
  expect((await rate(person, body.reply.id, { good: true, reason: null })).status).toBe(404);
  await release(server, mark);
  await waitForEnd(person, body.generation.id);
  expect((await rate(person, body.reply.id, { good: true, reason: null })).status).toBe(204);
});

test('the operator sees totals by model and reason, without those of erased chats', async () => {
  const [operator, person] = [await createOperator(server), await createPerson(server)];
  await server.database.query('delete from reply_ratings');
  const replies = [await createReply(person), await createReply(person), await createReply(person)];
  const ratings = [
    { good: true, reason: null },
    { good: false, reason: 'style' },
    { good: false, reason: null },
  ];
  for (const [at, { reply }] of replies.entries())
    expect((await rate(person, reply, ratings[at])).status).toBe(204);
  const { rows } = await server.database.query('select distinct model from gateway_calls');
  const cells = async () =>
    (await operator.page('/admin/ratings?days=7')).replace(/<[^>]+>/g, '|').replace(/\|+/g, '|');
  expect(await cells()).toContain(`|${rows[0].model}|1|2|33|0|0|0|1|0|0|`);
  for (const { chatId } of replies) await person.send('DELETE', `/api/chats/${chatId}`);
  await server.database.query('delete from chat_sessions where user_id = $1', [person.id]);
  expect(await cells()).toContain('No ratings in this period.');
});
