import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { Attachment } from '#features/chat/contract.ts';
import type { LibraryItem, LibraryPage, SelectionOutcome } from '#features/library/contract.ts';
import { expectConsistent } from '../support/consistency.ts';
import { upload } from '../support/files.ts';
import { seedChat } from '../support/library.ts';
import { client, createPerson, type Person } from '../support/people.ts';
import type { TestServer } from '../support/server.ts';
import { borrowServer } from '../support/shared-server.ts';
import { unzip } from '../support/zip.ts';

let server: TestServer;
beforeAll(async () => {
  server = await borrowServer(inject('servers'));
});
afterAll(() => server.stop());

async function list(person: Pick<Person, 'get'>, query: Record<string, string> = {}): Promise<LibraryItem[]> {
  const response = await person.get(`/api/library?${new URLSearchParams({ kind: 'file', ...query })}`);
  return ((await response.json()) as LibraryPage).items;
}

const words = 'The kestrel waits.';

async function uploadFile(person: Person, name: string): Promise<string> {
  const { status, body } = await upload(server, person, words, { name });
  expect(status).toBe(201);
  return body.id;
}

/** Inserts a chat whose message has the file. */
async function sendInChat(person: Person, file: string, chat: Parameters<typeof seedChat>[2] = {}) {
  const chatIds = await seedChat(server, person, chat);
  await server.database.query('update chat_messages set attachment_id = $2 where id = $1', [
    chatIds.message,
    file,
  ]);
  return chatIds;
}

