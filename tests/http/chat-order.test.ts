import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type ChatRow, chatLimits, type SearchHit } from '#features/chat/contract.ts';
import { again, begun, ended, marker, newChat, openChat, say, send, stop } from '../support/chat.ts';
import { seedChats } from '../support/chat-list.ts';
import { createPerson, type Person } from '../support/people.ts';
import type { TestServer } from '../support/server.ts';
import { borrowServer } from '../support/shared-server.ts';
import { expectSound, quiet } from '../support/soundness.ts';

let server: TestServer;
beforeAll(async () => {
  server = await borrowServer(inject('servers'));
});
afterAll(() => server.stop());

interface Listed {
  chats: ChatRow[];
  next: string | null;
}

const page = async (person: Person, query: Record<string, string> = {}) =>
  (await (await person.get(`/api/chats?${new URLSearchParams(query)}`)).json()) as Listed;
const titles = ({ chats }: Listed) => chats.map(({ title }) => title);
const listed = async (person: Person) => titles(await page(person));
const archived = async (person: Person) => titles(await page(person, { archived: 'true' }));
const change = (person: Person, id: string, body: Record<string, unknown>) =>
  person.send('PATCH', `/api/chats/${id}`, body);
const changed = async (person: Person, id: string, body: Record<string, unknown>) => {
  const answer = await change(person, id, body);
  expect(answer.status).toBe(200);
  return (await answer.json()) as ChatRow;
};

/** Pro, because the tests need more chats than a free plan may start in a day. */
const owner = () => createPerson(server, { plan: 'pro' });

/** Inserts chats named by position, newest first. */
const several = (person: Person, count: number) =>
  seedChats(
    server,
    person,
    Array.from({ length: count }, (_, at) => ({
      title: `Chat ${at + 1}`,
      updatedAt: new Date(Date.now() - (at + 1) * 3_600_000),
    })),
  );

test('pinned chats stand above the others on the first page alone, the newest pin first', async () => {
  const person = await owner();
  const ids = await several(person, 70);
  const before = (await page(person)).chats[2];
  const third = await changed(person, ids[2] ?? '', { pinned: true });
  expect(third).toEqual({ ...before, pinnedAt: expect.any(String) });
  await changed(person, ids[65] ?? '', { pinned: true });
  // Pinning again keeps the position.
  expect(await changed(person, ids[2] ?? '', { pinned: true })).toEqual(third);
  const first = await page(person);
  expect(titles(first).slice(0, 4)).toEqual(['Chat 66', 'Chat 3', 'Chat 1', 'Chat 2']);
  expect(first.chats).toHaveLength(chatLimits.chatsPerPage + 2);
  const seen = titles(first);
  for (let { next } = first; next !== null; ) {
    const more = await page(person, { before: next });
    seen.push(...titles(more));
    next = more.next;
  }
  expect(seen).toHaveLength(70);
  expect(new Set(seen).size).toBe(70);
  expect((await changed(person, ids[65] ?? '', { pinned: false })).pinnedAt).toBeNull();
  expect((await listed(person))[0]).toBe('Chat 3');
});

test('an archived chat is on a page of its own, found by search and opened, and comes back as it was', async () => {
  const person = await owner();
  const ids = await several(person, 35);
  const [id = '', other = ''] = ids;
  const pinned = await changed(person, id, { pinned: true });
  const row = await changed(person, id, { archived: true });
  expect(row).toMatchObject({ pinnedAt: pinned.pinnedAt, archivedAt: expect.any(String) });
  expect(row.updatedAt).toBe(pinned.updatedAt);
  expect(await listed(person)).not.toContain('Chat 1');
  expect(await archived(person)).toEqual(['Chat 1']);
  expect(await openChat(person, id)).toMatchObject({ title: 'Chat 1', archivedAt: row.archivedAt });
  const hits = (await (await person.get('/api/search?q=Chat%201')).json()) as { hits: SearchHit[] };
  const marks = new Map(hits.hits.map((hit) => [hit.chatId, hit.archived]));
  expect([marks.get(id), marks.get(ids[9] ?? '')]).toEqual([true, false]);
  // `/chat` opens the newest chat in the list.
  const newest = await (await person.get('/chat', { accept: 'text/html' })).text();
  expect(newest).toMatch(new RegExp(`<a[^>]*aria-current="page"[^>]*href="/chat/${other}"`));

  for (const each of ids) await changed(person, each, { archived: true });
  expect(await listed(person)).toEqual([]);
  const first = await page(person, { archived: 'true' });
  expect(titles(first)[0]).toBe('Chat 35');
  const rest = await page(person, { archived: 'true', before: first.next ?? '' });
  expect([first.chats.length, rest.chats.length, rest.next]).toEqual([30, 5, null]);
  expect(titles(rest).at(-1)).toBe('Chat 1');

  expect(await changed(person, id, { archived: false })).toEqual(pinned);
  expect(await changed(person, other, { pinned: true })).toMatchObject({ archivedAt: null });
  expect(await listed(person)).toEqual(['Chat 2', 'Chat 1']);
});

