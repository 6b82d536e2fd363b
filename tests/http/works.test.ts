import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import type { TextDetail, TextSummary } from '#features/texts/contract.ts';
import { send, uniqueWord, waitForEnd } from '../support/chat.ts';
import { runJob } from '../support/files.ts';
import { createPerson, type Person } from '../support/people.ts';
import { eventually, type TestServer } from '../support/server.ts';
import { borrowServer } from '../support/shared-server.ts';
import { seedWork } from '../support/works.ts';
import { begin, edit, openWork, waitForRun } from '../support/writer.ts';

let server: TestServer;
beforeAll(async () => {
  server = await borrowServer(inject('servers'));
});
afterAll(() => server.stop());

async function open(person: Person, id: string, query = ''): Promise<TextDetail> {
  const response = await person.get(`/api/works/${id}${query}`);
  expect(response.status).toBe(200);
  return (await response.json()) as TextDetail;
}
const save = (person: Person, work: string, version: string, content: string, edition: number) =>
  person.send('PUT', `/api/works/${work}/versions/${version}`, { content, edition });
async function list(person: Person, query = ''): Promise<{ works: TextSummary[]; next: string | null }> {
  return (await (await person.get(`/api/works?feature=writer${query}`)).json()) as never;
}

test('an edit is a separate version, saved repeatedly, and earlier ones stay unchanged', async () => {
  const person = await createPerson(server);
  const { work, versions } = await seedWork(server, person, { texts: ['one', 'two'] });
  const editId = randomUUID();
  expect(await (await save(person, work, editId, 'two **and** three', 0)).json()).toEqual({
    id: editId,
    edition: 1,
    words: 3,
    characters: null,
  });
  expect((await (await save(person, work, editId, 'two and more', 1)).json()).edition).toBe(2);
  const view = await open(person, work);
  expect([view.version.id, view.version.kind, view.version.content]).toEqual([
    editId,
    'edited',
    'two and more',
  ]);
  expect(view.versions.map(({ id }) => id)).toEqual([editId, ...versions.toReversed()]);
  expect((await open(person, work, `?version=${versions[0]}`)).version.content).toBe('one');
});

test('of two tabs that save at once one is refused, and its text is not mistaken for the other’s', async () => {
  const person = await createPerson(server);
  const { work } = await seedWork(server, person);
  const editId = randomUUID();
  await save(person, work, editId, 'begun', 0);
  const answers = await Promise.all(['left', 'right'].map((text) => save(person, work, editId, text, 1)));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  const { content, edition } = (await open(person, work)).version;
  expect([['left', 'right'].includes(content), edition]).toEqual([true, 2]);
  // A save whose response was lost can be repeated.
  expect((await save(person, work, editId, content, 1)).status).toBe(200);
  expect((await save(person, work, editId, 'late', 1)).status).toBe(409);
  expect((await save(person, work, randomUUID(), 'seen nothing', 3)).status).toBe(409);
});

test('an older version is restored as the newest, and an edit of an outdated version is refused', async () => {
  const person = await createPerson(server);
  const { work, versions } = await seedWork(server, person, { texts: ['one', 'two'] });
  const editId = randomUUID();
  await save(person, work, editId, 'three', 0);
  const restored = await person.send('POST', `/api/works/${work}/versions/${versions[0]}/restore`);
  const view = (await restored.json()) as TextDetail;
  expect([view.version.kind, view.version.content, view.versions.length]).toEqual(['restored', 'one', 4]);
  expect((await save(person, work, editId, 'too late', 1)).status).toBe(409);
  expect((await open(person, work, `?version=${editId}`)).version.content).toBe('three');
});

test('a proposal is decided once, and accepting it creates a version', async () => {
  const person = await createPerson(server, { plan: 'pro' });
  const sent = await send(person, `${uniqueWord()} [[tps:0]] [[first:0]]`);
  await waitForEnd(person, sent.body.generation.id);
  const { work, proposal } = await seedWork(server, person, { proposedBy: sent.body.generation.id });
  expect((await open(person, work)).proposal).toMatchObject({ id: proposal, content: 'proposed words' });
  const decide = (decision: string, content?: string) =>
    person.send('POST', `/api/works/${work}/proposals/${proposal}`, { decision, content });
  expect((await decide('accepted')).status).toBe(400);
  const answers = await Promise.all(Array.from({ length: 4 }, () => decide('accepted', 'all new words')));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  const view = await open(person, work);
  expect([view.version.kind, view.version.content, view.versions.length, view.proposal]).toEqual([
    'refined',
    'all new words',
    3,
    null,
  ]);
  expect((await decide('discarded')).status).toBe(409);
});

