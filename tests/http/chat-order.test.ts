import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type ChatRow, chatLimits, type SearchHit } from '#features/chat/contract.ts';
import {
  newChat,
  openChat,
  requestVersion,
  send,
  sendBody,
  stop,
  uniqueWord,
  waitForEnd,
  waitForText,
} from '../support/chat.ts';
import { seedChats } from '../support/chat-list.ts';
import { expectConsistent, waitUntilIdle } from '../support/consistency.ts';
import { createPerson, type Person } from '../support/people.ts';
import type { TestServer } from '../support/server.ts';
import { borrowServer } from '../support/shared-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await borrowServer(inject('servers'));
});
afterAll(() => server.stop());

interface ChatsPage {
  chats: ChatRow[];
  next: string | null;
}

const page = async (person: Person, query: Record<string, string> = {}) =>
  (await (await person.get(`/api/chats?${new URLSearchParams(query)}`)).json()) as ChatsPage;
const titles = ({ chats }: ChatsPage) => chats.map(({ title }) => title);
const listedTitles = async (person: Person) => titles(await page(person));
const archivedTitles = async (person: Person) => titles(await page(person, { archived: 'true' }));
const change = (person: Person, id: string, body: Record<string, unknown>) =>
  person.send('PATCH', `/api/chats/${id}`, body);
const changed = async (person: Person, id: string, body: Record<string, unknown>) => {
  const answer = await change(person, id, body);
  expect(answer.status).toBe(200);
  return (await answer.json()) as ChatRow;
};

/** Pro, because the tests need more chats than a free plan may start in a day. */
const proPerson = () => createPerson(server, { plan: 'pro' });

/** Inserts chats named by position, newest first. */
const seedSeveral = (person: Person, count: number) =>
  seedChats(
    server,
    person,
    Array.from({ length: count }, (_, at) => ({
      title: `Chat ${at + 1}`,
      updatedAt: new Date(Date.now() - (at + 1) * 3_600_000),
    })),
  );

test('pinned chats are above the others on the first page only, the newest pin first', async () => {
  const person = await proPerson();
  const ids = await seedSeveral(person, 70);
  const before = (await page(person)).chats[2];
  const third = await changed(person, ids[2] ?? '', { pinned: true });
  expect(third).toEqual({ ...before, pinnedAt: expect.any(String) });
  await changed(person, ids[65] ?? '', { pinned: true });
  // Pinning again keeps the position.
  expect(await changed(person, ids[2] ?? '', { pinned: true })).toEqual(third);
  const first = await page(person);
  expect(titles(first).slice(0, 4)).toEqual(['Chat 66', 'Chat 3', 'Chat 1', 'Chat 2']);
  expect(first.chats).toHaveLength(chatLimits.chatsPerPage + 2);
  const shownTitles = titles(first);
  for (let { next } = first; next !== null; ) {
    const nextPage = await page(person, { before: next });
    shownTitles.push(...titles(nextPage));
    next = nextPage.next;
  }
  expect(shownTitles).toHaveLength(70);
  expect(new Set(shownTitles).size).toBe(70);
  expect((await changed(person, ids[65] ?? '', { pinned: false })).pinnedAt).toBeNull();
  expect((await listedTitles(person))[0]).toBe('Chat 3');
});

test('an archived chat is on a separate page, is found by search, can be opened, and returns unchanged', async () => {
  const person = await proPerson();
  const ids = await seedSeveral(person, 35);
  const [id = '', other = ''] = ids;
  const pinned = await changed(person, id, { pinned: true });
  const row = await changed(person, id, { archived: true });
  expect(row).toMatchObject({ pinnedAt: pinned.pinnedAt, archivedAt: expect.any(String) });
  expect(row.updatedAt).toBe(pinned.updatedAt);
  expect(await listedTitles(person)).not.toContain('Chat 1');
  expect(await archivedTitles(person)).toEqual(['Chat 1']);
  expect(await openChat(person, id)).toMatchObject({ title: 'Chat 1', archivedAt: row.archivedAt });
  const hits = (await (await person.get('/api/search?q=Chat%201')).json()) as { hits: SearchHit[] };
  const archivedById = new Map(hits.hits.map((hit) => [hit.chatId, hit.archived]));
  expect([archivedById.get(id), archivedById.get(ids[9] ?? '')]).toEqual([true, false]);
  // `/chat` opens the newest chat in the list.
  const newest = await (await person.get('/chat', { accept: 'text/html' })).text();
  expect(newest).toMatch(new RegExp(`<a[^>]*aria-current="page"[^>]*href="/chat/${other}"`));

  for (const each of ids) await changed(person, each, { archived: true });
  expect(await listedTitles(person)).toEqual([]);
  const first = await page(person, { archived: 'true' });
  expect(titles(first)[0]).toBe('Chat 35');
  const rest = await page(person, { archived: 'true', before: first.next ?? '' });
  expect([first.chats.length, rest.chats.length, rest.next]).toEqual([30, 5, null]);
  expect(titles(rest).at(-1)).toBe('Chat 1');

  expect(await changed(person, id, { archived: false })).toEqual(pinned);
  expect(await changed(person, other, { pinned: true })).toMatchObject({ archivedAt: null });
  expect(await listedTitles(person)).toEqual(['Chat 2', 'Chat 1']);
});

