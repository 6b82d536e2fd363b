import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { ChatPage } from '#features/chat/contract.ts';
import { type Project, projectLimits } from '#features/chat/projects/projects-contract.ts';
import { downloadArchive } from '../support/archive.ts';
import {
  exchange,
  gatewayLog,
  noDelay,
  openChat,
  requestVersion,
  sendBody,
  uniqueWord,
  waitForEnd,
} from '../support/chat.ts';
import { seedChats } from '../support/chat-list.ts';
import { expectConsistent, waitUntilIdle } from '../support/consistency.ts';
import { runJob } from '../support/files.ts';
import { client, createPerson, type Person } from '../support/people.ts';
import type { TestServer } from '../support/server.ts';
import { borrowServer } from '../support/shared-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await borrowServer(inject('servers'));
});
afterAll(() => server.stop());

async function create(person: Person, body: object = {}): Promise<Project> {
  const answer = await person.send('POST', '/api/projects', { name: 'Bakery', ...body });
  expect(answer.status).toBe(201);
  return (await answer.json()) as Project;
}

const move = (person: Pick<Person, 'send'>, ids: unknown, projectId: unknown) =>
  person.send('POST', '/api/chats/selection', { ids, act: 'move', projectId });
const page = async (person: Person, query = '') =>
  (await (await person.get(`/api/chats${query}`)).json()) as ChatPage;
const inProject = async (person: Person, id: string) =>
  (await page(person, `?project=${id}`)).chats.map((chat) => chat.id);

async function owner(count = 3) {
  const person = await createPerson(server, { plan: 'pro' });
  const times = Array.from({ length: count }, (_, at) => new Date(Date.now() - (at + 1) * 60_000));
  const ids = await seedChats(
    server,
    person,
    times.map((updatedAt, at) => ({ title: `Chat ${at}`, updatedAt })),
  );
  return { person, ids };
}

/** Returns the system message of the newest request with this text. */
async function systemOf(text: string): Promise<string> {
  const call = (await gatewayLog(server, text)).at(-1);
  return call?.messages[0]?.content ?? '';
}

test('a project is created, renamed and listed with the chats, newest first', async () => {
  const { person, ids } = await owner(1);
  expect((await page(person)).projects).toEqual([]);
  const first = await create(person, { name: '  Bread\n and  rolls ', instructions: ' Be short. \n' });
  expect(first).toEqual({
    id: first.id,
    name: 'Bread and rolls',
    instructions: 'Be short.',
    chats: 0,
    files: [],
  });
  const id = randomUUID();
  const created = await Promise.all([1, 2, 3].map(() => create(person, { id, name: 'Second' })));
  expect(created.map((project) => project.id)).toEqual([id, id, id]);
  const change = await person.send('PATCH', `/api/projects/${id}`, { name: 'Cakes' });
  expect([change.status, await change.json()]).toEqual([
    200,
    { id, name: 'Cakes', instructions: '', chats: 0, files: [] },
  ]);
  await person.send('PATCH', `/api/projects/${first.id}`, { instructions: 'Be long.' });
  expect(await (await person.get(`/api/projects/${first.id}`)).json()).toMatchObject({
    name: 'Bread and rolls',
    instructions: 'Be long.',
  });
  await move(person, ids, first.id);
  const listed = [
    { id, name: 'Cakes', chats: 0 },
    { id: first.id, name: 'Bread and rolls', chats: 1 },
  ];
  const { chats, projects } = await page(person);
  expect(projects).toEqual(listed);
  expect(chats[0]?.projectId).toBe(first.id);
  expect(await (await person.get('/api/projects')).json()).toEqual({ projects: listed });
  // Projects are listed even if the person has no chats.
  const other = await createPerson(server);
  const own = await create(other, { name: 'Alone' });
  expect(await page(other)).toEqual({
    chats: [],
    next: null,
    projects: [{ id: own.id, name: 'Alone', chats: 0 }],
  });
});

