import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type Prompt, promptLimits, promptTexts } from '#features/prompts/contract.ts';
import { type Export, exportSchema } from '../support/archive.ts';
import { audit } from '../support/consistency.ts';
import { runErasure } from '../support/erasure.ts';
import { runJob } from '../support/files.ts';
import { inTurn } from '../support/gate.ts';
import { client, createPerson, type Person } from '../support/people.ts';
import { createPrompt, promptsCommand, publish, searchPrompts } from '../support/prompts.ts';
import type { TestServer } from '../support/server.ts';
import { borrowServer } from '../support/shared-server.ts';
import { soak } from '../support/soak.ts';
import { unzip } from '../support/zip.ts';

let server: TestServer;
let writer: Person;
let other: Person;
const guest = () => client(server);

beforeAll(async () => {
  server = await borrowServer(inject('servers'));
  [writer, other] = [await createPerson(server), await createPerson(server, { plan: 'pro' })];
});
afterAll(() => server.stop());

const body = (more: object = {}) => ({
  title: 'A title',
  content: 'Twenty characters are enough.',
  category: 'image',
  ...more,
});
const statusOf = async (answer: Promise<Response>) => (await answer).status;
const open = async (visitor: Pick<Person, 'get'>, id: string) =>
  (await (await visitor.get(`/api/prompts/${id}`)).json()) as Prompt;

