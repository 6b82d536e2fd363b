import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type ChatRow, chatLimits, type SelectionAction } from '#features/chat/contract.ts';
import { gatewayLog, newChat, send, uniqueWord, waitForEnd, waitForText } from '../support/chat.ts';
import { seedChats } from '../support/chat-list.ts';
import { expectConsistent, waitUntilIdle } from '../support/consistency.ts';
import { createPerson, type Person } from '../support/people.ts';
import { eventually, type TestServer } from '../support/server.ts';
import { borrowServer } from '../support/shared-server.ts';
import { unzip } from '../support/zip.ts';

let server: TestServer;
beforeAll(async () => {
  server = await borrowServer(inject('servers'));
});
afterAll(() => server.stop());

const select = (person: Pick<Person, 'send'>, ids: unknown, act: string) =>
  person.send('POST', '/api/chats/selection', { ids, act });

async function selectOk(person: Person, ids: string[], act: SelectionAction): Promise<ChatRow[]> {
  const answer = await select(person, ids, act);
  expect(answer.status).toBe(200);
  return ((await answer.json()) as { chats: ChatRow[] }).chats;
}

const rows = async (person: Person, query = '') =>
  ((await (await person.get(`/api/chats${query}`)).json()) as { chats: ChatRow[] }).chats;
const listedIds = async (person: Person) => (await rows(person)).map(({ id }) => id);
const archivedIds = async (person: Person) => (await rows(person, '?archived=true')).map(({ id }) => id);

/** Pro, because the tests need more chats than a free plan may start in a day. */
async function owner(count: number): Promise<{ person: Person; ids: string[] }> {
  const person = await createPerson(server, { plan: 'pro' });
  const updatedAt = (at: number) => new Date(Date.now() - (at + 1) * 60_000);
  const chats = Array.from({ length: count }, (_, at) => ({ title: `Chat ${at}`, updatedAt: updatedAt(at) }));
  return { person, ids: await seedChats(server, person, chats) };
}

test('many chats are archived, deleted and restored at once, each to its former state', async () => {
  const { person, ids } = await owner(6);
  const [pinned = '', other = '', third = ''] = ids;
  await person.send('PATCH', `/api/chats/${pinned}`, { pinned: true });
  const before = await rows(person);
  const chosen = [pinned, other, third];
  const answer = await selectOk(person, [...chosen, other.toUpperCase()], 'archive');
  expect(answer.map(({ id }) => id)).toEqual(chosen);
  expect(await listedIds(person)).toEqual(ids.slice(3));
  expect((await archivedIds(person)).toSorted()).toEqual(chosen.toSorted());
  expect((await selectOk(person, chosen, 'unarchive')).map(({ archivedAt }) => archivedAt)).toEqual([
    null,
    null,
    null,
  ]);
  expect(await rows(person)).toEqual(before);

  await selectOk(person, [third], 'archive');
  expect(await selectOk(person, chosen, 'delete')).toEqual([]);
  expect([await listedIds(person), await archivedIds(person)]).toEqual([ids.slice(3), []]);
  expect((await select(person, chosen, 'delete')).status).toBe(404);
  await selectOk(person, chosen, 'restore');
  expect(await archivedIds(person)).toEqual([third]);
  expect(await rows(person)).toEqual(before.filter(({ id }) => id !== third));
});

test('one chat of another person makes the whole request fail without changes', async () => {
  const { person, ids } = await owner(3);
  const otherPerson = await createPerson(server);
  const foreign = await newChat(otherPerson);
  const [deleted = '', ...rest] = ids;
  await person.send('DELETE', `/api/chats/${deleted}`);
  for (const missing of [foreign, randomUUID(), deleted])
    for (const act of ['archive', 'unarchive', 'delete'])
      expect((await select(person, [...rest, missing], act)).status, act).toBe(404);
  await selectOk(person, rest, 'delete');
  for (const missing of [foreign, randomUUID()])
    expect((await select(person, [...rest, missing], 'restore')).status).toBe(404);
  expect(await listedIds(person)).toEqual([]);
  await selectOk(person, [deleted, ...rest], 'restore');
  expect(await listedIds(person)).toEqual(ids);
  expect(await listedIds(otherPerson)).toEqual([foreign]);
  expect((await otherPerson.get(`/api/chats/export?ids=${foreign},${ids[0]}`)).status).toBe(404);
});

test('a request accepts a limited number of chats, by their ids', async () => {
  const { person, ids } = await owner(chatLimits.selected + 1);
  for (const invalid of [[], ids, 'all', ['x'], [...ids.slice(1), null]])
    expect((await select(person, invalid, 'archive')).status).toBe(400);
  expect((await select(person, ids.slice(1), 'pin')).status).toBe(400);
  expect((await person.get(`/api/chats/export?ids=${ids.join(',')}`)).status).toBe(400);
  expect((await person.get('/api/chats/export?ids=x')).status).toBe(404);
  expect(await selectOk(person, ids.slice(1), 'archive')).toHaveLength(chatLimits.selected);
  expect(await listedIds(person)).toEqual(ids.slice(0, 1));
});

test('deleting stops each running reply, as deleting one chat does', async () => {
  const person = await createPerson(server, { plan: 'pro' });
  const words = [uniqueWord(), uniqueWord()];
  const sent = [];
  for (const word of words) sent.push(await send(person, `${word} [[mode:hold]] [[holdAfter:3]]`));
  const runs = sent.map(({ body }) => body.generation.id);
  for (const run of runs) await waitForText(person, run);
  const ids = sent.map(({ chatId }) => chatId);
  await selectOk(person, ids, 'delete');
  for (const run of runs) expect(await waitForEnd(person, run)).toMatchObject({ state: 'stopped' });
  for (const word of words)
    await eventually(async () => (await gatewayLog(server, word))[0]?.closedBy === 'client');
});

test('simultaneous changes of the same chats in two tabs result in one consistent state', async () => {
  const { person, ids } = await owner(20);
  const reversed = ids.toReversed();
  const acts = ['archive', 'unarchive', 'archive', 'unarchive', 'archive', 'unarchive'];
  const answers = await Promise.all(acts.map((act, at) => select(person, at % 2 ? reversed : ids, act)));
  expect(answers.map(({ status }) => status)).toEqual(acts.map(() => 200));
  expect([20, 0]).toContain((await listedIds(person)).length);
  const deletions = await Promise.all([select(person, ids, 'delete'), select(person, reversed, 'delete')]);
  expect(deletions.map(({ status }) => status).toSorted()).toEqual([200, 404]);
});

test('many chats are exported as one archive with a file each', async () => {
  const person = await createPerson(server, { plan: 'pro' });
  const ids: string[] = [];
  for (const word of ['alpha', 'beta']) {
    const { chatId, body } = await send(person, `${word} [[tps:0]] [[first:0]]`);
    await waitForEnd(person, body.generation.id);
    ids.push(chatId);
  }
  await waitUntilIdle(server);
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

test('every invariant holds', () => expectConsistent(server));