test('a run’s text is the newest from its end on; a deletion and a discarded proposal stop their runs', async () => {
  const person = await createPerson(server);
  const { body } = await begin(person, { prompt: 'Bread [[first:400]] [[tps:0]]', length: 'short' });
  const { work, generation } = body;
  // Another tab saves an old text while the run is writing.
  expect((await save(person, work.id, randomUUID(), 'an old edit', 0)).status).toBe(200);
  expect((await waitForRun(person, generation.id)).state).toBe('done');
  const view = await openWork(person, work.id);
  expect([view.version.kind, view.versions.map(({ kind }) => kind)]).toEqual([
    'generated',
    ['generated', 'edited'],
  ]);

  const passage = {
    versionId: view.version.id,
    from: 0,
    text: view.version.content.slice(0, 12),
    action: 'fix',
  };
  const started = await edit(person, work.id, passage);
  expect(started.status).toBe(202);
  const proposal = (await openWork(person, work.id)).proposal?.id;
  await person.send('POST', `/api/works/${work.id}/proposals/${proposal}`, { decision: 'discarded' });
  await waitForRun(person, started.body.generation.id);

  const credits = await person.credits();
  // The run must not produce text before it is stopped: text would be charged.
  const again = await begin(person, { prompt: 'Bread [[first:30000]]', workId: work.id });
  expect((await person.send('DELETE', `/api/works/${work.id}`)).status).toBe(204);
  expect((await waitForRun(person, again.body.generation.id)).state).toBe('stopped');
  expect(await person.credits()).toBe(credits);
});

test('a person adds no more versions in an hour than a writer needs', async () => {
  const person = await createPerson(server);
  const { work, versions } = await seedWork(server, person);
  await server.database.query(
    `insert into rate_limits (key, count, resets_at) values ($1, 299, app_now() + interval '1 hour')`,
    [`works:${person.id}`],
  );
  expect((await save(person, work, randomUUID(), 'the last one', 0)).status).toBe(200);
  expect((await save(person, work, randomUUID(), 'one too many', 0)).status).toBe(429);
  const restore = await person.send('POST', `/api/works/${work}/versions/${versions[0]}/restore`);
  expect(restore.status).toBe(429);
});

test('the list is paged, searches titles and newest texts, and treats pattern characters literally', async () => {
  const person = await createPerson(server);
  for (let index = 0; index < 33; index++) await seedWork(server, person, { title: `Piece ${index}` });
  const odd = await seedWork(server, person, { title: '100% _sure_', texts: ['old heron', 'new ibis'] });
  // Otherwise both could have the same millisecond, and their order would be undefined.
  await server.database.query(`update works set updated_at = updated_at + interval '1 s' where id = $1`, [
    odd.work,
  ]);
  const first = await list(person);
  const second = await list(person, `&before=${first.next}`);
  expect([first.works.length, second.works.length, second.next]).toEqual([30, 4, null]);
  expect(new Set([...first.works, ...second.works].map(({ id }) => id)).size).toBe(34);
  expect(first.works[0]).toMatchObject({ id: odd.work, excerpt: 'new ibis', words: 2, running: false });
  const found = async (q: string) =>
    (await list(person, `&q=${encodeURIComponent(q)}`)).works.map(({ id }) => id);
  for (const q of ['IBIS', '100%', '_sure_', '  ibis ']) expect(await found(q), q).toEqual([odd.work]);
  for (const q of ['heron', '%%', '__', '\\']) expect(await found(q), q).toEqual([]);
  expect((await person.get('/api/works')).status).toBe(400);
  expect((await person.get('/api/works?feature=chat')).status).toBe(400);
});

