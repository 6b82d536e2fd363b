import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { addDocument, analyze, ask, openDocument } from '../support/analyses.ts';
import { downloadArchive, type Export } from '../support/archive.ts';
import { exchange, newChat, openChat, requestVersion, uniqueWord, waitForEnd } from '../support/chat.ts';
import { expectConsistent, waitUntilIdle } from '../support/consistency.ts';
import { sentence } from '../support/documents.ts';
import { runErasure } from '../support/erasure.ts';
import { upload } from '../support/files.ts';
import { drawImages, gallery, pngTexts } from '../support/images.ts';
import { claudeHistory, importFile, listImports, putPart, sendImport } from '../support/imports.ts';
import { pdfWith } from '../support/pdf.ts';
import { createPerson, type Person, personAt } from '../support/people.ts';
import { createPrompt as writePrompt } from '../support/prompts.ts';
import { writeScript } from '../support/scripts.ts';
import { eventually, startTestServer, type TestServer } from '../support/server.ts';
import { changeSetting } from '../support/settings.ts';
import { share } from '../support/shares.ts';
import { soak } from '../support/soak.ts';
import { comparableArchive } from '../support/whole-archive.ts';
import { write } from '../support/writer.ts';

let first: TestServer;
let empty: TestServer;
beforeAll(async () => {
  [first, empty] = await Promise.all([
    startTestServer({ postgres: inject('postgres') }),
    startTestServer({ postgres: inject('postgres') }),
  ]);
  for (const server of [first, empty])
    await changeSetting([server], ['set', 'models.list', `${model} | Fast | Everyday questions | images`]);
});
afterAll(async () => {
  await expectConsistent(first);
  await first.stop();
  await empty.stop();
});

const [atOnce, small, model] = ['[[tps:0]] [[first:0]]', '512x512', 'maker/fast'];

const archiveBytes = async (person: Person) =>
  Buffer.from(await (await person.get('/api/me/export')).arrayBuffer());

const withoutOwn = ({ imports: _, exportedAt: __, sessions: ___, ...rest }: Export) => rest;

/** Uploads two files and returns their ids. */
async function filesOf(server: TestServer, person: Person): Promise<string[]> {
  const size = { width: 40, height: 30, channels: 3 as const, background: '#336699' };
  const picture = await sharp({ create: size }).png().toBuffer();
  const sent = [
    await upload(server, person, `Notes of ${uniqueWord()}`, { name: 'notes.md' }),
    await upload(server, person, picture, { name: 'blue.png', type: 'image/png' }),
  ];
  return sent.map(({ body }) => body.id);
}

/** Makes a chat with two versions and two turns that shows its older branch, an archived chat and a deleted one. */
async function seedHistory(person: Person): Promise<void> {
  const branched = await newChat(person);
  const attachmentIds = await filesOf(first, person);
  const { reply } = await exchange(person, branched, { text: `${uniqueWord()} ${atOnce}`, attachmentIds });
  const regenerated = await requestVersion(person, 'regenerate', branched, reply.id);
  await waitForEnd(person, regenerated.body.generation.id);
  await exchange(person, branched, { text: `And ${uniqueWord()}? ${atOnce}` });
  await person.send('PUT', `/api/chats/${branched}/branch`, { messageId: reply.id });
  const archived = await newChat(person);
  await exchange(person, archived, { text: `${uniqueWord()} ${atOnce}`, assistant: 'code' });
  await person.send('PATCH', `/api/chats/${archived}`, { archived: true, title: 'Kept <b>apart</b>' });
  const deleted = await newChat(person);
  await exchange(person, deleted, { text: `${uniqueWord()} ${atOnce}` });
  await person.send('DELETE', `/api/chats/${deleted}`);
}

const create = async (answer: Promise<Response>): Promise<{ id: string }> => {
  const response = await answer;
  expect([200, 201], await response.clone().text()).toContain(response.status);
  return (await response.json()) as { id: string };
};

