import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { ChatRow } from '#features/chat/contract.ts';
import { exchange, openChat, requestVersion, waitForEnd } from '../support/chat.ts';
import { expectConsistent, waitUntilIdle } from '../support/consistency.ts';
import { client, createPerson, type Person } from '../support/people.ts';
import type { TestServer } from '../support/server.ts';
import { borrowServer } from '../support/shared-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await borrowServer(inject('servers'));
});
afterAll(() => server.stop());

/** Prompt for exactly this reply, without delays. */
const raw = (text: string) => `[[raw:${Buffer.from(text).toString('base64')}]] [[tps:0]] [[first:0]]`;

const download = (person: Pick<Person, 'get'>, chatId: string, format: string) =>
  person.get(`/api/chats/${chatId}/export?format=${format}`);

test('Markdown contains the shown branch with unchanged texts; JSON contains everything', async () => {
  const person = await createPerson(server);
  const chatId = randomUUID();
  const reply = '# Heading\n\n```ts\nconst a = "</script>";\n```\n\n- [ ] *mark*  \n```';
  const first = await exchange(person, chatId, { text: `one ${raw(reply)}` });
  const second = await exchange(person, chatId, { text: `two ${raw('second')}` });
  const edited = await exchange(person, chatId, {
    text: `two anew ${raw('edited')}`,
    replaces: second.message.id,
  });
  const { body: other } = await requestVersion(person, 'regenerate', chatId, edited.reply.id);
  await waitForEnd(person, other.generation.id);
  await waitUntilIdle(server);
  await person.send('PATCH', `/api/chats/${chatId}`, { title: 'Häfen: "a/b"\r\nx-evil: 1; 東京 😀' });

  const { title, messages } = await openChat(person, chatId);
  const answer = await download(person, chatId, 'md');
  expect(answer.status).toBe(200);
  expect(Object.fromEntries(answer.headers)).toMatchObject({
    'content-type': 'text/markdown; charset=utf-8',
    'cache-control': 'private, no-store',
    'x-content-type-options': 'nosniff',
  });
  expect(answer.headers.get('x-evil')).toBeNull();
  const disposition = answer.headers.get('content-disposition') ?? '';
  expect(disposition).toMatch(/^attachment; filename="[\w .()-]+\.md"; filename\*=UTF-8''[\w%.~-]+\.md$/);
  const name = decodeURIComponent(/UTF-8''(.*)$/.exec(disposition)?.[1] ?? '');
  expect(name).toMatch(/^Häfen- -a-b- ?x-evil- 1; 東京 😀\.md$/);
  const dateFormat = new Intl.DateTimeFormat('en', {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'UTC',
  });
  const sections = messages.map(
    ({ role, createdAt, content }) =>
      `\n## ${role === 'user' ? 'You' : 'Assistant'}, ${dateFormat.format(new Date(createdAt))} UTC\n\n${content}\n`,
  );
  const text = await answer.text();
  expect(text.startsWith(`# ${title.replace(/\s+/g, ' ')}\n\nStarted `)).toBe(true);
  expect(text.slice(text.indexOf('\n## '))).toBe(sections.join(''));
  expect(text).toContain(`\n\n${reply}\n`);
  expect(text).not.toContain('second');

  const exported = JSON.parse(await (await download(person, chatId, 'json')).text()) as {
    title: string;
    assistant: string;
    shown: string;
    messages: Array<{
      id: string;
      parentId: string | null;
      content: string;
      role: string;
      model: string | null;
    }>;
  };
  expect(exported).toMatchObject({ id: chatId, title, assistant: 'general', shown: other.reply.id });
  expect(exported.messages.map(({ id }) => id)).toEqual([
    first.message.id,
    first.reply.id,
    second.message.id,
    second.reply.id,
    edited.message.id,
    edited.reply.id,
    other.reply.id,
  ]);
  expect(exported.messages[4]?.parentId).toBe(first.reply.id);
  expect(exported.messages[1]).toMatchObject({
    content: reply,
    role: 'assistant',
    model: expect.any(String),
  });

  // The export uses the branch that was chosen.
  await person.send('PUT', `/api/chats/${chatId}/branch`, { messageId: second.message.id });
  const chosen = await (await download(person, chatId, 'md')).text();
  expect(chosen).toContain('second');
  expect(chosen).not.toContain('edited');
  expect(JSON.parse(await (await download(person, chatId, 'json')).text())).toMatchObject({
    shown: second.reply.id,
  });
});

test('an empty chat, a HEAD request, other formats, other people', async () => {
  const [person, otherPerson] = [await createPerson(server), await createPerson(server)];
  const { id } = (await (await person.send('POST', '/api/chats', {})).json()) as { id: string };
  expect(await (await person.get(`/api/chats/${id}/export`)).text()).toMatch(
    /^# New Conversation\n\nStarted .+ UTC\n$/,
  );
  const german = { referer: `${server.url}/de/chat` };
  expect(await (await person.get(`/api/chats/${id}/export`, german)).text()).toMatch(/^# Neuer Chat\n/);
  const { chats } = (await (await person.get('/api/chats', german)).json()) as { chats: ChatRow[] };
  expect(chats.map(({ title }) => title)).toEqual(['Neuer Chat']);
  expect(await (await download(person, id, 'json')).json()).toMatchObject({ messages: [], shown: null });
  const head = await fetch(`${server.url}/api/chats/${id}/export`, {
    method: 'HEAD',
    headers: { cookie: person.cookie },
  });
  expect([head.status, head.headers.get('content-type')]).toEqual([200, 'text/markdown; charset=utf-8']);
  for (const format of ['html', '', '__proto__', 'MD'])
    expect((await download(person, id, format)).status, format).toBe(400);
  for (const format of ['md', 'json']) {
    expect((await download(otherPerson, id, format)).status).toBe(404);
    expect((await download(client(server), id, format)).status).toBe(401);
    expect((await download(person, randomUUID(), format)).status).toBe(404);
  }
});

test('a long chat is sent completely, in parts', async () => {
  const person = await createPerson(server);
  const chatId = randomUUID();
  await server.database.query(`insert into chat_sessions (id, user_id, title) values ($1, $2, 'Large')`, [
    chatId,
    person.id,
  ]);
  await server.database.query(
    `with ids as materialized (select gen_random_uuid() as id, place from generate_series(1, 30) place)
     insert into chat_messages (id, session_id, parent_id, role, content)
     select id, $1, lag(id) over (order by place), 'user', place || repeat(' ' || md5(id::text), 6000) from ids order by place`,
    [chatId],
  );
  const parts: Uint8Array[] = [];
  for await (const part of (await download(person, chatId, 'json')).body ?? [])
    parts.push(part as Uint8Array);
  expect(parts.length).toBeGreaterThan(10);
  const { messages } = JSON.parse(Buffer.concat(parts).toString()) as {
    messages: Array<{ content: string }>;
  };
  expect(messages.map(({ content }) => content.split(' ')[0])).toEqual(
    Array.from({ length: 30 }, (_, place) => String(place + 1)),
  );
});

test('every invariant holds', () => expectConsistent(server));
