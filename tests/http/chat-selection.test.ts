import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type ChatRow, chatLimits, type SelectionAct } from '#features/chat/contract.ts';
import { begun, ended, gatewayLog, marker, newChat, send } from '../support/chat.ts';
import { seedChats } from '../support/chat-list.ts';
import { createPerson, type Person } from '../support/people.ts';
import { eventually, type TestServer } from '../support/server.ts';
import { borrowServer } from '../support/shared-server.ts';
import { expectSound, quiet } from '../support/soundness.ts';
import { unzip } from '../support/zip.ts';

let server: TestServer;
beforeAll(async () => {
  server = await borrowServer(inject('servers'));
});
afterAll(() => server.stop());

const ask = (person: Pick<Person, 'send'>, ids: unknown, act: string) =>
  person.send('POST', '/api/chats/selection', { ids, act });

async function acted(person: Person, ids: string[], act: SelectionAct): Promise<ChatRow[]> {
  const answer = await ask(person, ids, act);
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { chats: ChatRow[] }).chats;
}

const rows = async (person: Person, query = '') =>
  ((await (await person.get(`/api/chats${query}`)).json()) as { chats: ChatRow[] }).chats;
const listed = async (person: Person) => (await rows(person)).map(({ id }) => id);
const archived = async (person: Person) => (await rows(person, '?archived=true')).map(({ id }) => id);

/** Pro, because the tests need more chats than a free plan may start in a day. */
async function owner(count: number): Promise<{ person: Person; ids: string[] }> {
  const person = await createPerson(server, { plan: 'pro' });
  const updatedAt = (at: number) => new Date(Date.now() - (at + 1) * 60_000);
  const chats = Array.from({ length: count }, (_, at) => ({ title: `Chat ${at}`, updatedAt: updatedAt(at) }));
  return { person, ids: await seedChats(server, person, chats) };
}

test('many chats are archived, deleted and brought back at once, each as it was', async () => {
  const { person, ids } = await owner(6);
  const [pinned = '', other = '', third = ''] = ids;
  await person.send('PATCH', `/api/chats/${pinned}`, { pinned: true });
  const before = await rows(person);
  const some = [pinned, other, third];
  const answer = await acted(person, [...some, other.toUpperCase()], 'archive');
  expect(answer.map(({ id }) => id)).toEqual(some);
  expect(await listed(person)).toEqual(ids.slice(3));
  expect((await archived(person)).toSorted()).toEqual(some.toSorted());
  expect((await acted(person, some, 'unarchive')).map(({ archivedAt }) => archivedAt)).toEqual([
    null,
    null,
    null,
  ]);
  expect(await rows(person)).toEqual(before);

  await acted(person, [third], 'archive');
  expect(await acted(person, some, 'delete')).toEqual([]);
  expect([await listed(person), await archived(person)]).toEqual([ids.slice(3), []]);
  expect((await ask(person, some, 'delete')).status).toBe(404);
  await acted(person, some, 'restore');
  expect(await archived(person)).toEqual([third]);
  expect(await rows(person)).toEqual(before.filter(({ id }) => id !== third));
});

test('one chat that is not the person’s own refuses all, and changes none', async () => {
  const { person, ids } = await owner(3);
  const stranger = await createPerson(server);
  const foreign = await newChat(stranger);
  const [deleted = '', ...kept] = ids;
  await person.send('DELETE', `/api/chats/${deleted}`);
  for (const missing of [foreign, randomUUID(), deleted])
    for (const act of ['archive', 'unarchive', 'delete'])
      expect((await ask(person, [...kept, missing], act)).status, act).toBe(404);
  await acted(person, kept, 'delete');
  for (const missing of [foreign, randomUUID()])
    expect((await ask(person, [...kept, missing], 'restore')).status).toBe(404);
  expect(await listed(person)).toEqual([]);
  await acted(person, [deleted, ...kept], 'restore');
  expect(await listed(person)).toEqual(ids);
  expect(await listed(stranger)).toEqual([foreign]);
  expect((await stranger.get(`/api/chats/export?ids=${foreign},${ids[0]}`)).status).toBe(404);
});