/** Makes a project and an assistant with one file each, and a chat of both that is pinned, rated and shared. */
async function seedKeepers(person: Person): Promise<void> {
  const projectFields = { name: `Bakery ${uniqueWord()}`, instructions: 'Answer in <b>metric</b>.' };
  const project = await create(person.send('POST', '/api/projects', projectFields));
  const assistant = await create(
    person.send('POST', '/api/assistants', {
      name: 'Baker',
      about: 'Of rolls',
      instruction: 'Be warm.',
      model,
    }),
  );
  for (const [path, name] of [
    [`/api/projects/${project.id}`, 'prices.md'],
    [`/api/assistants/${assistant.id}`, 'recipes.txt'],
  ] as const) {
    const { body } = await upload(first, person, `${name} of ${uniqueWord()}`, { name });
    expect((await person.send('PUT', `${path}/files/${body.id}`)).status).toBe(200);
  }
  const chat = randomUUID();
  const { reply } = await exchange(person, chat, {
    ...{ text: `${uniqueWord()} ${atOnce}`, assistant: assistant.id, projectId: project.id },
  });
  await person.send('PATCH', `/api/chats/${chat}`, { pinned: true });
  const rating = { good: false, reason: 'length' };
  expect((await person.send('PUT', '/api/chats/rating', { messageId: reply.id, rating })).status).toBe(204);
  expect((await share(person, { chatId: chat })).status).toBe(201);
}

/** Makes a text with a generated and an edited version, a script, two images, and an image shown in a chat. */
async function seedWorks(person: Person): Promise<void> {
  const { body } = await write(person, {
    prompt: `${uniqueWord()} [[tokens:30]] ${atOnce}`,
    length: 'short',
  });
  const edited = { content: `# ${uniqueWord()}\n\nBy hand <script>`, edition: 0 };
  await create(person.send('PUT', `/api/works/${body.work.id}/versions/${randomUUID()}`, edited));
  const script = await writeScript(person, `A kitchen ${uniqueWord()} [[tokens:30]] ${atOnce}`, {
    minutes: 1,
  });
  await waitForEnd(person, script.body.generation.id);
  expect(
    (await drawImages(person, { prompt: `Rolls ${uniqueWord()} ${atOnce}`, size: small, count: 2 })).made,
  ).toBe(2);
  await exchange(person, randomUUID(), { text: `A fox ${uniqueWord()} ${atOnce}`, draw: small });
}

/**
 * Adds a document with an analysis, an answer and a failed question; one that was never analyzed; and a protected one.
 */
async function seedDocuments(person: Person): Promise<void> {
  const page = (from: number) => Array.from({ length: 8 }, (_, n) => sentence(from + n)).join(' ');
  const read = await addDocument(first, person, await pdfWith([page(0), page(8)]), 'Gravel & 50 %.pdf');
  for (const start of [
    () => analyze(person, read.body.id),
    () => ask(person, read.body.id, `What did the harbour office measure? ${atOnce}`),
    () => ask(person, read.body.id, 'Why? [[mode:500]]'),
  ]) {
    const { status, body } = await start();
    expect([status, body.error]).toEqual([202, undefined]);
    await waitForEnd(person, body.generation.id);
  }
  await addDocument(first, person, await pdfWith([page(30)]), 'unread.pdf');
}

/** Adds instructions and a memory note for all chats, and a prompt that waits for publication. */
async function seedInstructions(person: Person): Promise<void> {
  await person.send('PUT', '/api/me/instructions', { about: 'A baker', answers: 'Short.', enabled: true });
  await create(person.send('POST', '/api/me/memory', { text: `Likes rye ${uniqueWord()}` }));
  await person.send('PUT', '/api/me/memory', { enabled: false });
  const { id } = await writePrompt(person);
  expect((await person.send('POST', `/api/prompts/${id}/submission`)).status).toBe(200);
}

