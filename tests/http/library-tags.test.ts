import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type { LibraryPage, Tag } from '#features/library/contract.ts';
import { type TaggingOutcome, tagLimits } from '#features/library/tags/tags-contract.ts';
import { downloadArchive } from '../support/archive.ts';
import { expectConsistent } from '../support/consistency.ts';
import { upload } from '../support/files.ts';
import { libraryKinds, seedChat } from '../support/library.ts';
import { client, createPerson, type Person } from '../support/people.ts';
import type { TestServer } from '../support/server.ts';
import { borrowServer } from '../support/shared-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await borrowServer(inject('servers'));
});
afterAll(() => server.stop());

type ItemRef = [kind: string, id: string];

const send = (person: Pick<Person, 'send'>, name: string) =>
  person.send('POST', '/api/library/tags', { name });

async function create(person: Person, name: string): Promise<Tag> {
  const answer = await send(person, name);
  expect(answer.status).toBe(201);
  return (await answer.json()) as Tag;
}

const tagsOf = async (person: Person) =>
  ((await (await person.get('/api/library/tags')).json()) as { tags: Tag[] }).tags;

const sendTagging = (person: Pick<Person, 'send'>, items: ItemRef[], add: string[], remove: string[] = []) =>
  person.send('POST', '/api/library/selection/tags', {
    items: items.map(([kind, id]) => ({ kind, id })),
    add,
    remove,
  });

async function tag(person: Person, items: ItemRef[], add: string[], remove: string[] = []) {
  const answer = await sendTagging(person, items, add, remove);
  expect(answer.status).toBe(200);
  return (await answer.json()) as TaggingOutcome;
}

async function list(person: Person, query: Record<string, string> = {}): Promise<LibraryPage> {
  const answer = await person.get(`/api/library?${new URLSearchParams(query)}`);
  expect(answer.status).toBe(200);
  return (await answer.json()) as LibraryPage;
}

const idsOf = ({ items }: LibraryPage) => items.map(({ id }) => id).toSorted();

/** Inserts `count` chats, oldest first; returns their ids. */
async function seedMany({ id }: Person, count: number, minutesOld = 0): Promise<string[]> {
  const { rows } = await server.database.query<{ id: string }>(
    `insert into chat_sessions (id, user_id, title, updated_at)
     select gen_random_uuid(), $1, 'Chat ' || n, app_now() - ($3 + n) * interval '1 minute'
       from generate_series($2::int, 1, -1) n returning id`,
    [id, count, minutesOld],
  );
  return rows.map((row) => row.id);
}

describe('a tag', () => {
  test('has a normalized name in any script, unique regardless of case, and belongs to one person', async () => {
    const [owner, otherPerson] = [await createPerson(server), await createPerson(server)];
    const { id } = await create(owner, '  Field \u200b\n notes\u202e ');
    for (const name of ['🧪 Lab', 'عاجل', '研究']) expect(await create(owner, name)).toMatchObject({ name });
    for (const name of ['field notes', 'FIELD  NOTES', 'Ｆield notes']) {
      const again = await send(owner, name);
      expect([again.status, await again.json()]).toEqual([200, { id, name: 'Field notes' }]);
    }
    const composed = await create(owner, 'Cafe\u0301');
    expect(composed.name).toBe('Café');
    expect((await send(owner, 'CAFÉ')).status).toBe(200);
    expect((await tagsOf(owner)).map(({ name }) => name)).toHaveLength(5);
    for (const name of ['', ' \n', '\u200b', 'x'.repeat(41), '💥'.repeat(41)])
      expect((await send(owner, name)).status, name).toBe(400);
    expect((await send(owner, '💥'.repeat(40))).status).toBe(201);

    const change = (person: Person, to: unknown) =>
      person.send('PATCH', `/api/library/tags/${id}`, { name: to });
    expect(await (await change(owner, 'FIELD NOTES')).json()).toEqual({ id, name: 'FIELD NOTES' });
    expect([(await change(owner, 'café')).status, (await change(owner, ' ')).status]).toEqual([409, 400]);
    expect((await change(otherPerson, 'Mine')).status).toBe(404);
    expect((await otherPerson.send('DELETE', `/api/library/tags/${id}`)).status).toBe(404);
    expect(await tagsOf(otherPerson)).toEqual([]);
    expect((await create(otherPerson, 'Field notes')).id).not.toBe(id);
    const guest = client(server);
    expect((await send(guest, 'x')).status).toBe(401);
    expect((await guest.get('/api/library/tags')).status).toBe(401);
    expect((await owner.send('DELETE', `/api/library/tags/${id}`)).status).toBe(204);
    expect((await tagsOf(owner)).some((each) => each.id === id)).toBe(false);
  });

  test('is limited to a hundred per person, even for parallel requests', async () => {
    const person = await createPerson(server);
    await server.database.query(
      `insert into tags (id, user_id, name, key) select gen_random_uuid(), $1, 'Tag ' || n, 'tag ' || n
         from generate_series(1, $2::int) n`,
      [person.id, tagLimits.tags - 2],
    );
    const answers = await Promise.all(['a', 'b', 'c', 'A', 'd'].map((name) => send(person, name)));
    expect(await tagsOf(person)).toHaveLength(tagLimits.tags);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(2);
    const full = await send(person, 'One more');
    expect([full.status, ((await full.json()) as { error: string }).error]).toEqual([
      409,
      'You can have up to 100 tags. Delete one first.',
    ]);
    // An existing tag is not counted as a new one.
    expect((await send(person, 'TAG 1')).status).toBe(200);
  });
});

