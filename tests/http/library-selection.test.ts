import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { LibraryPage, SelectionOutcome } from '#features/library/contract.ts';
import { expectConsistent } from '../support/consistency.ts';
import { libraryKinds, seedChat } from '../support/library.ts';
import { client, createPerson, type Person } from '../support/people.ts';
import type { TestServer } from '../support/server.ts';
import { borrowServer } from '../support/shared-server.ts';
import { seedWork } from '../support/works.ts';
import { unzip } from '../support/zip.ts';

let server: TestServer;
beforeAll(async () => {
  server = await borrowServer(inject('servers'));
});
afterAll(() => server.stop());

type ItemRef = [kind: string, id: string];

const send = (person: Person, action: string, items: ItemRef[]) =>
  person.send('POST', '/api/library/selection', {
    act: action,
    items: items.map(([kind, id]) => ({ kind, id })),
  });

async function applyAction(person: Person, action: string, items: ItemRef[]): Promise<SelectionOutcome> {
  const response = await send(person, action, items);
  expect(response.status).toBe(200);
  return (await response.json()) as SelectionOutcome;
}

const exportPath = (items: ItemRef[]) =>
  `/api/library/export?${[...Map.groupBy(items, ([kind]) => kind)]
    .map(([kind, some]) => `${kind}=${some.map(([, id]) => id).join(',')}`)
    .join('&')}`;

const listed = async (person: Person) => {
  const { items } = (await (await person.get('/api/library')).json()) as LibraryPage;
  return items.map(({ id }) => id).toSorted();
};

async function seedEachKind(person: Person): Promise<ItemRef[]> {
  const items: ItemRef[] = [];
  for (const [kind, seed] of libraryKinds) items.push([kind, await seed(server, person, `quokka ${kind}`)]);
  return items;
}

describe('a selection of the library', () => {
  test('deletes and restores items of each kind, and touches nothing of another person', async () => {
    const owner = await createPerson(server, { plan: 'pro', credits: 50 });
    const otherPerson = await createPerson(server, { plan: 'pro', credits: 50 });
    const own = await seedEachKind(owner);
    const foreign = await seedEachKind(otherPerson);
    const all = await listed(otherPerson);
    const ids = own.map(([, id]) => id);

    const deleted = await applyAction(owner, 'delete', [...own, ...foreign, ...own]);
    expect(deleted.done.toSorted()).toEqual(ids.toSorted());
    expect(deleted.refused.map(({ id }) => id).toSorted()).toEqual(all);
    expect(new Set(deleted.refused.map(({ error }) => error))).toEqual(new Set(['Not found.']));
    expect(await listed(owner)).toEqual([]);
    expect(await listed(otherPerson)).toEqual(all);
    const page = await owner.get(`/tools/writer/${own[1]![1]}`, { accept: 'text/html' });
    expect(page.status).toBe(404);

    expect((await applyAction(otherPerson, 'restore', own)).done).toEqual([]);
    const restored = await applyAction(owner, 'restore', [...own, ...foreign.slice(0, 1)]);
    expect(restored.done.toSorted()).toEqual(ids.toSorted());
    expect(restored.refused).toEqual([{ id: foreign[0]![1], error: 'Not found.' }]);
    expect(await listed(owner)).toEqual(ids.toSorted());
  });

  test('is downloaded as one archive with the files of each item, or not at all', async () => {
    const owner = await createPerson(server, { plan: 'pro', credits: 50 });
    const items = await seedEachKind(owner);
    const answer = await owner.get(exportPath(items));
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('application/zip');
    expect(decodeURIComponent(answer.headers.get('content-disposition') ?? '')).toContain('6 items.zip');
    const files = unzip(Buffer.from(await answer.arrayBuffer()));
    const words: Record<string, string> = { prompts: 'Write about quokka prompts at length' };
    for (const [kind, id] of items) {
      const names = [...files.keys()].filter((name) => name.includes(id));
      if (kind === 'image') continue;
      expect(names, kind).toHaveLength(1);
      const bytes = files.get(names[0]!)!;
      if (kind === 'pdf') expect(bytes.toString('latin1')).toMatch(/^%PDF/);
      else expect(bytes.toString()).toContain(words[kind] ?? `quokka ${kind}`);
    }
    expect([...files.keys()].map((name) => name.split('/')[0]).toSorted()).toEqual(
      ['chats', 'documents', 'images', 'prompts', 'works', 'works'].toSorted(),
    );
    const picture = [...files].find(([name]) => name.startsWith('images/'))![1];
    expect(picture.toString('latin1', 1, 4)).toBe('PNG');

    const otherPerson = await createPerson(server, { plan: 'pro' });
    for (const item of items) expect((await otherPerson.get(exportPath([item]))).status, item[0]).toBe(404);
    const { id } = await seedChat(server, otherPerson);
    expect((await otherPerson.get(exportPath([['chat', id], items[2]!]))).status).toBe(404);
  });

  test('is limited in size and needs a signed-in person', async () => {
    const person = await createPerson(server);
    const { work } = await seedWork(server, person);
    const many = (count: number): ItemRef[] => [
      ['writer', work],
      ...Array.from({ length: count - 1 }, (): ItemRef => ['chat', randomUUID()]),
    ];
    expect((await send(person, 'delete', many(101))).status).toBe(400);
    expect((await person.get(exportPath(many(101)))).status).toBe(400);
    for (const items of [[], [['account', work]], [['writer', 'x']]] as ItemRef[][])
      expect((await send(person, 'delete', items)).status).toBe(400);
    expect((await send(person, 'erase', [['writer', work]])).status).toBe(400);
    for (const query of ['', '?writer=', '?account=x'])
      expect((await person.get(`/api/library/export${query}`)).status, query).toBe(400);
    expect((await person.get('/api/library/export?writer=x')).status).toBe(404);
    expect(await listed(person)).toEqual([work]);
    const { done, refused } = await applyAction(person, 'delete', many(100));
    expect([done, refused.length]).toEqual([[work], 99]);

    const guest = client(server);
    expect((await guest.get(exportPath([['writer', work]]))).status).toBe(401);
    const body = { act: 'delete', items: [{ kind: 'writer', id: work }] };
    expect((await guest.send('POST', '/api/library/selection', body)).status).toBe(401);
    const foreignOrigin = { origin: 'https://elsewhere.example' };
    expect((await person.send('POST', '/api/library/selection', body, foreignOrigin)).status).toBe(403);
  });

  test('has nothing to download when its images have no pictures', async () => {
    const person = await createPerson(server, { plan: 'pro', credits: 50 });
    const id = await libraryKinds.find(([kind]) => kind === 'image')![1](server, person, 'quokka');
    await server.database.query('update image_pictures set deleted_at = now() where job_id = $1', [id]);
    expect((await person.get(exportPath([['image', id]]))).status).toBe(409);
  });

  test('every invariant holds', () => expectConsistent(server));
});
