import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { downloadArchive } from '../support/archive.ts';
import { waitForEnd } from '../support/chat.ts';
import { expectConsistent } from '../support/consistency.ts';
import { upload } from '../support/files.ts';
import { createPerson, type Person } from '../support/people.ts';
import type { TestServer } from '../support/server.ts';
import { borrowServer } from '../support/shared-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await borrowServer(inject('servers'));
});
afterAll(() => server.stop());

const post = (person: Person, chatId: string, file: string) =>
  person.send(
    'POST',
    `/api/chats/${chatId}/messages`,
    { text: 'What does it say?', create: true, attachmentIds: [file] },
    { 'idempotency-key': randomUUID() },
  );

async function sendInNewChat(person: Person, file: string): Promise<string> {
  const chatId = randomUUID();
  const response = await post(person, chatId, file);
  expect(response.status).toBe(202);
  const { generation } = (await response.json()) as { generation: { id: string } };
  await waitForEnd(person, generation.id);
  return chatId;
}

const storedFiles = async ({ id }: Person) => {
  const { rows } = await server.database.query(
    'select count(*)::int as files, sum(bytes)::int as bytes from attachments where user_id = $1',
    [id],
  );
  return rows[0];
};

test('a file of an earlier chat can be attached again: it is stored and exported once, and outlives either chat', async () => {
  const person = await createPerson(server);
  const text = 'The lighthouse was built in 1871.';
  const { body } = await upload(server, person, text, { name: 'notes.txt' });
  const [first, second] = [await sendInNewChat(person, body.id), await sendInNewChat(person, body.id)];
  expect(await storedFiles(person)).toEqual({ files: 1, bytes: text.length });

  const { data, files } = await downloadArchive(person);
  expect(data.attachments.map(({ id }) => id)).toEqual([body.id]);
  expect([...files.keys()].filter((name) => name.startsWith('files/'))).toHaveLength(1);

  expect((await person.send('DELETE', `/api/chats/${first}`)).status).toBe(204);
  expect(await (await person.get(`/api/files/${body.id}`)).text()).toBe(text);
  // Removing it from a third draft does not delete a file that a message has.
  expect((await person.send('DELETE', `/api/files/${body.id}`)).status).toBe(409);
  expect((await person.send('DELETE', `/api/chats/${second}`)).status).toBe(204);
  expect((await person.get(`/api/files/${body.id}`)).status).toBe(404);
});

test('the file of another person cannot be attached', async () => {
  const { body } = await upload(server, await createPerson(server), 'Mine alone.', { name: 'mine.txt' });
  const other = await createPerson(server);
  const response = await post(other, randomUUID(), body.id);
  expect(response.status).toBeGreaterThanOrEqual(400);
  expect(await other.credits()).toBe(10);
});

test('every invariant holds', () => expectConsistent(server));