describe('tags of items', () => {
  test('apply to every kind at once, filter the list and the search, and disappear with deleted items', async () => {
    const owner = await createPerson(server, { plan: 'pro', credits: 50 });
    const otherPerson = await createPerson(server, { plan: 'pro' });
    const items: ItemRef[] = [];
    for (const [kind, seed] of libraryKinds) items.push([kind, await seed(server, owner, `quokka ${kind}`)]);
    const file = (await upload(server, owner, 'The quokka waits.', { name: 'quokka.txt' })).body.id;
    const { id: chat, message } = await seedChat(server, owner, { title: 'Without a tag' });
    await server.database.query('update chat_messages set attachment_id = $2 where id = $1', [message, file]);
    items.push(['file', file]);
    const all = items.map(([, id]) => id).toSorted();
    const [work, urgent] = [await create(owner, 'Work'), await create(owner, 'Urgent')];

    const outcome = await tag(owner, [...items, ['chat', randomUUID()]], [work.id]);
    expect(outcome.done.map(({ id, added }) => [id, added]).toSorted()).toEqual(
      all.map((id) => [id, [work.id]]),
    );
    expect(outcome.refused).toEqual([{ id: expect.any(String), error: 'Not found.' }]);
    expect(idsOf(await list(owner, { tag: work.id }))).toEqual(all);
    expect(idsOf(await list(owner, { tag: work.id.toUpperCase(), q: 'quokka' }))).toEqual(all);
    for (const [kind, id] of items)
      expect(idsOf(await list(owner, { tag: work.id, kind })), kind).toEqual([id]);
    expect((await list(owner, { q: 'Without' })).items[0]).toMatchObject({ id: chat, tags: [] });
    const unmatched: Record<string, string>[] = [
      { tag: urgent.id },
      { tag: work.id, q: 'without' },
      { tag: randomUUID() },
    ];
    for (const query of unmatched) expect(idsOf(await list(owner, query))).toEqual([]);
    // An invalid id is ignored.
    expect(idsOf(await list(owner, { tag: 'x' }))).toHaveLength(all.length + 1);
    const html = await (await owner.get(`/library?tag=${work.id}`, { accept: 'text/html' })).text();
    expect(html).toContain('Tag: Work');
    expect(html).toContain(`href="/library?tag=${urgent.id}"`);
    expect(html).not.toContain(`href="/chat/${chat}"`);

    expect(idsOf(await list(otherPerson, { tag: work.id }))).toEqual([]);
    const otherTag = await create(otherPerson, 'Theirs');
    const foreign = await tag(otherPerson, items, [otherTag.id]);
    expect([foreign.done, foreign.refused.length]).toEqual([[], items.length]);
    expect((await sendTagging(otherPerson, items, [work.id])).status).toBe(404);
    expect((await sendTagging(owner, items, [otherTag.id])).status).toBe(404);

    const change = await tag(owner, items.slice(0, 2), [urgent.id, work.id], [urgent.id]);
    expect(change.done.map(({ added, removed }) => [added, removed])).toEqual([
      [[urgent.id], []],
      [[urgent.id], []],
    ]);
    await owner.send('PATCH', `/api/library/tags/${urgent.id}`, { name: 'Now' });
    const [first] = items;
    const rowOf = async (id: string) => (await list(owner)).items.find((item) => item.id === id);
    expect((await rowOf(first![1]))?.tags).toEqual([
      { id: urgent.id, name: 'Now' },
      { id: work.id, name: 'Work' },
    ]);

    const applyAction = (action: string) =>
      owner.send('POST', '/api/library/selection', {
        act: action,
        items: items.map(([kind, id]) => ({ kind, id })),
      });
    await applyAction('delete');
    expect(idsOf(await list(owner, { tag: work.id }))).toEqual([file]);
    expect((await tag(owner, [first!], [], [work.id])).done).toEqual([]);
    await applyAction('restore');
    expect(idsOf(await list(owner, { tag: work.id }))).toEqual(all);

    const untagged = await tag(owner, items, [], [urgent.id, work.id]);
    expect(untagged.done.filter(({ removed }) => removed.length === 2)).toHaveLength(2);
    expect(idsOf(await list(owner, { tag: work.id }))).toEqual([]);
    await tag(owner, items, [work.id]);
    await owner.send('DELETE', `/api/library/tags/${work.id}`);
    expect((await list(owner)).items.flatMap(({ tags }) => tags)).toEqual([]);
    expect(idsOf(await list(owner))).toHaveLength(all.length + 1);
  });

  test('are paged in each order, up to the limit of items', async () => {
    const person = await createPerson(server, { plan: 'pro' });
    const ids = await seedMany(person, 90);
    await seedMany(person, 60, 20);
    const { id } = await create(person, 'Many');
    for (const some of [ids.slice(0, 60), ids.slice(60)])
      await tag(
        person,
        some.map((chat): ItemRef => ['chat', chat]),
        [id],
      );
    for (const sort of ['newest', 'oldest', 'name'])
      for (const q of ['', 'chat']) {
        const listed: string[] = [];
        for (let after: string | null = ''; after !== null; ) {
          const page: LibraryPage = await list(person, { tag: id, sort, q, after });
          listed.push(...page.items.map((item) => item.id));
          after = page.next;
        }
        expect(listed.toSorted(), sort).toEqual(ids.toSorted());
        if (sort === 'oldest') expect(listed).toEqual(ids);
      }
    // More items with the tag, up to its limit.
    const more = await seedMany(person, tagLimits.items - 91, 200);
    await server.database.query(
      `insert into tagged_items (tag_id, user_id, kind, item_id) select $1, $2, 'chat', unnest($3::uuid[])`,
      [id, person.id, more],
    );
    const [one, other] = await seedMany(person, 2, 9000);
    const full = await sendTagging(
      person,
      [
        ['chat', one!],
        ['chat', other!],
      ],
      [id],
    );
    expect([full.status, ((await full.json()) as { error: string }).error]).toEqual([
      409,
      '“Many” can be on up to 5,000 items. Nothing was changed.',
    ]);
    const race = await Promise.all([one!, other!].map((chat) => sendTagging(person, [['chat', chat]], [id])));
    expect(race.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect((await list(person, { tag: id, sort: 'oldest' })).items).toHaveLength(40);
    await person.send('DELETE', `/api/library/tags/${id}`);
  });

  test('are limited to twenty per item, and a request is limited too', async () => {
    const person = await createPerson(server);
    const [{ id: chat }, { id: other }] = [await seedChat(server, person), await seedChat(server, person)];
    const tags: string[] = [];
    for (let n = 0; n <= tagLimits.ofItem; n += 1) tags.push((await create(person, `Tag ${n}`)).id);
    const [last] = tags.slice(-1);
    await tag(person, [['chat', chat]], tags.slice(0, tagLimits.ofItem));
    const both = await tag(
      person,
      [
        ['chat', chat],
        ['chat', other],
      ],
      [last!],
    );
    expect(both).toEqual({
      done: [{ id: other, added: [last], removed: [] }],
      refused: [{ id: chat, error: 'An item can have up to 20 tags. Remove one first.' }],
    });
    const swapped = await tag(person, [['chat', chat]], [last!], [tags[0]!]);
    expect(swapped.done).toEqual([{ id: chat, added: [last], removed: [tags[0]] }]);
    const many = Array.from({ length: 101 }, (): ItemRef => ['chat', randomUUID()]);
    for (const [items, add] of [
      [many, [last!]],
      [[], [last!]],
      [[['chat', chat]], []],
      [[['account', chat]], [last!]],
      [[['chat', chat]], ['x']],
    ] as [ItemRef[], string[]][])
      expect((await sendTagging(person, items, add)).status).toBe(400);
    const temporary = await seedChat(server, person, { temporary: true });
    expect((await tag(person, [['chat', temporary.id]], [last!])).done).toEqual([]);
    expect((await sendTagging(client(server), [['chat', chat]], [last!])).status).toBe(401);
  });

  test('are in the archive, and are removed with an erased item', async () => {
    const person = await createPerson(server, { plan: 'pro', credits: 50 });
    const items: ItemRef[] = [];
    for (const [kind, seed] of libraryKinds) items.push([kind, await seed(server, person, 'quoll')]);
    const { id } = await create(person, 'Kept for later');
    await tag(person, items, [id]);
    const { data } = await downloadArchive(person);
    const sorted = (refs: { kind: string; id: string }[]) =>
      refs.map((item) => `${item.kind} ${item.id}`).toSorted();
    expect(data.tags.map(({ name }) => name)).toEqual(['Kept for later']);
    expect(sorted(data.tags[0]!.items)).toEqual(sorted(items.map(([kind, item]) => ({ kind, id: item }))));
    const [first] = items;
    await server.database.query('delete from chat_sessions where id = $1', [first![1]]);
    const { rows } = await server.database.query(
      'select item_id from tagged_items where tag_id = $1 and item_id = $2',
      [id, first![1]],
    );
    expect(rows).toEqual([]);
    await expect(
      server.database.query(
        `insert into tagged_items (tag_id, user_id, kind, item_id) values ($1, $2, 'chat', $3)`,
        [id, person.id, first![1]],
      ),
    ).rejects.toThrow('no such item');
  });

  test('every invariant holds', () => expectConsistent(server));
});