/** Makes tags with items of every kind that can be imported, and tags without items. */
async function seedTags(person: Person): Promise<void> {
  const { data } = await downloadArchive(person);
  const items = [
    ...data.chats.map(({ id }) => ({ kind: 'chat', id })),
    ...data.works.map(({ id, tool }) => ({ kind: tool, id })),
    ...data.images.map(({ id }) => ({ kind: 'image', id })),
    ...data.documents.map(({ id }) => ({ kind: 'pdf', id })),
    ...data.prompts.map(({ id }) => ({ kind: 'prompts', id })),
    ...data.attachments.map(({ id }) => ({ kind: 'file', id })),
  ];
  const names = ['Bakery', 'Für später', '研究', 'Empty'];
  const tagIds = [];
  for (const name of names) tagIds.push(await create(person.send('POST', '/api/library/tags', { name })));
  const [all, some, one] = tagIds.map(({ id }) => [id]);
  for (const [add, tagged] of [
    [all, items],
    [some, items.slice(-3)],
    [one, items.slice(0, 1)],
  ] as const)
    expect(
      (await person.send('POST', '/api/library/selection/tags', { items: tagged, add, remove: [] })).status,
    ).toBe(200);
}

test.runIf(soak)(
  'an archive that is exported, imported into an empty site and exported again is equal',
  async () => {
    const [owner, newOwner] = [await createPerson(first, { plan: 'pro' }), await createPerson(empty)];
    for (const fill of [seedHistory, seedKeepers, seedWorks, seedDocuments, seedInstructions, seedTags])
      await fill(owner);
    // Chats get their titles after their replies.
    await waitUntilIdle(first);
    const original = await downloadArchive(owner);
    const archive = await archiveBytes(owner);
    const done = await importFile(empty, newOwner, archive, 'my-data.zip');
    const items = {
      ...{
        text: { added: 2, present: 0 },
        image: { added: 2, present: 0 },
        document: { added: 2, present: 0 },
        project: { added: 1, present: 0 },
      },
      ...{ assistant: { added: 1, present: 0 }, prompt: { added: 1, present: 0 } },
      ...{
        tag: { added: 4, present: 0 },
        note: { added: 1, present: 0 },
        instructions: { added: 1, present: 0 },
      },
    };
    expect(done).toMatchObject({ state: 'done', source: 'archive', total: 19, handled: 19, added: 4, items });
    // Deleted items are not reported as damaged.
    expect(done.leftOut).toEqual({});
    const reimported = await downloadArchive(newOwner);
    expect(await comparableArchive(reimported)).toEqual(await comparableArchive(original));

    // The comparison above is only meaningful if these are present.
    const { chats, projects, assistants, prompts, images, shares, works: texts, memory } = reimported.data;
    const pinned = chats.find(({ pinnedAt }) => pinnedAt !== null);
    expect(pinned).toMatchObject({ projectId: projects[0]?.id, ownAssistantId: assistants[0]?.id, model });
    expect(pinned?.messages[1]).toMatchObject({
      rating: { good: false, reason: 'length' },
      assistantName: 'Baker',
    });
    const shown = chats.flatMap(({ messages }) => messages.flatMap(({ imageIds }) => imageIds));
    expect(images.flatMap(({ pictures }) => pictures.map(({ id }) => id))).toContain(shown[0]);
    expect([prompts[0]?.state, shares, memory.enabled, texts.length]).toEqual(['private', [], false, 2]);
    expect(projects[0]?.fileIds).toHaveLength(1);
    const [bakery] = reimported.data.tags;
    expect(new Set(bakery?.items.map(({ kind }) => kind))).toEqual(
      new Set(['chat', 'writer', 'script', 'image', 'pdf', 'prompts', 'file']),
    );

    // Nothing was charged, and the images are marked as imported and cannot be published.
    expect(await newOwner.credits()).toBe(10);
    const [picture] = images[0]?.pictures ?? [];
    const metadata = pngTexts(reimported.files.get(picture?.file ?? '') ?? Buffer.alloc(0));
    expect(metadata.get('Source')).toBe('AI-generated image');
    expect(metadata.get('Comment')).toBe('Imported');
    expect((await gallery(newOwner)).jobs).toMatchObject([
      { imported: true, state: 'done', creditsCharged: 0 },
      { imported: true },
    ]);
    const answer = await share(newOwner, { pictureIds: [picture?.id] });
    expect([answer.status, answer.body.error]).toEqual([409, expect.stringMatching(/^Imported images/)]);
    const { messages } = await openChat(newOwner, chats.find(({ id }) => id === pinned?.id)?.id ?? '');
    expect(messages).toHaveLength(2);

    // Findings look as on the site that made them.
    const [analyzed] = reimported.data.documents.filter(({ runs }) => runs.length > 0);
    expect(await openDocument(newOwner, analyzed?.id ?? '')).toMatchObject({
      ...{ analysed: true, running: false, kept: null },
      analysis: { state: 'done', error: null, creditsCharged: 0, findings: { unsupported: 0 } },
      questions: [{ state: 'done', creditsCharged: 0 }],
    });
    expect((await newOwner.get(`/api/documents/${analyzed?.id}/export`)).status).toBe(200);
    expect((await analyze(newOwner, analyzed?.id ?? '')).status).toBe(403);

    // A second import changes nothing, on this site and on the original one; another person gets separate rows.
    const unchanged = {
      added: 0,
      present: 4,
      items: {
        text: { added: 0, present: 2 },
        image: { added: 0, present: 2 },
        document: { added: 0, present: 2 },
        tag: { added: 0, present: 4 },
      },
    };
    expect(await importFile(empty, newOwner, archive, 'my-data.zip')).toMatchObject(unchanged);
    expect(await importFile(first, owner, archive, 'my-data.zip')).toMatchObject(unchanged);
    expect(withoutOwn((await downloadArchive(newOwner)).data)).toEqual(withoutOwn(reimported.data));
    const third = await createPerson(empty);
    expect(await importFile(empty, third, await archiveBytes(newOwner), 'again.zip')).toMatchObject({
      ...{ added: 4, items },
    });
    expect(await comparableArchive(await downloadArchive(third))).toEqual(await comparableArchive(original));
  },
  300_000,
);