test('a deleted work disappears and can be restored, until its texts are erased', async () => {
  const [person, otherPerson] = [await createPerson(server), await createPerson(server)];
  const word = uniqueWord();
  const { work } = await seedWork(server, person, { title: word, texts: [word] });
  expect((await otherPerson.send('DELETE', `/api/works/${work}`)).status).toBe(404);
  expect((await person.send('DELETE', `/api/works/${work}`)).status).toBe(204);
  expect((await person.get(`/api/works/${work}`)).status).toBe(404);
  expect((await list(person)).works).toEqual([]);
  expect((await person.send('POST', `/api/works/${work}/restore`)).status).toBe(200);
  expect((await open(person, work)).title).toBe(word);
  await person.send('DELETE', `/api/works/${work}`);
  await server.database.query(`update works set deleted_at = app_now() - interval '8 days' where id = $1`, [
    work,
  ]);
  expect((await person.send('POST', `/api/works/${work}/restore`)).status).toBe(404);
  await runJob(server, 'purge-deleted-works');
  await eventually(async () => {
    const { rows } = await server.database.query('select 1 from work_versions where work_id = $1', [work]);
    return rows.length === 0;
  });
});

test('the title on a script’s title page is its title, until another one is given', async () => {
  const person = await createPerson(server);
  const { work } = await seedWork(server, person, { feature: 'script', texts: ['INT. A - DAY\n'] });
  const editId = randomUUID();
  const title = async () => (await open(person, work)).title;
  await save(person, work, editId, 'Title:\n    The Tide\n    Clock\nAuthor: Ada\n\nINT. A - DAY\n', 0);
  expect(await title()).toBe('The Tide Clock');
  await person.send('PATCH', `/api/works/${work}`, { title: 'Ebb' });
  await save(person, work, editId, 'Title: The Tide Clock\n\nINT. B - DAY\n', 1);
  expect(await title()).toBe('Ebb');
  await save(person, work, editId, 'Title: Flood\n\nINT. B - DAY\n', 2);
  expect(await title()).toBe('Flood');
});

test('a text handed over from a chat is stored once, and costs nothing', async () => {
  const [person, other] = [await createPerson(server), await createPerson(server)];
  const content = 'Said before.\n\n# The **plan**\n\nFirst, second.';
  const id = randomUUID();
  const importText = (owner: Person, body: object) => owner.send('POST', '/api/write/texts', body);
  const answers = [await importText(person, { id, content }), await importText(person, { id, content })];
  expect(answers.map(({ status }) => status)).toEqual([201, 201]);
  expect(await answers[0]?.json()).toEqual({ id });
  const view = await open(person, id);
  expect([view.feature, view.title, view.versions.length]).toEqual(['writer', 'The plan', 1]);
  expect(view.version).toMatchObject({ kind: 'edited', content, creditsCharged: 0, words: 6 });
  expect((await importText(other, { id, content })).status).toBe(404);
  expect((await importText(person, { id: randomUUID(), content: ' \n\0 ' })).status).toBe(400);
  expect((await importText(person, { id: randomUUID(), content: 'x'.repeat(100_001) })).status).toBe(400);
  expect((await list(person)).works.map((work) => work.id)).toEqual([id]);
  const { rows } = await server.database.query('select 1 from generations where user_id = $1', [person.id]);
  expect(rows).toEqual([]);
  // It can be edited like any other text.
  expect((await save(person, id, randomUUID(), 'And more', 0)).status).toBe(200);
});

test('titles are one line of text, and a text that is too long is refused without loss', async () => {
  const person = await createPerson(server);
  const { work } = await seedWork(server, person);
  const rename = async (title: string) =>
    (await (await person.send('PATCH', `/api/works/${work}`, { title })).json()).title;
  expect(await rename('  A \n\t new\u0000 title ')).toBe('A new title');
  expect(await rename('   ')).toBe('A new title');
  expect(await rename('x'.repeat(500))).toHaveLength(120);
  const editId = randomUUID();
  expect((await save(person, work, editId, 'é'.repeat(100_000), 0)).status).toBe(200);
  expect((await save(person, work, editId, 'x'.repeat(100_001), 1)).status).toBe(400);
  expect((await open(person, work)).version.content).toHaveLength(100_000);
});