test('one may pin so many, in two tabs at once too, and a pin without room lapses when its chat comes back', async () => {
  const person = await owner();
  const ids = await several(person, chatLimits.pinned + 5);
  const answers = await Promise.all(ids.map((id) => change(person, id, { pinned: true })));
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(chatLimits.pinned);
  const refused = answers.filter(({ status }) => status !== 200);
  expect(refused.map(({ status }) => status)).toEqual([409, 409, 409, 409, 409]);
  expect(await refused[0]?.json()).toMatchObject({
    code: 'conflict',
    error: 'You can pin up to 20 chats. Unpin one first.',
  });
  const [away = '', gone = ''] = ids.filter((_, at) => statuses[at] === 200);
  const [one = '', two = ''] = ids.filter((_, at) => statuses[at] === 409);
  // A change that is refused in part is not applied at all.
  const names = await listed(person);
  expect((await change(person, one, { pinned: true, title: 'Renamed' })).status).toBe(409);
  expect(await listed(person)).toEqual(names);
  await changed(person, away, { archived: true });
  expect((await person.send('DELETE', `/api/chats/${gone}`)).status).toBe(204);
  await changed(person, one, { pinned: true });
  await changed(person, two, { pinned: true });
  expect((await changed(person, away, { archived: false })).pinnedAt).toBeNull();
  const back = await person.send('POST', `/api/chats/${gone}/restore`);
  expect(await back.json()).toMatchObject({ pinnedAt: null });
  expect((await page(person)).chats.filter(({ pinnedAt }) => pinnedAt)).toHaveLength(chatLimits.pinned);
});

test('a deleted chat keeps whether it was pinned or archived', async () => {
  const person = await owner();
  const [pinned = '', away = ''] = await several(person, 3);
  const rows = [
    await changed(person, pinned, { pinned: true }),
    await changed(person, away, { archived: true }),
  ];
  for (const id of [pinned, away]) await person.send('DELETE', `/api/chats/${id}`);
  expect([await listed(person), await archived(person)]).toEqual([['Chat 3'], []]);
  for (const id of [pinned, away])
    expect((await change(person, id, { pinned: true, title: 'x' })).status).toBe(404);
  for (const row of rows)
    expect(await (await person.send('POST', `/api/chats/${row.id}/restore`)).json()).toEqual(row);
  expect([await listed(person), await archived(person)]).toEqual([['Chat 1', 'Chat 3'], ['Chat 2']]);
});

test('archiving leaves a running reply alone; a message, another version and a continuation bring the chat back', async () => {
  const person = await createPerson(server);
  const sent = await send(person, `${marker()} [[mode:hold]] [[holdAfter:3]]`);
  await begun(person, sent.body.generation.id);
  expect(await changed(person, sent.chatId, { archived: true })).toMatchObject({ running: true });
  await stop(person, sent.body.generation.id);
  await ended(person, sent.body.generation.id);
  await quiet(server);
  expect(await listed(person)).toEqual([]);
  const { messages } = await openChat(person, sent.chatId);
  expect(messages.at(-1)?.content).not.toBe('');

  const waysBack = [
    () => say(person, sent.chatId, { text: `${marker()} [[tps:0]]` }),
    () => again(person, 'continue', sent.chatId, sent.body.reply.id),
    () => again(person, 'regenerate', sent.chatId, sent.body.reply.id),
  ];
  for (const comeBack of waysBack) {
    await changed(person, sent.chatId, { archived: true });
    const { status, body } = await comeBack();
    expect(status).toBe(202);
    await stop(person, body.generation.id);
    await ended(person, body.generation.id);
    expect(await openChat(person, sent.chatId)).toMatchObject({ archivedAt: null });
    expect((await page(person)).chats.map(({ id }) => id)).toEqual([sent.chatId]);
  }
});

test('another person’s chat is not found, and what is no change is refused', async () => {
  const [person, other] = [await createPerson(server), await createPerson(server)];
  const id = await newChat(person);
  for (const body of [{ pinned: true }, { archived: true }])
    expect((await change(other, id, body)).status).toBe(404);
  for (const body of [{}, { pinned: 'yes' }, { archived: 1 }, { pinned: true, archived: true }])
    expect((await change(person, id, body)).status).toBe(400);
  expect((await page(person)).chats).toMatchObject([{ id, pinnedAt: null, archivedAt: null }]);
  expect((await other.get('/api/chats?archived=true&before=nonsense')).status).toBe(200);
});

test('every invariant holds', () => expectSound(server));