test('the number of pins is limited, also for simultaneous requests, and a pin beyond the limit lapses when its chat returns', async () => {
  const person = await proPerson();
  const ids = await seedSeveral(person, chatLimits.pinned + 5);
  const answers = await Promise.all(ids.map((id) => change(person, id, { pinned: true })));
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(chatLimits.pinned);
  const refused = answers.filter(({ status }) => status !== 200);
  expect(refused.map(({ status }) => status)).toEqual([409, 409, 409, 409, 409]);
  expect(await refused[0]?.json()).toMatchObject({
    code: 'conflict',
    error: 'You can pin up to 20 chats. Unpin one first.',
  });
  const [archivedId = '', deletedId = ''] = ids.filter((_, at) => statuses[at] === 200);
  const [one = '', two = ''] = ids.filter((_, at) => statuses[at] === 409);
  // A change that is refused in part is not applied at all.
  const names = await listedTitles(person);
  expect((await change(person, one, { pinned: true, title: 'Renamed' })).status).toBe(409);
  expect(await listedTitles(person)).toEqual(names);
  await changed(person, archivedId, { archived: true });
  expect((await person.send('DELETE', `/api/chats/${deletedId}`)).status).toBe(204);
  await changed(person, one, { pinned: true });
  await changed(person, two, { pinned: true });
  expect((await changed(person, archivedId, { archived: false })).pinnedAt).toBeNull();
  const restored = await person.send('POST', `/api/chats/${deletedId}/restore`);
  expect(await restored.json()).toMatchObject({ pinnedAt: null });
  expect((await page(person)).chats.filter(({ pinnedAt }) => pinnedAt)).toHaveLength(chatLimits.pinned);
});

test('a deleted chat remembers whether it was pinned or archived', async () => {
  const person = await proPerson();
  const [pinned = '', archivedId = ''] = await seedSeveral(person, 3);
  const rows = [
    await changed(person, pinned, { pinned: true }),
    await changed(person, archivedId, { archived: true }),
  ];
  for (const id of [pinned, archivedId]) await person.send('DELETE', `/api/chats/${id}`);
  expect([await listedTitles(person), await archivedTitles(person)]).toEqual([['Chat 3'], []]);
  for (const id of [pinned, archivedId])
    expect((await change(person, id, { pinned: true, title: 'x' })).status).toBe(404);
  for (const row of rows)
    expect(await (await person.send('POST', `/api/chats/${row.id}/restore`)).json()).toEqual(row);
  expect([await listedTitles(person), await archivedTitles(person)]).toEqual([
    ['Chat 1', 'Chat 3'],
    ['Chat 2'],
  ]);
});

test('archiving does not affect a running reply; a message, another version or a continuation unarchives the chat', async () => {
  const person = await createPerson(server);
  const sent = await send(person, `${uniqueWord()} [[mode:hold]] [[holdAfter:3]]`);
  await waitForText(person, sent.body.generation.id);
  expect(await changed(person, sent.chatId, { archived: true })).toMatchObject({ running: true });
  await stop(person, sent.body.generation.id);
  await waitForEnd(person, sent.body.generation.id);
  await waitUntilIdle(server);
  expect(await listedTitles(person)).toEqual([]);
  const { messages } = await openChat(person, sent.chatId);
  expect(messages.at(-1)?.content).not.toBe('');

  const actions = [
    () => sendBody(person, sent.chatId, { text: `${uniqueWord()} [[tps:0]]` }),
    () => requestVersion(person, 'continue', sent.chatId, sent.body.reply.id),
    () => requestVersion(person, 'regenerate', sent.chatId, sent.body.reply.id),
  ];
  for (const action of actions) {
    await changed(person, sent.chatId, { archived: true });
    const { status, body } = await action();
    expect(status).toBe(202);
    await stop(person, body.generation.id);
    await waitForEnd(person, body.generation.id);
    expect(await openChat(person, sent.chatId)).toMatchObject({ archivedAt: null });
    expect((await page(person)).chats.map(({ id }) => id)).toEqual([sent.chatId]);
  }
});

test('another person’s chat is not found, and an invalid change is refused', async () => {
  const [person, other] = [await createPerson(server), await createPerson(server)];
  const id = await newChat(person);
  for (const body of [{ pinned: true }, { archived: true }])
    expect((await change(other, id, body)).status).toBe(404);
  for (const body of [{}, { pinned: 'yes' }, { archived: 1 }, { pinned: true, archived: true }])
    expect((await change(person, id, body)).status).toBe(400);
  expect((await page(person)).chats).toMatchObject([{ id, pinnedAt: null, archivedAt: null }]);
  expect((await other.get('/api/chats?archived=true&before=nonsense')).status).toBe(200);
});

test('every invariant holds', () => expectConsistent(server));
