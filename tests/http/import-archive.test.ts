import { existsSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { downloadArchive, type Export } from '../support/archive.ts';
import { again, ended, exchange, marker, newChat, openChat } from '../support/chat.ts';
import { runErasure } from '../support/erasure.ts';
import { upload } from '../support/files.ts';
import { claudeHistory, importFile, listImports, putPart, sendImport } from '../support/imports.ts';
import { createPerson, type Person, through } from '../support/people.ts';
import { eventually, startTestServer, type TestServer } from '../support/server.ts';
import { expectSound } from '../support/soundness.ts';

let first: TestServer;
let empty: TestServer;
beforeAll(async () => {
  [first, empty] = await Promise.all([
    startTestServer({ postgres: inject('postgres') }),
    startTestServer({ postgres: inject('postgres') }),
  ]);
});
afterAll(async () => {
  await expectSound(first);
  await first.stop();
  await empty.stop();
});

const archiveBytes = async (person: Person) =>
  Buffer.from(await (await person.get('/api/me/export')).arrayBuffer());

/** The chats of an archive, their ids replaced by places: what every site shows alike. */
const comparable = ({ chats, attachments }: Export) => {
  const fileOf = (id: string) => {
    const { name, type, createdAt, text, note } = attachments.find((each) => each.id === id) ?? {};
    return { name, type, createdAt, text, note };
  };
  return chats
    .map(({ id: _, pinnedAt: __, model: ___, messages, shownId, ...chat }) => {
      const placeOf = (id: string | null) => messages.findIndex((message) => message.id === id);
      return {
        ...chat,
        shown: placeOf(shownId),
        messages: messages.map(({ parentId, role, content, createdAt, attachmentIds }) => ({
          parent: placeOf(parentId),
          role,
          content,
          createdAt,
          files: attachmentIds.map(fileOf),
        })),
      };
    })
    .sort((one, other) => (one.createdAt < other.createdAt ? -1 : 1));
};

/** The bytes of the files of messages by their names; a picture is made anew wherever it comes. */
const textsOf = ({ data, files }: Awaited<ReturnType<typeof downloadArchive>>) =>
  Object.fromEntries(
    data.attachments.map(({ name, type, file }) => [
      name,
      type.startsWith('image/') ? type : files.get(file)?.toString(),
    ]),
  );

/** Two files, sent with a message. */
async function filesOf(server: TestServer, person: Person): Promise<string[]> {
  const size = { width: 40, height: 30, channels: 3 as const, background: '#336699' };
  const picture = await sharp({ create: size }).png().toBuffer();
  const sent = [
    await upload(server, person, `Notes of ${marker()}`, { name: 'notes.md' }),
    await upload(server, person, picture, { name: 'blue.png', type: 'image/png' }),
  ];
  return sent.map(({ body }) => body.id);
}

/** A chat of two versions and two turns, of which the older branch is shown; one in the archive; one that was deleted. */
async function history(person: Person): Promise<void> {
  const quick = '[[tps:0]] [[first:0]]';
  const branched = await newChat(person);
  const attachmentIds = await filesOf(first, person);
  const { reply } = await exchange(person, branched, { text: `${marker()} ${quick}`, attachmentIds });
  const anew = await again(person, 'regenerate', branched, reply.id);
  await ended(person, anew.body.generation.id);
  await exchange(person, branched, { text: `And ${marker()}? ${quick}` });
  await person.send('PUT', `/api/chats/${branched}/branch`, { messageId: reply.id });
  const archived = await newChat(person);
  await exchange(person, archived, { text: `${marker()} ${quick}`, assistant: 'code' });
  await person.send('PATCH', `/api/chats/${archived}`, { archived: true, title: 'Kept <b>apart</b>' });
  const deleted = await newChat(person);
  await exchange(person, deleted, { text: `${marker()} ${quick}` });
  await person.send('DELETE', `/api/chats/${deleted}`);
}

test('exported, imported into an empty site and exported again, the chats are equal', async () => {
  const [owner, newcomer] = [await createPerson(first, { plan: 'pro' }), await createPerson(empty)];
  await history(owner);
  const whole = await downloadArchive(owner);
  const kept = { ...whole.data, chats: whole.data.chats.filter(({ deletedAt }) => deletedAt === null) };
  expect(kept.chats).toHaveLength(2);
  const archive = await archiveBytes(owner);
  const done = await importFile(empty, newcomer, archive, 'my-data.zip');
  expect(done).toMatchObject({ state: 'done', source: 'archive', total: 2, added: 2 });
  const there = await downloadArchive(newcomer);
  expect(comparable(there.data)).toEqual(comparable(kept));
  expect(comparable(kept)[0]?.messages[0]?.files.map(({ name }) => name)).toEqual(['notes.md', 'blue.png']);
  expect(textsOf(there)).toEqual(textsOf(whole));
  expect(done.leftOut.files ?? 0).toBe(0);
  // What was deleted is not damaged.
  expect(done.leftOut.chats ?? 0).toBe(0);
  const branched = there.data.chats.find(({ archivedAt }) => archivedAt === null);
  expect((await openChat(newcomer, branched?.id ?? '')).messages).toHaveLength(2);
  expect(await newcomer.credits()).toBe(10);

  // From there to a third account, and back to the first, whose chats they are.
  const third = await createPerson(empty);
  expect((await importFile(empty, third, await archiveBytes(newcomer), 'again.zip')).added).toBe(2);
  expect(comparable((await downloadArchive(third)).data)).toEqual(comparable(kept));
  expect(await importFile(first, owner, archive, 'my-data.zip')).toMatchObject({ added: 0, present: 2 });
  expect(await importFile(empty, newcomer, archive, 'my-data.zip')).toMatchObject({ added: 0, present: 2 });
});

test('nothing of an import, finished or not, is left of an erased person', async () => {
  const person = await createPerson(first);
  await importFile(first, person, JSON.stringify(claudeHistory(marker())));
  const begun = await person.send('POST', '/api/imports', { name: 'a.json', bytes: 5 });
  const { id } = (await begun.json()) as { id: string };
  expect((await putPart(first, person, id, 0, Buffer.from('[{}] '))).status).toBe(204);
  const { rows: parts } = await first.database.query<{ key: string }>(
    'select file_key as key from import_parts where import_id = $1',
    [id],
  );
  const stored = join(first.dataDir, 'files', parts[0]?.key ?? '-');
  expect(existsSync(stored)).toBe(true);
  await first.database.query(`update users set deleted_at = app_now() - interval '31 days' where id = $1`, [
    person.id,
  ]);
  await runErasure(first);
  const { rows } = await first.database.query(
    `select user_id from imports where user_id = $1 union all select user_id from import_parts where user_id = $1
      union all select user_id from imported_chats where user_id = $1 union all select user_id from chat_sessions where user_id = $1
      union all select user_id from attachments where user_id = $1`,
    [person.id],
  );
  expect(rows).toEqual([]);
  await eventually(async () => !existsSync(stored));
});

test('an import whose process is killed goes on in the next one, and ends equal', async () => {
  const person = await createPerson(empty);
  const chats = Array.from({ length: 400 }, (_, at) => ({
    uuid: `${marker()}-${at}`,
    name: `Chat ${at}`,
    created_at: '2024-01-01T00:00:00Z',
    updated_at: '2024-01-01T00:00:00Z',
    chat_messages: ['human', 'assistant'].map((sender) => ({
      sender,
      text: `${sender} ${at}`,
      created_at: '2024-01-01T00:00:00Z',
    })),
  }));
  const { id } = await sendImport(empty, person, JSON.stringify(chats));
  const made = async () =>
    (await empty.database.query('select 1 from imported_chats where import_id = $1', [id])).rowCount ?? 0;
  await eventually(async () => (await made()) > 0);
  await empty.kill();
  const before = await made();
  const next = await startTestServer({
    postgres: inject('postgres'),
    databaseUrl: empty.databaseUrl,
    dataDir: empty.dataDir,
  });
  try {
    await next.database.query(
      `update imports set touched_at = touched_at - interval '1 minute' where id = $1`,
      [id],
    );
    const same = through(next, person);
    if (before < 400) expect((await same.send('POST', `/api/imports/${id}/start`)).status).toBe(202);
    await expect
      .poll(async () => (await listImports(same)).find((each) => each.id === id), { timeout: 60_000 })
      .toMatchObject({ state: 'done', total: 400, added: 400, present: 0 });
    const { rows } = await next.database.query<{ chats: number; titles: number }>(
      `select count(*)::int as chats, count(distinct title)::int as titles from chat_sessions where user_id = $1`,
      [person.id],
    );
    expect(rows[0]).toEqual({ chats: 400, titles: 400 });
  } finally {
    await expectSound(next);
    await next.stop();
  }
});
