import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { downloadArchive } from '../support/archive.ts';
import { openChat, requestVersion, sendBody, uniqueWord, waitForEnd } from '../support/chat.ts';
import { createPerson, type Person } from '../support/people.ts';
import type { TestServer } from '../support/server.ts';
import { borrowServer } from '../support/shared-server.ts';
import { openPage, sharedChat } from '../support/shares.ts';
import { visitor } from '../support/visitor.ts';

let server: TestServer;
let owner: Person;
beforeAll(async () => {
  server = await borrowServer(inject('servers'));
  // Pro, because the tests insert more chats than a free plan may start.
  owner = await createPerson(server, { plan: 'pro' });
});
afterAll(() => server.stop());

const continueChat = (id: string, person: { cookie: string } | null, fields: Record<string, string> = {}) =>
  visitor(server).form(
    `/share/${id}`,
    { intent: 'continue', copy: randomUUID(), ...fields },
    { cookie: person?.cookie ?? '' },
  );
const chatsOf = async (person: Person) =>
  ((await (await person.get('/api/chats')).json()) as { chats: { id: string; title: string }[] }).chats;

test('the messages become the reader’s own chat, at no cost, which continues like any other', async () => {
  const [question, reply] = [uniqueWord(), uniqueWord()];
  const { chat, share: page } = await sharedChat(server, owner, [
    question,
    `**${reply}**`,
    'And then?',
    'That.',
  ]);
  const person = await createPerson(server, { credits: 3 });
  const answer = await continueChat(page.id, person);
  const [copy, ...more] = await chatsOf(person);
  expect(more).toEqual([]);
  expect([answer.status, answer.headers.get('location')]).toEqual([303, `/chat/${copy?.id}`]);
  expect(copy?.title).toBe('Chat of 4');
  const id = copy?.id ?? '';
  const { messages } = await openChat(person, id);
  expect(messages.map(({ role, content }) => [role, content])).toEqual([
    ['user', question],
    ['assistant', `**${reply}**`],
    ['user', 'And then?'],
    ['assistant', 'That.'],
  ]);
  expect(messages[1]).toMatchObject({
    state: 'done',
    generationId: null,
    creditsCharged: 0,
    model: null,
    error: null,
  });
  expect(await person.credits()).toBe(3);
  expect((await person.get(`/chat/${id}`, { accept: 'text/html' })).status).toBe(200);

  const next = await sendBody(person, id, { text: `Go on ${question} [[tps:0]] [[first:0]]` });
  expect((await waitForEnd(person, next.body.generation.id)).state).toBe('done');
  expect((await requestVersion(person, 'continue', id, messages[3]?.id ?? '')).status).toBe(404);
  expect((await person.get(`/api/chats/${id}/export?format=md`)).status).toBe(200);
  const found = await (await person.get(`/api/search?q=${reply}`)).json();
  expect(JSON.stringify(found)).toContain(id);
  const { data } = await downloadArchive(person);
  expect(data.chats.find((each) => each.id === id)?.messages.length).toBe(6);

  // The copy has no reference to the original.
  const { rows } = await server.database.query(
    'select s::text as row from chat_sessions s where id = $1 union all select m::text from chat_messages m where session_id = $1',
    [id],
  );
  const text = rows.map(({ row }) => row).join('\n');
  for (const secret of [owner.id, chat.id, page.id, ...chat.messages])
    expect(text.includes(secret)).toBe(false);
  await owner.send('DELETE', `/api/shares/${page.id}`);
  await owner.send('DELETE', `/api/chats/${chat.id}`);
  expect((await openChat(person, id)).messages).toHaveLength(6);
  const other = await requestVersion(person, 'regenerate', id, messages[1]?.id ?? '');
  expect((await waitForEnd(person, other.body.generation.id)).state).toBe('done');
  expect((await openChat(person, id)).messages[1]?.versions).toHaveLength(2);
});

test('a button that is pressed twice makes one copy, and another person’s id makes none', async () => {
  const { chat, share: page } = await sharedChat(server, owner, ['Q', 'A']);
  const person = await createPerson(server);
  const id = randomUUID();
  const answers = await Promise.all([1, 2, 3].map(() => continueChat(page.id, person, { copy: id })));
  expect(answers.map(({ status, headers }) => [status, headers.get('location')])).toEqual(
    Array(3).fill([303, `/chat/${id}`]),
  );
  expect(await chatsOf(person)).toHaveLength(1);
  expect((await openChat(person, id)).messages).toHaveLength(2);
  for (const foreign of [chat.id, 'x', ''])
    expect((await continueChat(page.id, person, { copy: foreign })).status).toBe(404);
  expect(await chatsOf(person)).toHaveLength(1);
});

test('the daily limit of new chats applies to copies, with its usual text', async () => {
  const { share: page } = await sharedChat(server, owner, ['Q', 'A']);
  const person = await createPerson(server);
  const answers = await Promise.all(Array.from({ length: 5 }, () => continueChat(page.id, person)));
  expect(answers.map(({ status }) => status).sort()).toEqual([303, 303, 303, 429, 429]);
  const refused = answers.find(({ status }) => status === 429);
  expect(await refused?.text()).toMatch(/class="notice notice-danger[^"]*"[^>]*>[^<]*chats/);
  expect(await chatsOf(person)).toHaveLength(3);
});

test('a guest signs in first, and no parameter leads to another site', async () => {
  const { share: page } = await sharedChat(server, owner, ['Q', 'A']);
  const signInPath = `/sign-in?next=${encodeURIComponent(`/share/${page.id}?continue`)}`;
  const { html } = await openPage(server, `${page.id}?continue=//evil.test&next=https://evil.test`);
  expect(html).toContain(`href="${signInPath}"`);
  expect(html).not.toContain('evil.test');
  const fields = { next: '//evil.test', to: 'https://evil.test', redirect: '//evil.test' };
  const answer = await continueChat(page.id, null, fields);
  expect([answer.status, answer.headers.get('location')]).toEqual([303, signInPath]);
  const signIn = await (await fetch(server.url + signInPath)).text();
  expect(signIn).toContain(`/share/${page.id}?continue`);
  const person = await createPerson(server);
  expect((await continueChat(page.id, person, fields)).headers.get('location')).toMatch(
    /^\/chat\/[\w-]{36}$/,
  );
  // Opening the page copies nothing, even with ?continue in the link.
  const reader = await createPerson(server);
  expect((await openPage(server, `${page.id}?continue`, reader.cookie)).html).toContain('You’re signed in.');
  expect(await chatsOf(reader)).toEqual([]);
});

test('what is not shown cannot be copied', async () => {
  const { share: page } = await sharedChat(server, owner, ['Q', 'A']);
  const person = await createPerson(server);
  await owner.send('DELETE', `/api/shares/${page.id}`);
  expect((await continueChat(page.id, person)).status).toBe(404);
  expect((await continueChat(page.id, null)).status).toBe(404);
  const foreign = await fetch(`${server.url}/share/${page.id}`, {
    method: 'POST',
    headers: { cookie: person.cookie, origin: 'https://evil.test' },
    body: new URLSearchParams({ intent: 'continue', copy: randomUUID() }),
  });
  expect(foreign.status).toBe(403);
  expect(await chatsOf(person)).toEqual([]);
});
