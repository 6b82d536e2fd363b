import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { ChatView } from '#features/chat/contract.ts';
import { exchange as exchangeAsIs, noDelay, openChat, sendBody, waitForEnd } from '../support/chat.ts';
import { expectConsistent } from '../support/consistency.ts';
import { untilWaiting } from '../support/gate.ts';
import { createPerson, type Person } from '../support/people.ts';
import type { TestServer } from '../support/server.ts';
import { borrowServer } from '../support/shared-server.ts';
import { sampled } from '../support/soak.ts';

let server: TestServer;
beforeAll(async () => {
  server = await borrowServer(inject('servers'));
});
afterAll(() => server.stop());

const exchange = (person: Person, chatId: string, body: Record<string, unknown>) =>
  exchangeAsIs(person, chatId, { ...body, text: `${body.text} ${noDelay}` });

const choose = (person: Person, chatId: string, messageId: string) =>
  person.send('PUT', `/api/chats/${chatId}/branch`, { messageId });

const idsOf = ({ messages }: Pick<ChatView, 'messages'>) => messages.map(({ id }) => id);

/** Returns a chat's stored tip and how many messages reply to it. */
async function tipOf(chatId: string) {
  const { rows } = await server.database.query<{ tip: string | null; below: number }>(
    `select tip_id as tip, (select count(*)::int from chat_messages where parent_id = tip_id) as below
       from chat_sessions where id = $1`,
    [chatId],
  );
  return rows[0];
}

describe('a choice of branch during a send', () => {
  test('never hides the new question', async () => {
    const person = await createPerson(server, { plan: 'pro' });
    const chatId = randomUUID();
    let end = (await exchange(person, chatId, { text: 'start' })).reply.id;
    for (let round = 0; round < sampled(16, 60); round += 1) {
      const sending = () => sendBody(person, chatId, { text: `round ${round} ${noDelay}`, parentId: end });
      const choosing = () => choose(person, chatId, end);
      const [sent, chosen] =
        round % 2 === 0
          ? await Promise.all([sending(), choosing()])
          : await Promise.all([choosing(), sending()]).then(([put, post]) => [post, put] as const);
      expect([sent.status, chosen.status]).toEqual([202, 200]);
      expect((await tipOf(chatId))?.below, `round ${round}`).toBe(0);
      const { message, reply, generation } = sent.body;
      expect(idsOf(await openChat(person, chatId)).slice(-2), `round ${round}`).toEqual([
        message.id,
        reply.id,
      ]);
      await waitForEnd(person, generation.id);
      end = reply.id;
    }
  });

  test('waits for a message that is being written, and shows it', async () => {
    const person = await createPerson(server);
    const chatId = randomUUID();
    const first = await exchange(person, chatId, { text: 'first' });
    const writer = await server.database.connect();
    const written = randomUUID();
    try {
      await writer.query('begin');
      await writer.query('update chat_sessions set tip_id = null where id = $1', [chatId]);
      const choosing = choose(person, chatId, first.reply.id);
      await untilWaiting(server, 1, 'from chat_sessions');
      await writer.query(
        `insert into chat_messages (id, session_id, parent_id, role, content) values ($1, $2, $3, 'user', 'new')`,
        [written, chatId, first.reply.id],
      );
      await writer.query('commit');
      expect(idsOf((await (await choosing).json()) as ChatView)).toContain(written);
    } finally {
      writer.release();
    }
    expect(await tipOf(chatId)).toEqual({ tip: written, below: 0 });
  });
});

test('a chat whose tip is above later messages shows them, exports them and continues after them', async () => {
  const person = await createPerson(server);
  const chatId = randomUUID();
  const first = await exchange(person, chatId, { text: 'first' });
  const second = await exchange(person, chatId, { text: 'second' });
  const other = await exchange(person, chatId, { text: 'first anew', replaces: first.message.id });
  const old = [first.message.id, first.reply.id, second.message.id, second.reply.id];
  const hide = () =>
    server.database.query('update chat_sessions set tip_id = $1 where id = $2', [first.reply.id, chatId]);
  await hide();
  expect(idsOf(await openChat(person, chatId))).toEqual(old);
  const below = await person.get(`/api/chats/${chatId}?after=${first.reply.id}`);
  expect(idsOf((await below.json()) as ChatView)).toEqual(old.slice(2));
  const markdown = await (await person.get(`/api/chats/${chatId}/export?format=md`)).text();
  expect(markdown).toContain(`second ${noDelay}`);
  expect(markdown).not.toContain('first anew');
  const exported = await person.get(`/api/chats/${chatId}/export?format=json`);
  expect(await exported.json()).toMatchObject({ shown: second.reply.id });
  const third = await exchange(person, chatId, { text: 'third' });
  expect(idsOf(await openChat(person, chatId))).toEqual([...old, third.message.id, third.reply.id]);
  await choose(person, chatId, other.message.id);
  expect(idsOf(await openChat(person, chatId))).toEqual([other.message.id, other.reply.id]);
});

test('every invariant holds', () => expectConsistent(server));
