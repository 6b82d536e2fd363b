import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type DeviceChats, type KeptContent, keptLimits } from '#features/devices/contract.ts';
import { noDelay, sendBody, waitForEnd } from '../support/chat.ts';
import { seedChats } from '../support/chat-list.ts';
import { expectConsistent } from '../support/consistency.ts';
import { writeChat } from '../support/long-chat.ts';
import { client, createPerson, type Person } from '../support/people.ts';
import type { TestServer } from '../support/server.ts';
import { borrowServer } from '../support/shared-server.ts';
import { newAddress, visitor } from '../support/visitor.ts';

let server: TestServer;
beforeAll(async () => {
  server = await borrowServer(inject('servers'));
});
afterAll(async () => {
  await expectConsistent(server);
  await server.stop();
});

const getChats = async (person: Pick<Person, 'get'>, opened: string[] = []): Promise<DeviceChats> =>
  (await person.get(`/api/devices/chats?opened=${opened.join()}`)).json();
const getContent = async (person: Pick<Person, 'get'>, id: string): Promise<KeptContent> =>
  (await person.get(`/api/devices/chats/${id}`)).json();

test('each session has its own key, which ends with the session', async () => {
  const email = newAddress();
  const one = await visitor(server).signIn(email);
  const two = await visitor(server).signIn(email, { count: 2 });
  const [first, again, second] = [await getChats(one), await getChats(one), await getChats(two)];
  expect(Buffer.from(first.key, 'base64url')).toHaveLength(32);
  expect(again).toEqual(first);
  expect(second.owner).toBe(first.owner);
  expect(second.key).not.toBe(first.key);
  expect(second.keyId).not.toBe(first.keyId);
  expect((await one.send('POST', '/api/sign-out', {})).status).toBe(204);
  expect((await one.get('/api/devices/chats')).status).toBe(401);
  // As after a ban or a sign-out from another device.
  await server.database.query('delete from sessions where user_id = $1', [second.owner]);
  expect((await two.get('/api/devices/chats')).status).toBe(401);
  expect((await client(server).get('/api/devices/chats')).status).toBe(401);
  // No key is stored in a table.
  const { rows } = await server.database.query<{ found: boolean }>(
    `select bool_or(s::text like '%' || $1 || '%') as found from sessions s`,
    [first.key],
  );
  expect(rows[0]?.found ?? false).toBe(false);
});

test('lists the newest chats and those that were opened, never another person’s', async () => {
  const [person, other] = [await createPerson(server), await createPerson(server)];
  const at = (day: number) => new Date(Date.UTC(2026, 9, day));
  const ids = await seedChats(
    server,
    person,
    Array.from({ length: keptLimits.chats + 3 }, (_, index) => ({
      title: `Chat ${index}`,
      updatedAt: at(index + 1),
    })),
  );
  const [foreign = ''] = await seedChats(server, other, [{ title: 'Not yours', updatedAt: at(29) }]);
  const newest = ids.slice(3).reverse();
  const [oldest = '', older = ''] = ids;
  expect((await getChats(person)).chats.map(({ id }) => id)).toEqual(newest);
  await person.send('PATCH', `/api/chats/${older}`, { archived: true });
  const opened = await getChats(person, [oldest, older, foreign, 'nonsense', randomUUID()]);
  expect(opened.chats.map(({ id }) => id)).toEqual([...newest, older, oldest]);
  await person.send('DELETE', `/api/chats/${oldest}`);
  expect((await getChats(person, [oldest])).chats.map(({ id }) => id)).toEqual(newest);
  const versionOf = async (id: string | undefined) =>
    (await getChats(person)).chats.find((chat) => chat.id === id)?.version;
  const before = await versionOf(newest[0]);
  expect(await versionOf(newest[0])).toBe(before);
  await person.send('PATCH', `/api/chats/${newest[0]}`, { title: 'Another title' });
  expect(await versionOf(newest[0])).not.toBe(before);
});

test('a kept chat is the end of its branch, rendered as on pages without scripts', async () => {
  const [person, other] = [await createPerson(server), await createPerson(server)];
  const hostile = '<script>alert(1)</script> <img src=x onerror=alert(1)> [x](javascript:alert(1)) **bold**';
  const { id } = await writeChat(server, person, keptLimits.messages + 10, (at) => `${at}: ${hostile}`);
  const { messages, cut } = await getContent(person, id);
  expect([messages.length, cut]).toEqual([keptLimits.messages, true]);
  expect(messages[0]).toEqual({
    role: 'user',
    content: `10: ${hostile}`,
    files: 0,
    images: 0,
    partial: false,
  });
  const html = messages.at(-1)?.content ?? '';
  expect(html).toContain('<strong>bold</strong>');
  expect(html).not.toMatch(/<script|<img|href="javascript/i);
  expect((await other.get(`/api/devices/chats/${id}`)).status).toBe(404);
  // A chat that is too long loses its oldest messages.
  const long = await writeChat(server, person, 30, () => 'x'.repeat(20_000));
  const part = await getContent(person, long.id);
  expect(part.cut).toBe(true);
  expect(part.messages).toHaveLength(keptLimits.messages / 6);
});

test('a temporary chat is refused', async () => {
  const person = await createPerson(server);
  const sent = await sendBody(person, randomUUID(), {
    text: `hush ${noDelay}`,
    create: true,
    temporary: true,
  });
  await waitForEnd(person, sent.body.generation.id);
  expect((await getChats(person, [sent.chatId])).chats).toEqual([]);
  expect((await person.get(`/api/devices/chats/${sent.chatId}`)).status).toBe(409);
});
