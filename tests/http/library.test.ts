import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { LibraryItem, LibraryPage } from '#features/library/contract.ts';
import { uniqueWord, waitForEnd } from '../support/chat.ts';
import { expectConsistent } from '../support/consistency.ts';
import { upload } from '../support/files.ts';
import { libraryKinds, seedChat } from '../support/library.ts';
import { client, createPerson, type Person } from '../support/people.ts';
import { seedDocument } from '../support/seed-document.ts';
import type { TestServer } from '../support/server.ts';
import { borrowServer } from '../support/shared-server.ts';
import { seedWork } from '../support/works.ts';

let server: TestServer;
beforeAll(async () => {
  server = await borrowServer(inject('servers'));
});
afterAll(() => server.stop());

async function list(person: Pick<Person, 'get'>, query: Record<string, string> = {}): Promise<LibraryPage> {
  const response = await person.get(`/api/library?${new URLSearchParams(query)}`);
  expect(response.status, JSON.stringify(query)).toBe(200);
  return (await response.json()) as LibraryPage;
}

const textOf = (pieces: LibraryItem['excerpt']) => pieces.map(({ text }) => text).join('');
const idsOf = ({ items }: LibraryPage) => items.map(({ id }) => id);

describe('the library', () => {
  test.each(libraryKinds)('finds a word in a %s only for its owner, and opens it', async (kind, seed) => {
    const owner = await createPerson(server, { plan: 'pro', credits: 50 });
    const otherPerson = await createPerson(server, { plan: 'pro' });
    const word = `quokka${randomUUID().slice(0, 6)}`;
    const id = await seed(server, owner, word);
    const queries: Record<string, string>[] = [{}, { q: word }, { q: word, kind }, { kind, sort: 'name' }];
    for (const query of queries) {
      expect(idsOf(await list(owner, query)), JSON.stringify(query)).toEqual([id]);
      expect(idsOf(await list(otherPerson, query)), JSON.stringify(query)).toEqual([]);
    }
    const [item] = (await list(owner, { q: word.toUpperCase() })).items;
    expect(item).toMatchObject({ kind, id });
    expect([...item!.title, ...item!.excerpt]).toContainEqual({ text: word, hit: true });
    expect((await owner.get(item!.path, { accept: 'text/html' })).status).toBe(200);
    expect(idsOf(await list(owner, { q: `${word} absent` }))).toEqual([]);
    const html = await (await owner.get(`/library?q=${word}`, { accept: 'text/html' })).text();
    expect(html).toContain(`href="${item!.path}`);
    expect(await (await otherPerson.get(`/library?q=${word}`, { accept: 'text/html' })).text()).not.toContain(
      id,
    );
  });

  test('opens a chat at the message that contains the words', async () => {
    const person = await createPerson(server);
    const { id, message } = await seedChat(server, person, {
      text: `${'before '.repeat(60)} the wombat sleeps`,
    });
    const [item] = (await list(person, { q: 'sleeps wombat' })).items;
    expect(item).toMatchObject({ id, path: `/chat/${id}?at=${message}` });
    expect(textOf(item!.excerpt)).toMatch(/^… before (before )+the wombat sleeps$/);
    expect((await list(person, { q: 'a chat' })).items[0]).toMatchObject({
      path: `/chat/${id}`,
      excerpt: [],
    });
  });

  test('cuts excerpts at word boundaries', async () => {
    const person = await createPerson(server);
    const word = uniqueWord();
    const around = 'magnificent '.repeat(40);
    await seedWork(server, person, {
      feature: 'writer',
      title: 'Of words',
      texts: [`${around}${word} ${around}`],
    });
    const [item] = (await list(person, { q: word })).items;
    expect(textOf(item!.excerpt)).toMatch(new RegExp(`^… (magnificent )+${word} (magnificent )+…$`));
    const wholeWord = uniqueWord();
    await seedWork(server, person, {
      feature: 'writer',
      title: 'Short',
      texts: [`A ${wholeWord} is short.`],
    });
    expect(textOf((await list(person, { q: wholeWord })).items[0]!.excerpt)).toBe(`A ${wholeWord} is short.`);
  });

  test('shows the newest text of a work, and does not find older ones', async () => {
    const person = await createPerson(server);
    const { work } = await seedWork(server, person, { texts: ['the numbat of before', 'what stands now'] });
    expect(idsOf(await list(person, { q: 'numbat' }))).toEqual([]);
    const found = await list(person, { q: 'stands now' });
    expect(idsOf(found)).toEqual([work]);
  });

  test('leaves out deleted and temporary items, and marks archived ones', async () => {
    const person = await createPerson(server, { plan: 'pro' });
    const archivedChat = await seedChat(server, person, { title: 'Kept bilby' });
    const deletedChat = await seedChat(server, person, { title: 'Gone bilby' });
    await seedChat(server, person, { title: 'Passing bilby', text: 'bilby', temporary: true });
    const { work } = await seedWork(server, person, { title: 'Bilby text' });
    await person.send('DELETE', `/api/chats/${deletedChat.id}`);
    await person.send('DELETE', `/api/works/${work}`);
    await person.send('PATCH', `/api/chats/${archivedChat.id}`, { archived: true });
    for (const q of ['', 'bilby']) {
      const { items } = await list(person, { q });
      expect(items.map(({ id, archived }) => [id, archived])).toEqual([[archivedChat.id, true]]);
    }
  });

  test('pages through all items in each order, each item once', async () => {
    const person = await createPerson(server, { plan: 'pro' });
    await server.database.query(
      `insert into chat_sessions (id, user_id, title, updated_at)
       select gen_random_uuid(), $1, 'Chat ' || lpad((n % 30)::text, 3, '0'), app_now() - (n / 4) * interval '1 minute'
         from generate_series(1, 60) n`,
      [person.id],
    );
    await server.database.query(
      `insert into works (id, user_id, feature, title, updated_at)
       select gen_random_uuid(), $1, case when n % 2 = 0 then 'writer' else 'script' end, 'cHAT ' || lpad((n % 30)::text, 3, '0'),
              app_now() - (n / 4) * interval '1 minute'
         from generate_series(1, 40) n`,
      [person.id],
    );
    const orders: Record<string, (one: LibraryItem, other: LibraryItem) => boolean> = {
      newest: (one, other) => one.at >= other.at,
      oldest: (one, other) => one.at <= other.at,
      name: (one, other) => textOf(one.title).toLowerCase() <= textOf(other.title).toLowerCase(),
    };
    for (const [sort, isOrdered] of Object.entries(orders))
      for (const q of ['', 'chat']) {
        const items: LibraryItem[] = [];
        for (let after: string | null = ''; after !== null; ) {
          const page: LibraryPage = await list(person, { sort, q, after });
          items.push(...page.items);
          after = page.next;
        }
        expect(new Set(items.map(({ id }) => id)).size, sort).toBe(100);
        expect(items.length).toBe(100);
        for (const [at, item] of items.entries())
          if (at > 0) expect(isOrdered(items[at - 1]!, item), sort).toBe(true);
      }
  });

  test('treats special characters, wildcards and invalid cursors literally', async () => {
    const person = await createPerson(server);
    const { id } = await seedChat(server, person, { title: 'Sale: 100% off_now \\o/' });
    for (const q of ['100%', 'off_now', '\\o/', '%', '100% off_now'])
      expect(idsOf(await list(person, { q })), q).toEqual([id]);
    for (const q of ['100_', '1%0', "';--", '\u0000', 'off%now'])
      expect((await person.get(`/api/library?q=${encodeURIComponent(q)}`)).status, q).toBe(200);
    expect(idsOf(await list(person, { q: 'off%now' }))).toEqual([]);
    for (const after of ['x', '_', '2026-13-45T00:00:00Z_x', '\u0000_x', `a_${randomUUID()}`])
      for (const sort of ['newest', 'name'])
        expect((await list(person, { after, sort })).items.length, `${after} ${sort}`).toBeLessThanOrEqual(1);
  });

  test('finds a document by its name', async () => {
    const person = await createPerson(server);
    const id = await seedDocument(server, person);
    expect(idsOf(await list(person, { q: 'SEED.pdf' }))).toEqual([id]);
    expect(idsOf(await list(person, { q: 'se' }))).toEqual([id]);
    expect(idsOf(await list(person, { q: 'seed.docx' }))).toEqual([]);
  });

  test('finds a document by its questions and answers, and gives the page for its own words', async () => {
    const person = await createPerson(server, { plan: 'pro' });
    const otherPerson = await createPerson(server, { plan: 'pro' });
    const id = await seedDocument(server, person);
    const started = await person.send(
      'POST',
      `/api/documents/${id}/questions`,
      { question: 'Does it speak of a platypus?' },
      { 'idempotency-key': randomUUID() },
    );
    const { generation } = (await started.json()) as { generation: { id: string } };
    await waitForEnd(person, generation.id);
    await server.database.query(
      `update document_runs set result = jsonb_set(result, '{statements}',
         '[{"text": "An echidna is named instead.", "quotes": []}]') where generation_id = $1`,
      [generation.id],
    );
    for (const [q, excerpt] of [
      ['platypus', 'Does it speak of a platypus?'],
      ['ECHIDNA', 'An echidna is named instead.'],
      ['instead platypus', 'Does it speak of a platypus?'],
      ['ec', 'An echidna is named instead.'],
    ] as const) {
      const [item] = (await list(person, { q })).items;
      expect(item, q).toMatchObject({ id, kind: 'pdf', page: null });
      expect(textOf(item!.excerpt), q).toContain(excerpt);
      expect((await list(otherPerson, { q })).items).toEqual([]);
    }
    // Syntax and field names of the stored JSON are not searched.
    for (const q of ['statements', 'quotes', '"text"'])
      expect(idsOf(await list(person, { q, kind: 'pdf' })), q).toEqual([]);
    expect((await list(person, { q: 'seeded' })).items).toMatchObject([{ id, page: 1 }]);
    await person.send('DELETE', `/api/documents/${id}`);
    expect((await list(person, { q: 'platypus' })).items).toEqual([]);
  });

  test('filters by project: its chats and files, only for the owner and while the project exists', async () => {
    const [owner, otherPerson] = [await createPerson(server), await createPerson(server)];
    const [inside, outside] = [await seedChat(server, owner), await seedChat(server, owner)];
    await seedWork(server, owner, { title: 'A chat of words' });
    const createProject = async (name: string) =>
      ((await (await owner.send('POST', '/api/projects', { name })).json()) as { id: string }).id;
    const [garden, empty] = [await createProject('Garden'), await createProject('Empty')];
    await owner.send('POST', '/api/chats/selection', { ids: [inside.id], act: 'move', projectId: garden });
    const file = (await upload(server, owner, 'Roses need a chat.', { name: 'a chat of roses.txt' })).body.id;
    expect((await owner.send('PUT', `/api/projects/${garden}/files/${file}`)).status).toBe(200);

    const project = { projectId: garden, projectName: 'Garden' };
    const queries: Record<string, string>[] = [
      {},
      { q: 'a chat' },
      { sort: 'name' },
      { q: 'ch', sort: 'oldest' },
    ];
    for (const query of queries) {
      const { items } = await list(owner, { ...query, project: garden });
      expect(items.map(({ id }) => id).toSorted(), JSON.stringify(query)).toEqual(
        [file, inside.id].toSorted(),
      );
      for (const item of items) expect(item).toMatchObject(project);
    }
    for (const [kind, id] of [
      ['file', file],
      ['chat', inside.id],
      ['writer', undefined],
    ] as const)
      expect(idsOf(await list(owner, { project: garden, kind }))).toEqual(id ? [id] : []);
    const { items } = await list(owner);
    expect(items).toHaveLength(4);
    expect(items.find(({ id }) => id === outside.id)).toMatchObject({ projectId: null, projectName: null });
    const listed = items.find(({ id }) => id === file)!;
    expect(listed).toMatchObject({ ...project, file: { chat: null }, path: `/api/files/${file}` });
    expect((await owner.get(listed.path)).status).toBe(200);
    const unmatched: Record<string, string>[] = [
      { project: empty },
      { project: garden, q: 'absent' },
      { project: randomUUID() },
    ];
    for (const query of unmatched) expect(idsOf(await list(owner, query))).toEqual([]);
    expect(idsOf(await list(otherPerson, { project: garden }))).toEqual([]);
    const html = await (await owner.get(`/library?project=${garden}&q=chat`, { accept: 'text/html' })).text();
    expect(html).toContain('Project: Garden');
    expect(html).toContain(`href="/library?q=chat&amp;project=${empty}"`);
    expect(html).toContain(`name="project" value="${garden}"`);
    expect(html).toContain(`href="/chat/${inside.id}`);
    expect(html).not.toContain(outside.id);

    await owner.send('DELETE', `/api/projects/${garden}`);
    expect(idsOf(await list(owner, { project: garden }))).toEqual([]);
    const remaining = await list(owner);
    expect(remaining.items.find(({ id }) => id === inside.id)?.projectId).toBeNull();
    expect(idsOf(remaining)).not.toContain(file);
    await owner.send('POST', `/api/projects/${garden}/restore`);
    expect(idsOf(await list(owner, { project: garden }))).toHaveLength(2);
  });

  test('requires a signed-in person', async () => {
    const guest = client(server);
    expect((await guest.get('/api/library')).status).toBe(401);
    const page = await guest.get('/library?q=x&kind=chat', { accept: 'text/html' });
    expect([page.status, page.headers.get('location')]).toEqual([
      302,
      `/sign-in?next=${encodeURIComponent('/library?q=x&kind=chat')}`,
    ]);
    const person = await createPerson(server);
    const html = await (await person.get('/library', { accept: 'text/html' })).text();
    expect(html).toContain('Your library is empty');
    expect(html).toContain('noindex');
  });

  test('every invariant holds', () => expectConsistent(server));
});