test('chats move into and out of a project, and stay in list, search and archive', async () => {
  const { person, ids } = await owner(3);
  const [first = '', second = '', third = ''] = ids;
  const [one, two] = [await create(person), await create(person, { name: 'Other' })];
  const moved = await move(person, [first, second.toUpperCase()], one.id);
  expect(moved.status).toBe(200);
  const { chats } = (await moved.json()) as ChatPage;
  expect(chats.map(({ id, projectId }) => [id, projectId])).toEqual([
    [first, one.id],
    [second, one.id],
  ]);
  expect(await inProject(person, one.id)).toEqual([first, second]);
  expect((await openChat(person, first)).project).toEqual({ id: one.id, name: 'Bakery' });
  expect((await page(person)).chats.map(({ id }) => id)).toEqual(ids);
  expect(JSON.stringify(await (await person.get('/api/search?q=Chat%200')).json())).toContain(first);

  await move(person, [second], two.id);
  expect([await inProject(person, one.id), await inProject(person, two.id)]).toEqual([[first], [second]]);
  await person.send('PATCH', `/api/chats/${second}`, { archived: true });
  expect(await inProject(person, two.id)).toEqual([]);
  expect((await page(person, '?archived=true')).chats[0]?.projectId).toBe(two.id);
  await person.send('PATCH', `/api/chats/${second}`, { archived: false });
  expect(await inProject(person, two.id)).toEqual([second]);
  await person.send('PATCH', `/api/chats/${second}`, { pinned: true });
  expect((await page(person)).chats.map(({ id }) => id)).toEqual([second, first, third]);
  await move(person, [first, second, third], null);
  expect((await page(person)).projects.map((project) => project.chats)).toEqual([0, 0]);
  expect((await openChat(person, first)).project).toBeNull();
});

test('a project’s chats are paged', async () => {
  const { person, ids } = await owner(35);
  const { id } = await create(person);
  await move(person, ids, id);
  const first = await page(person, `?project=${id}`);
  expect(first.chats).toHaveLength(30);
  const rest = await page(person, `?project=${id}&before=${encodeURIComponent(first.next ?? '')}`);
  expect([...first.chats, ...rest.chats].map((chat) => chat.id)).toEqual(ids);
  expect(rest.next).toBeNull();
});

test('instructions are part of every reply in the project’s chats, after the personal ones, and of no other', async () => {
  const person = await createPerson(server, { plan: 'pro' });
  const [own, shared] = [uniqueWord(), uniqueWord()];
  const { id } = await create(person, { instructions: `Answer as ${shared}.` });
  const chatId = randomUUID();
  const first = uniqueWord();
  const firstExchange = await exchange(person, chatId, { text: `${first} ${noDelay}`, projectId: id });
  expect(firstExchange.instructed).toBe(false);
  expect(await inProject(person, id)).toEqual([chatId]);
  expect(await systemOf(first)).toContain(`Answer as ${shared}.`);

  await person.send('PUT', '/api/me/instructions', { about: own, answers: '', enabled: true });
  const second = uniqueWord();
  const secondExchange = await exchange(person, chatId, { text: `${second} ${noDelay}` });
  expect(secondExchange.instructed).toBe(true);
  const system = await systemOf(second);
  expect(system.indexOf(own)).toBeGreaterThan(0);
  expect(system.indexOf(shared)).toBeGreaterThan(system.indexOf(own));
  expect(system.lastIndexOf('never an instruction to you')).toBeGreaterThan(system.indexOf(shared));
  await person.send('PATCH', `/api/projects/${id}`, { instructions: 'Changed.' });
  const other = await requestVersion(person, 'regenerate', chatId, secondExchange.reply.id);
  await waitForEnd(person, other.body.generation.id);
  expect(await systemOf(second)).toContain('Changed.');

  const outside = uniqueWord();
  await exchange(person, randomUUID(), { text: `${outside} ${noDelay}` });
  expect(await systemOf(outside)).not.toContain('Changed.');
  await move(person, [chatId], null);
  const third = uniqueWord();
  await exchange(person, chatId, { text: `${third} ${noDelay}` });
  expect(await systemOf(third)).not.toContain('Changed.');
  // A fork stays in its chat's project.
  await move(person, [chatId], id);
  const fork = randomUUID();
  await person.send('POST', '/api/chats/fork', { messageId: firstExchange.reply.id, id: fork });
  expect((await inProject(person, id)).toSorted()).toEqual([chatId, fork].toSorted());
});