describe('files in the library', () => {
  test('list what was sent in chats, searchable by name, only for their owner', async () => {
    const owner = await createPerson(server);
    const otherPerson = await createPerson(server);
    const file = await uploadFile(owner, 'Kestrel notes.txt');
    expect(await list(owner)).toEqual([]);
    const { id, message } = await sendInChat(owner, file, { title: 'About birds' });
    const item = {
      kind: 'file',
      id: file,
      path: `/chat/${id}?at=${message}`,
      file: { bytes: words.length, chat: 'About birds' },
      archived: false,
    };
    const queries: Record<string, string>[] = [
      {},
      { q: 'kestrel' },
      { q: 'NOTES.txt kes' },
      { q: 'es', sort: 'name' },
      { sort: 'oldest' },
    ];
    for (const query of queries)
      expect(await list(owner, query), JSON.stringify(query)).toMatchObject([item]);
    expect(await list(owner, { q: 'waits' })).toEqual([]);
    expect(await list(otherPerson)).toEqual([]);
    expect(await list(otherPerson, { q: 'kestrel' })).toEqual([]);
    expect((await owner.get(item.path, { accept: 'text/html' })).status).toBe(200);
    expect(await (await owner.get(`/api/files/${file}`)).text()).toBe(words);
    const html = await (await owner.get('/library', { accept: 'text/html' })).text();
    expect(html).toContain(`href="/api/files/${file}"`);
    expect(html).toContain('In “About birds”');
    const found = await (await owner.get('/api/search?q=kestrel')).json();
    expect((found as { items: LibraryItem[] }).items).toMatchObject([item]);
  });

  test('link to the last message that has them, and disappear with the last of their chats', async () => {
    const person = await createPerson(server);
    const file = await uploadFile(person, 'a.txt');
    const first = await sendInChat(person, file, { title: 'First' });
    await sendInChat(person, file, { title: 'Passing', temporary: true });
    expect((await list(person)).map(({ path }) => path)).toEqual([`/chat/${first.id}?at=${first.message}`]);
    const second = await sendInChat(person, file, { title: 'Second' });
    expect((await list(person)).map(({ path }) => path)).toEqual([`/chat/${second.id}?at=${second.message}`]);
    await person.send('DELETE', `/api/chats/${second.id}`);
    expect((await list(person))[0]?.file?.chat).toBe('First');
    await person.send('DELETE', `/api/chats/${first.id}`);
    expect(await list(person)).toEqual([]);
    await person.send('POST', `/api/chats/${first.id}/restore`);
    expect(await list(person)).toHaveLength(1);
  });

  test('cannot be deleted on their own, and are downloaded with the rest', async () => {
    const owner = await createPerson(server);
    const otherPerson = await createPerson(server);
    const file = await uploadFile(owner, 'Plan.md');
    const { id } = await sendInChat(owner, file);
    const remove = async (person: Person) => {
      const body = { act: 'delete', items: [{ kind: 'file', id: file }] };
      return (await (await person.send('POST', '/api/library/selection', body)).json()) as SelectionOutcome;
    };
    const refused = {
      id: file,
      error: 'This file belongs to a chat, project or assistant. You can only delete it there.',
    };
    expect(await remove(owner)).toEqual({ done: [], refused: [refused] });
    expect(await remove(otherPerson)).toEqual({ done: [], refused: [{ id: file, error: 'Not found.' }] });
    expect((await otherPerson.get(`/api/library/export?file=${file}`)).status).toBe(404);
    const answer = await owner.get(`/api/library/export?file=${file}&chat=${id}`);
    const files = unzip(Buffer.from(await answer.arrayBuffer()));
    const name = [...files.keys()].find((each) => each.includes(file)) ?? '';
    expect(name).toMatch(/^files\/.*-plan-.*\.md$/);
    expect(files.get(name)?.toString()).toBe(words);
  });

  test('are deleted and restored with their chats', async () => {
    const person = await createPerson(server);
    const file = await uploadFile(person, 'Plan.md');
    const [first, second] = [await sendInChat(person, file), await sendInChat(person, file)];
    const applyAction = async (action: string, chats: string[]) => {
      const chosen = chats.map((id) => ({ kind: 'chat', id }));
      const body = { act: action, items: [{ kind: 'file', id: file }, ...chosen] };
      return (await (await person.send('POST', '/api/library/selection', body)).json()) as SelectionOutcome;
    };
    const firstOutcome = await applyAction('delete', [first.id]);
    expect([firstOutcome.done, firstOutcome.refused.map(({ id }) => id)]).toEqual([[first.id], [file]]);
    expect(await applyAction('delete', [second.id])).toEqual({ done: [second.id, file], refused: [] });
    expect(await list(person)).toEqual([]);
    const outcome = await applyAction('restore', []);
    expect(outcome).toEqual({ done: [], refused: [{ id: file, error: 'Not found.' }] });
    expect(await applyAction('restore', [second.id])).toEqual({ done: [second.id, file], refused: [] });
    expect(await list(person)).toHaveLength(1);
  });

  test('are described in the requested order when they are attached again', async () => {
    const owner = await createPerson(server);
    const otherPerson = await createPerson(server);
    const [one, other] = [await uploadFile(owner, 'one.txt'), await uploadFile(owner, 'other.txt')];
    await sendInChat(owner, one);
    const ask = async (person: Pick<Person, 'get'>, ids: string[]) => {
      const response = await person.get(`/api/files?ids=${ids.join(',')}`);
      expect(response.status).toBe(200);
      return ((await response.json()) as { files: Attachment[] }).files;
    };
    const requested = [other, randomUUID(), one.toUpperCase()];
    expect(await ask(owner, requested)).toMatchObject([
      { id: other, kind: 'text', name: 'other.txt', bytes: words.length },
      { id: one, name: 'one.txt' },
    ]);
    expect(await ask(otherPerson, requested)).toEqual([]);
    const many = Array.from({ length: 11 }, () => randomUUID());
    expect((await owner.get(`/api/files?ids=${many.join(',')}`)).status).toBe(400);
    for (const ids of ['', 'x', `${one},`])
      expect((await owner.get(`/api/files?ids=${ids}`)).status, ids).toBe(404);
    expect((await client(server).get(`/api/files?ids=${one}`)).status).toBe(401);
  });

  test('every invariant holds', () => expectConsistent(server));
});