describe('a person’s own prompt', () => {
  test('is inaccessible to everybody else on every route', async () => {
    const { id, own } = await createPrompt(writer);
    expect(own).toEqual({ state: 'private', reason: null });
    for (const visitor of [guest(), other]) {
      for (const path of [`/api/prompts/${id}`, `/tools/prompts/${id}`, `/tools/prompts/${id}.data`])
        expect(await statusOf(visitor.get(path)), path).toBe(404);
      expect((await searchPrompts(visitor, '?sort=new')).prompts.some((prompt) => prompt.id === id)).toBe(
        false,
      );
    }
    const tries: [string, string, object?][] = [
      ['PATCH', `/api/prompts/${id}`, body()],
      ['DELETE', `/api/prompts/${id}`],
      ['POST', `/api/prompts/${id}/restore`],
      ['POST', `/api/prompts/${id}/submission`],
      ['DELETE', `/api/prompts/${id}/submission`],
      ['POST', `/api/prompts/${id}/like`],
      ['POST', `/api/prompts/${id}/report`, { reason: 'x' }],
      ['POST', '/api/prompts', body({ id })],
    ];
    for (const [method, path, sent] of tries) {
      expect(await statusOf(other.send(method, path, sent)), `${method} ${path}`).toBe(404);
      expect(await statusOf(guest().send(method, path, sent)), `${method} ${path}`).toBe(401);
    }
    expect((await open(writer, id)).own?.state).toBe('private');
    const upload = await guest().send('POST', '/api/prompts', body());
    expect(((await upload.json()) as { error: string }).error).toBe(promptTexts.upload());
  });

  test('is created once for the same id, even in parallel', async () => {
    const id = randomUUID();
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => writer.send('POST', '/api/prompts', body({ id }))),
    );
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
    expect(
      (await searchPrompts(writer, '?sort=mine&q=A+title')).prompts.filter((prompt) => prompt.id === id),
    ).toHaveLength(1);
  });

  test('ignores fields that its writer may not set', async () => {
    const prompt = await createPrompt(writer, {
      likes: 99,
      locked: true,
      state: 'approved',
      user_id: other.id,
      slug: 'cut-a-text-by-a-third',
      editorRating: 5,
    });
    expect(prompt).toMatchObject({ likes: 0, isPro: false, editorRating: null, own: { state: 'private' } });
    expect(prompt.slug).toBe(prompt.id);
  });

  test('is deleted, restored by Undo, and erased after 7 days', async () => {
    const { id } = await createPrompt(writer);
    expect(await statusOf(writer.send('DELETE', `/api/prompts/${id}`))).toBe(204);
    expect(await statusOf(writer.get(`/api/prompts/${id}`))).toBe(404);
    expect(await statusOf(writer.send('DELETE', `/api/prompts/${id}`))).toBe(404);
    expect(await statusOf(writer.send('POST', `/api/prompts/${id}/restore`))).toBe(200);
    expect((await open(writer, id)).own?.state).toBe('private');
    await writer.send('DELETE', `/api/prompts/${id}`);
    await server.database.query(
      `update prompts set deleted_at = app_now() - interval '6 days' where id = $1`,
      [id],
    );
    await runJob(server, 'purge-deleted-prompts');
    expect((await server.database.query('select 1 from prompts where id = $1', [id])).rowCount).toBe(1);
    await server.database.query(
      `update prompts set deleted_at = app_now() - interval '8 days' where id = $1`,
      [id],
    );
    await runJob(server, 'purge-deleted-prompts');
    expect((await server.database.query('select 1 from prompts where id = $1', [id])).rowCount).toBe(0);
  });

  test('has limits that are explained', async () => {
    const refusal = async (more: object) => {
      const response = await writer.send('POST', '/api/prompts', body(more));
      return [response.status, ((await response.json()) as { error: string }).error];
    };
    expect(await refusal({ title: ' \u202e\u200b ' })).toEqual([400, promptTexts.title()]);
    expect(await refusal({ title: 'x'.repeat(100_000) })).toEqual([400, promptTexts.title()]);
    expect(await refusal({ description: 'x'.repeat(161) })).toEqual([400, promptTexts.description()]);
    expect(await refusal({ content: 'x'.repeat(promptLimits.contentLength + 1) })).toEqual([
      400,
      promptTexts.content(),
    ]);
    expect(await refusal({ content: `short${'\0'.repeat(50)}` })).toEqual([400, promptTexts.content()]);
    expect((await refusal({ category: 'toys' }))[0]).toBe(400);
    expect((await refusal({ content: ['x'] }))[0]).toBe(400);
    expect((await refusal({ content: '😀'.repeat(promptLimits.contentLength) }))[0]).toBe(201);
  });

  test('is limited in number and in the rate of creation', async () => {
    const prolific = await createPerson(server);
    await server.database.query(
      `insert into prompts (user_id, title, description, content, opening, category, state)
       select $1, 'x', '', 'x', '', 'image', 'private' from generate_series(1, $2::int)`,
      [prolific.id, promptLimits.own - 1],
    );
    const create = () => statusOf(prolific.send('POST', '/api/prompts', body()));
    expect(await inTurn(server, prolific.id, [create, create])).toEqual([201, 409]);
    const full = await prolific.send('POST', '/api/prompts', body());
    expect([full.status, ((await full.json()) as { error: string }).error]).toEqual([
      409,
      promptTexts.tooMany(),
    ]);
    for (let at = 3; at < promptLimits.created; at++) await prolific.send('POST', '/api/prompts', body());
    const tooFast = await prolific.send('POST', '/api/prompts', body());
    expect(tooFast.status).toBe(429);
    expect(Number(tooFast.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});

describe('the queue', () => {
  test('shows a prompt to others once the operator has approved the revision they read', async () => {
    const { id, title } = await createPrompt(writer, { category: 'marketing' });
    expect((await promptsCommand(server)).output).not.toContain(title);
    await writer.send('POST', `/api/prompts/${id}/submission`);
    expect(await statusOf(writer.send('POST', `/api/prompts/${id}/submission`))).toBe(200);
    expect((await promptsCommand(server, 'list')).output).toContain(`${id}@1`);
    const shown = await promptsCommand(server, 'show', id.slice(0, 13));
    expect(shown.output).toContain('Write a letter to {{who | text:required}}');
    expect(await statusOf(other.get(`/api/prompts/${id}`))).toBe(404);

    // The prompt is changed and submitted again while the operator reads it.
    await writer.send(
      'PATCH',
      `/api/prompts/${id}`,
      body({ title, content: 'Something quite different now.' }),
    );
    expect((await open(writer, id)).own?.state).toBe('private');
    await writer.send('POST', `/api/prompts/${id}/submission`);
    const stale = await promptsCommand(server, 'approve', `${id}@1`);
    expect([stale.code, stale.output]).toEqual([
      1,
      expect.stringContaining('This prompt has changed since you read it'),
    ]);
    expect(await statusOf(other.get(`/api/prompts/${id}`))).toBe(404);

    const done = await promptsCommand(server, 'approve', `${id}@2`);
    expect(done.code, done.output).toBe(0);
    const published = await open(other, id);
    expect(published).toMatchObject({ title, own: null, editorRating: null, likes: 0, isLocked: false });
    expect(await statusOf(guest().get(`/tools/prompts/${published.slug}`))).toBe(200);
    expect(await (await guest().get(`/tools/prompts/${published.slug}`)).text()).not.toContain(writer.id);
    expect((await searchPrompts(guest(), `?q=${encodeURIComponent(title)}`)).total).toBe(1);
    // A prompt that is already approved cannot be approved again.
    expect((await promptsCommand(server, 'approve', `${id}@2`)).code).toBe(1);

    // A change unpublishes it until it is approved again.
    await writer.send('PATCH', `/api/prompts/${id}`, body({ title }));
    expect(await statusOf(guest().get(`/tools/prompts/${published.slug}`))).toBe(404);
  });

  test('gives the writer the reason for a rejection, and records each decision', async () => {
    const { id } = await createPrompt(writer);
    await writer.send('POST', `/api/prompts/${id}/submission`);
    const silent = await promptsCommand(server, 'reject', `${id}@1`);
    expect([silent.code, silent.output]).toEqual([1, expect.stringContaining('Add a reason')]);
    expect((await promptsCommand(server, 'reject', `${id}@1`, 'Too', 'short.')).code).toBe(0);
    expect((await open(writer, id)).own).toEqual({ state: 'rejected', reason: 'Too short.' });
    expect(await (await writer.get(`/tools/prompts/${id}`)).text()).toContain('Too short.');
    const { rows } = await server.database.query(
      'select action, revision, reason, operator, length(digest) as digest from prompt_decisions where prompt_id = $1',
      [id],
    );
    expect(rows).toEqual([
      {
        action: 'reject',
        revision: 1,
        reason: 'Too short.',
        operator: expect.stringMatching(/./),
        digest: 32,
      },
    ]);
    await expect(server.database.query('delete from prompt_decisions')).rejects.toThrow('append-only');
  });

  test.runIf(soak)('receives reports, and can withdraw a prompt', async () => {
    const prompt = await publish(server, writer);
    const [first, second] = [await createPerson(server), await createPerson(server)];
    const reason = 'It is \u001b[31mmine.';
    for (const person of [first, first, second])
      expect(await statusOf(person.send('POST', `/api/prompts/${prompt.id}/report`, { reason }))).toBe(204);
    // Nobody can report their own prompt, nor a curated one.
    const [curated] = (await searchPrompts(guest())).prompts;
    expect(await statusOf(writer.send('POST', `/api/prompts/${prompt.id}/report`, { reason }))).toBe(404);
    expect(await statusOf(other.send('POST', `/api/prompts/${curated?.id}/report`, { reason }))).toBe(404);
    expect((await promptsCommand(server, 'list', 'reported')).output).toContain('2 reported');
    const shown = (await promptsCommand(server, 'show', prompt.id)).output;
    expect(shown).toContain('It is [31mmine.');
    expect(shown).not.toContain('\u001b');
    expect((await promptsCommand(server, 'keep', `${prompt.id}@1`)).code).toBe(0);
    expect((await promptsCommand(server, 'list', 'reported')).output).toContain('0 reported');
    expect((await promptsCommand(server, 'unpublish', `${prompt.id}@1`, 'Not yours.')).code).toBe(0);
    expect(await statusOf(guest().get(`/tools/prompts/${prompt.slug}`))).toBe(404);
    expect((await open(writer, prompt.id)).own).toEqual({ state: 'withdrawn', reason: 'Not yours.' });
    expect(await statusOf(writer.send('POST', `/api/prompts/${prompt.id}/submission`))).toBe(409);
  });

  test.runIf(soak)('rejects unknown arguments', async () => {
    for (const words of [
      ['list', 'all'],
      ['show', "' or 1=1"],
      ['show', randomUUID()],
      ['approve', 'x'],
      ['drop', 'x@1'],
    ])
      expect((await promptsCommand(server, ...words)).code, words.join(' ')).toBe(1);
    expect((await promptsCommand(server, '--help')).output).toContain('npm run prompts -- approve ID@REV');
  });
});

test('hostile titles and texts are shown as text everywhere', async () => {
  const title = '</script><script>alert(1)</script>\u202e <img src=x onerror=alert(1)>\0 "\u2028';
  const content = `{{</textarea><script>alert(2)</script>}} {{constructor}} {{__proto__ | select:options=["<b>"]}} ${'x'.repeat(2_000)}\0\ud800`;
  const prompt = await publish(server, writer, { title, content, description: '<!--' });
  expect(prompt.title).toBe('</script><script>alert(1)</script> <img src=x onerror=alert(1)> "');
  expect(/[\0\ud800\u202e]/.test(prompt.content)).toBe(false);
  for (const path of [`/tools/prompts/${prompt.slug}`, `/tools/prompts?sort=new`]) {
    const html = await (await guest().get(path)).text();
    expect(html).not.toContain('<script>alert');
    expect(html).not.toContain('<img src=x');
    expect(html).not.toContain('\u202e');
    expect(html).not.toContain('\u2028');
  }
  const page = await (await guest().get(`/tools/prompts/${prompt.slug}`)).text();
  const data = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(page)?.[1] ?? '';
  expect(JSON.parse(data).name).toBe(prompt.title);
});

test
  .runIf(soak)
  .each([
    '</script><script>alert(1)</script>',
    '日本語のタイトル',
    '🦊🦊🦊',
    'مرحبا بالعالم',
    'x'.repeat(80),
  ])('a prompt with the title %s has a social card', async (title) => {
  const { slug } = await publish(server, writer, { title });
  expect(slug).toMatch(/^[a-z0-9-]+$/);
  const card = await guest().get(`/tools/prompts/${slug}/card.png`);
  expect([card.status, card.headers.get('content-type')]).toEqual([200, 'image/png']);
});

test('an export contains all of a person’s prompts, and an erasure leaves none', async () => {
  const departing = await createPerson(server);
  const ownPrompt = await publish(server, departing, { title: 'To be erased' });
  const deleted = await createPrompt(departing, { title: 'In the bin' });
  await departing.send('DELETE', `/api/prompts/${deleted.id}`);
  const liked = await publish(server, writer, { title: 'Liked once' });
  await departing.send('POST', `/api/prompts/${liked.id}/like`);
  await departing.send('POST', `/api/prompts/${liked.id}/uses`);
  await departing.send('PUT', `/api/prompts/${liked.id}/rating`, { stars: 4 });
  await departing.send('POST', `/api/prompts/${liked.id}/report`, { reason: 'my words' });
  await other.send('POST', `/api/prompts/${ownPrompt.id}/like`);

  const files = unzip(Buffer.from(await (await departing.get('/api/me/export')).arrayBuffer()));
  const data = JSON.parse(files.get('export.json')?.toString() ?? '') as Export;
  expect(exportSchema.safeParse(data).error).toBeUndefined();
  expect(
    data.prompts.map(({ title, state, deletedAt }) => [title, state, deletedAt !== null]).sort(),
  ).toEqual([
    ['In the bin', 'private', true],
    ['To be erased', 'approved', false],
  ]);
  expect(data.likedPrompts).toEqual([
    { promptId: liked.id, title: 'Liked once', createdAt: expect.any(String) },
  ]);
  expect(data.usedPrompts).toEqual([
    {
      promptId: liked.id,
      title: 'Liked once',
      createdAt: expect.any(String),
      stars: 4,
      ratedAt: expect.any(String),
    },
  ]);
  expect(data.reportedPrompts).toMatchObject([{ promptId: liked.id, reason: 'my words' }]);

  await departing.send('DELETE', '/api/me', { confirm: departing.email });
  expect(await statusOf(guest().get(`/tools/prompts/${ownPrompt.slug}`))).toBe(404);
  expect((await searchPrompts(guest(), '?q=To+be+erased')).total).toBe(0);
  await server.database.query(`update users set deleted_at = app_now() - interval '31 days' where id = $1`, [
    departing.id,
  ]);
  await runErasure(server);
  const { rows } = await server.database.query(
    `select (select count(*)::int from prompts where user_id = $1) as prompts,
            (select count(*)::int from prompt_likes where user_id = $1) as likes,
            (select count(*)::int from prompt_uses where user_id = $1) as uses,
            (select rating_count from prompts where id = $2) as ratings,
            (select count(*)::int from prompt_reports where user_id = $1) as reports`,
    [departing.id, liked.id],
  );
  expect(rows).toEqual([{ prompts: 0, likes: 0, uses: 0, ratings: 0, reports: 0 }]);
  expect((await open(guest(), liked.id)).likes).toBe(0);
  expect(await audit(server)).toEqual([]);
});