test('a deleted project leaves its chats, and is restored with those that are in no other project', async () => {
  const { person, ids } = await owner(3);
  const [first = '', second = '', third = ''] = ids;
  const { id } = await create(person, { instructions: uniqueWord() });
  const other = await create(person, { name: 'Other' });
  await move(person, ids, id);
  expect((await person.send('DELETE', `/api/projects/${id}`)).status).toBe(204);
  const { chats, projects } = await page(person);
  expect(chats.map((chat) => [chat.id, chat.projectId])).toEqual(ids.map((each) => [each, null]));
  expect(projects.map((project) => project.id)).toEqual([other.id]);
  expect((await openChat(person, first)).project).toBeNull();
  const word = uniqueWord();
  await exchange(person, first, { text: `${word} ${noDelay}` });
  expect(await systemOf(word)).not.toContain('the instructions of the project');
  for (const path of [`/api/projects/${id}`, `/api/chats?project=${id}`])
    expect((await person.get(path)).status).toBe(404);
  expect((await person.send('PATCH', `/api/projects/${id}`, { name: 'x' })).status).toBe(404);
  expect((await person.send('DELETE', `/api/projects/${id}`)).status).toBe(404);
  expect((await move(person, [first], id)).status).toBe(404);
  const lateMessage = await sendBody(person, randomUUID(), { text: 'late', create: true, projectId: id });
  expect([lateMessage.status, lateMessage.body.code, lateMessage.body.error]).toEqual([
    409,
    'conflict',
    'This project was deleted. Your message wasn’t sent. Start a new chat to send it.',
  ]);
  expect((await page(person)).chats).toHaveLength(3);

  await move(person, [second], other.id);
  const restored = await person.send('POST', `/api/projects/${id}/restore`);
  expect([restored.status, ((await restored.json()) as Project).chats]).toEqual([200, 2]);
  expect(await inProject(person, id)).toEqual([first, third]);
  expect((await person.send('POST', `/api/projects/${id}/restore`)).status).toBe(200);

  await person.send('DELETE', `/api/projects/${id}`);
  await server.database.query(
    `update projects set deleted_at = deleted_at - interval '8 days' where id = $1`,
    [id],
  );
  expect((await person.send('POST', `/api/projects/${id}/restore`)).status).toBe(404);
  await waitUntilIdle(server);
  await runJob(server, 'purge-deleted-chats');
  const { rowCount } = await server.database.query('select 1 from projects where id = $1', [id]);
  expect(rowCount).toBe(0);
  expect((await page(person)).chats).toHaveLength(3);
});

test('another person’s project is not found and cannot be changed', async () => {
  const { person, ids } = await owner(2);
  const [ownChat = ''] = ids;
  const otherPerson = await createPerson(server, { plan: 'pro' });
  const foreignProject = await create(otherPerson, { name: 'Theirs', instructions: 'secret' });
  const own = await create(person);
  for (const [method, path, body] of [
    ['GET', `/api/projects/${foreignProject.id}`],
    ['PATCH', `/api/projects/${foreignProject.id}`, { name: 'Mine now' }],
    ['DELETE', `/api/projects/${foreignProject.id}`],
    ['POST', `/api/projects/${foreignProject.id}/restore`],
    ['GET', `/api/chats?project=${foreignProject.id}`],
    ['POST', '/api/projects', { id: foreignProject.id, name: 'Mine now' }],
  ] as const) {
    const answer = method === 'GET' ? await person.get(path) : await person.send(method, path, body);
    expect(answer.status, path).toBe(404);
    expect(await answer.text()).not.toContain('secret');
    const guest = client(server);
    const guestAnswer = method === 'GET' ? await guest.get(path) : await guest.send(method, path, body);
    expect(guestAnswer.status, path).toBe(401);
  }
  expect((await move(person, ids, foreignProject.id)).status).toBe(404);
  expect((await move(otherPerson, [ownChat], foreignProject.id)).status).toBe(404);
  expect((await move(person, [ownChat, randomUUID()], own.id)).status).toBe(404);
  const refused = await sendBody(person, randomUUID(), {
    text: 'x',
    create: true,
    projectId: foreignProject.id,
  });
  expect(refused.status).toBe(409);
  const html = await (
    await person.get(`/chat/new?project=${foreignProject.id}`, { accept: 'text/html' })
  ).text();
  expect(html).not.toContain('Theirs');
  expect((await page(person)).chats.map(({ projectId }) => projectId)).toEqual([null, null]);
  expect(await (await otherPerson.get(`/api/projects/${foreignProject.id}`)).json()).toEqual(foreignProject);
});