test('a request names so many chats at most, by their ids', async () => {
  const { person, ids } = await owner(chatLimits.selected + 1);
  for (const wrong of [[], ids, 'all', ['x'], [...ids.slice(1), null]])
    expect((await ask(person, wrong, 'archive')).status).toBe(400);
  expect((await ask(person, ids.slice(1), 'pin')).status).toBe(400);
  expect((await person.get(`/api/chats/export?ids=${ids.join(',')}`)).status).toBe(400);
  expect((await person.get('/api/chats/export?ids=x')).status).toBe(404);
  expect(await acted(person, ids.slice(1), 'archive')).toHaveLength(chatLimits.selected);
  expect(await listed(person)).toEqual(ids.slice(0, 1));
});

test('deleting stops each reply that is being written, as deleting one chat does', async () => {
  const person = await createPerson(server, { plan: 'pro' });
  const words = [marker(), marker()];
  const sent = [];
  for (const word of words) sent.push(await send(person, `${word} [[mode:hold]] [[holdAfter:3]]`));
  const runs = sent.map(({ body }) => body.generation.id);
  for (const run of runs) await begun(person, run);
  const ids = sent.map(({ chatId }) => chatId);
  await acted(person, ids, 'delete');
  for (const run of runs) expect(await ended(person, run)).toMatchObject({ state: 'stopped' });
  for (const word of words)
    await eventually(async () => (await gatewayLog(server, word))[0]?.closedBy === 'client');
});

test('what two tabs do to the same chats at once leaves them in one state', async () => {
  const { person, ids } = await owner(20);
  const turned = ids.toReversed();
  const acts = ['archive', 'unarchive', 'archive', 'unarchive', 'archive', 'unarchive'];
  const answers = await Promise.all(acts.map((act, at) => ask(person, at % 2 ? turned : ids, act)));
  expect(answers.map(({ status }) => status)).toEqual(acts.map(() => 200));
  expect([20, 0]).toContain((await listed(person)).length);
  const ends = await Promise.all([ask(person, ids, 'delete'), ask(person, turned, 'delete')]);
  expect(ends.map(({ status }) => status).toSorted()).toEqual([200, 404]);
});

test('many chats are exported as one archive with a file of each', async () => {
  const person = await createPerson(server, { plan: 'pro' });
  const ids: string[] = [];
  for (const word of ['alpha', 'beta']) {
    const { chatId, body } = await send(person, `${word} [[tps:0]] [[first:0]]`);
    await ended(person, body.generation.id);
    ids.push(chatId);
  }
  await quiet(server);
  const answer = await person.get(`/api/chats/export?ids=${ids.join(',')}`);
  expect(answer.status).toBe(200);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'application/zip',
    'cache-control': 'private, no-store',
    'content-disposition': expect.stringMatching(/^attachment; filename="2 chats\.zip"/),
  });
  const files = unzip(Buffer.from(await answer.arrayBuffer()));
  for (const [at, id] of ids.entries()) {
    const [name = ''] = [...files.keys()].filter((each) => each.endsWith(`${id}.md`));
    expect(name).toMatch(/^\d{4}-\d\d-\d\d-\w/);
    const single = await (await person.get(`/api/chats/${id}/export`)).text();
    expect(files.get(name)?.toString()).toBe(single);
    expect(single).toContain(['alpha', 'beta'][at]);
  }
  expect(files.size).toBe(2);
  const json = await person.get(`/api/chats/export?format=json&ids=${ids.join(',')}`);
  for (const [name, content] of unzip(Buffer.from(await json.arrayBuffer())))
    expect(name).toContain((JSON.parse(content.toString()) as { id: string }).id);
});

test('every invariant holds', () => expectSound(server));
