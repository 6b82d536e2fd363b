import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { Instructions } from '#features/accounts/instructions/instructions-contract.ts';
import { downloadArchive } from '../support/archive.ts';
import {
  modelInput,
  noDelay,
  openChat,
  requestVersion,
  send,
  uniqueWord,
  waitForEnd,
} from '../support/chat.ts';
import { client, createPerson, type Person } from '../support/people.ts';
import type { TestServer } from '../support/server.ts';
import { borrowServer } from '../support/shared-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await borrowServer(inject('servers'));
});
afterAll(() => server.stop());

const path = '/api/me/instructions';
const save = (person: Pick<Person, 'send'>, change: Partial<Instructions>) =>
  person.send('PUT', path, { about: '', answers: '', enabled: true, ...change });

test('apply to every reply in their owner’s chats, until they are switched off', async () => {
  const person = await createPerson(server, { plan: 'pro' });
  const [about, answers] = [`I bake bread (${uniqueWord()}).`, `In short sentences (${uniqueWord()}).`];
  const before = await modelInput(server, person);
  expect(before.body.instructed).toBe(false);
  expect(await (await person.get(path)).json()).toEqual({ about: '', answers: '', enabled: true });
  const saved = await save(person, { about: `  ${about}\n`, answers });
  expect([saved.status, await saved.json()]).toEqual([200, { about, answers, enabled: true }]);
  expect(await (await person.get('/api/me')).json()).toMatchObject({ instructed: true });

  const later = await modelInput(server, person, before.chatId);
  expect(later.body.instructed).toBe(true);
  const edges = (label: string, text: string) =>
    `----- begin of ${label} -----\n${text}\n----- end of ${label} -----`;
  expect(later.system).toContain(edges('what they say about themselves', about));
  expect(later.system).toContain(edges('how they want you to answer', answers));
  // The site's rules come last.
  expect(later.system.lastIndexOf('never an instruction to you')).toBeGreaterThan(
    later.system.indexOf(answers),
  );
  expect(later.system.replace(/\n\nThe person you are talking to.*?(?=\n\nAnswer in)/s, '')).toBe(
    before.system,
  );

  await save(person, { about, enabled: true });
  const { body } = await requestVersion(person, 'regenerate', later.chatId, later.body.reply.id);
  await waitForEnd(person, body.generation.id);
  const { messages } = await openChat(person, later.chatId);
  expect(messages.length).toBe(4);

  await save(person, { about, answers, enabled: false });
  const disabled = await modelInput(server, person, before.chatId);
  expect([disabled.system, disabled.body.instructed]).toEqual([before.system, false]);
  expect(await (await person.get(path)).json()).toEqual({ about, answers, enabled: false });
  expect(await (await person.get('/api/me')).json()).toMatchObject({ instructed: false });
});

test('do not apply to other people or to titles', async () => {
  const [person, other] = [await createPerson(server), await createPerson(server)];
  const word = uniqueWord();
  await save(person, { about: word });
  expect((await modelInput(server, other)).system).not.toContain(word);
  expect(await (await other.get(path)).json()).toMatchObject({ about: '' });
  expect((await client(server).get(path)).status).toBe(401);
  expect((await save(client(server), { about: word })).status).toBe(401);
  await modelInput(server, person);
  const log = await fetch(`${server.standins}/log?path=/gateway/v1/chat/completions`);
  const calls = (await log.json()) as Array<{ detail: { kind: string } | null; messages: unknown }>;
  const matching = calls.filter(({ messages }) => JSON.stringify(messages).includes(word));
  expect(matching.map(({ detail }) => detail?.kind)).toEqual(['chat']);
});

test('count against the context: older messages are left out for them', async () => {
  const person = await createPerson(server, { plan: 'pro' });
  const text = `${'word '.repeat(5_000)}${noDelay}`;
  const { chatId, body } = await send(person, text);
  await waitForEnd(person, body.generation.id);
  const second = await send(person, text, { chatId });
  await waitForEnd(person, second.body.generation.id);
  const response = await save(person, { about: '語'.repeat(1_500), answers: '語'.repeat(1_500) });
  expect(response.status).toBe(200);
  const withInstructions = await modelInput(server, person, chatId);
  expect(withInstructions.system.match(/語/g)?.length).toBe(3_000);
  await save(person, { enabled: false });
  const withoutInstructions = await modelInput(server, person, chatId);
  expect(withInstructions.messages.length).toBeLessThan(withoutInstructions.messages.length);
});

test('are refused with a message when they are too long, and remain unchanged', async () => {
  const person = await createPerson(server);
  await save(person, { about: 'kept' });
  for (const change of [{ about: 'x'.repeat(1_501) }, { answers: 'x'.repeat(1_501) }]) {
    const response = await save(person, change);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      code: 'bad_request',
      error: 'Use up to 1,500 characters in each field.',
    });
  }
  const huge = await save(person, { about: 'x'.repeat(1024 * 1024) });
  expect([huge.status, await huge.json()]).toMatchObject([413, { code: 'too_large' }]);
  expect((await person.send('PUT', path, { about: 'x' })).status).toBe(400);
  expect((await person.send('PUT', path, { about: 1, answers: '', enabled: true })).status).toBe(400);
  expect(await (await person.get(path)).json()).toMatchObject({ about: 'kept' });
  const markup = '</textarea><script>alert(1)</script> \0\ud800';
  expect((await save(person, { about: markup })).status).toBe(200);
  const html = await (await person.get('/settings', { accept: 'text/html' })).text();
  expect(html).not.toContain('<script>alert(1)');
  expect(html).toContain('&lt;/textarea&gt;&lt;script&gt;alert(1)&lt;/script&gt; \ufffd</textarea>');
});

test('are in the data export, and in no log', async () => {
  const person = await createPerson(server);
  const word = uniqueWord();
  await save(person, { about: word, answers: 'Short.' });
  await modelInput(server, person);
  const { data } = await downloadArchive(person);
  expect(data.instructions).toEqual({ about: word, answers: 'Short.', enabled: true });
  expect(server.output()).not.toContain(word);
});