test('erasing a person removes all their imports, finished or not', async () => {
  const person = await createPerson(first);
  await importFile(first, person, JSON.stringify(claudeHistory(uniqueWord())));
  const created = await person.send('POST', '/api/imports', { name: 'a.json', bytes: 5 });
  const { id } = (await created.json()) as { id: string };
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

test.runIf(soak)(
  'an import whose process is killed continues in the next one, with the same result',
  async () => {
    const person = await createPerson(empty);
    const chats = Array.from({ length: 400 }, (_, at) => ({
      uuid: `${uniqueWord()}-${at}`,
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
    const importedCount = async () =>
      (await empty.database.query('select 1 from imported_chats where import_id = $1', [id])).rowCount ?? 0;
    await eventually(async () => (await importedCount()) > 0);
    await empty.kill();
    const before = await importedCount();
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
      const restartedPerson = personAt(next, person);
      if (before < 400)
        expect((await restartedPerson.send('POST', `/api/imports/${id}/start`)).status).toBe(202);
      await expect
        .poll(async () => (await listImports(restartedPerson)).find((each) => each.id === id), {
          timeout: 60_000,
        })
        .toMatchObject({ state: 'done', total: 400, added: 400, present: 0 });
      const { rows } = await next.database.query<{ chats: number; titles: number }>(
        `select count(*)::int as chats, count(distinct title)::int as titles from chat_sessions where user_id = $1`,
        [person.id],
      );
      expect(rows[0]).toEqual({ chats: 400, titles: 400 });
    } finally {
      await expectConsistent(next);
      await next.stop();
    }
  },
);