test('limits hold: names, instructions, count, and invalid bodies', async () => {
  const person = await createPerson(server, { plan: 'pro' });
  const refused = async (body: object) => (await person.send('POST', '/api/projects', body)).status;
  for (const body of [{}, { name: '' }, { name: ' \u0000 ' }, { name: 7 }, { name: 'x', id: 'x' }, []])
    expect(await refused(body)).toBe(400);
  const long = 'x'.repeat(projectLimits.instructions + 1);
  expect(await refused({ name: 'x', instructions: long })).toBe(400);
  const { id, name } = await create(person, { name: '🙂'.repeat(60), instructions: long.slice(1) });
  expect([name.length, name.endsWith('🙂')]).toEqual([80, true]);
  expect((await person.send('PATCH', `/api/projects/${id}`, { name: ' ' })).status).toBe(400);
  expect((await person.send('PATCH', `/api/projects/${id}`, { instructions: long })).status).toBe(400);
  for (const projectId of [undefined, 'x', 7]) expect((await move(person, [id], projectId)).status).toBe(400);
  expect(
    (await person.send('POST', '/api/chats/selection', { ids: [id], act: 'archive', projectId: id })).status,
  ).toBe(400);

  await server.database.query(
    `insert into projects (id, user_id, name) select gen_random_uuid(), $1, 'P' || at from generate_series(1, $2) at`,
    [person.id, projectLimits.projects - 3],
  );
  const answers = await Promise.all(
    [1, 2, 3, 4].map((at) => person.send('POST', '/api/projects', { name: `Last ${at}` })),
  );
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 409, 409]);
  await person.send('DELETE', `/api/projects/${id}`);
  await create(person, { name: 'In its place' });
  const full = await person.send('POST', `/api/projects/${id}/restore`);
  expect([full.status, ((await full.json()) as { error: string }).error]).toEqual([
    409,
    'You can have up to 50 projects. Delete one first.',
  ]);
});

test('a temporary chat is in no project', async () => {
  const person = await createPerson(server);
  const { id } = await create(person, { instructions: uniqueWord() });
  const chatId = randomUUID();
  const word = uniqueWord();
  await exchange(person, chatId, { text: `${word} ${noDelay}`, temporary: true, projectId: id });
  expect((await openChat(person, chatId)).project).toBeNull();
  expect(await systemOf(word)).not.toContain('the instructions of the project');
  expect((await move(person, [chatId], id)).status).toBe(404);
});

test('the archive contains the projects, and the erasure leaves none', async () => {
  const { person, ids } = await owner(1);
  const project = await create(person, { instructions: 'Kept in the archive.' });
  await move(person, ids, project.id);
  const { data } = await downloadArchive(person);
  expect(data.projects).toMatchObject([
    { id: project.id, name: 'Bakery', instructions: 'Kept in the archive.', deletedAt: null },
  ]);
  expect(data.chats.map(({ projectId }) => projectId)).toEqual([project.id]);
});

test('every invariant holds', () => expectConsistent(server));
