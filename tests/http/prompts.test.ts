import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { curatedPrompts } from '#content/prompts/all.ts';
import { openingOf, type Prompt, promptTexts } from '#features/prompts/contract.ts';
import { audit } from '../support/consistency.ts';
import { client, createPeople, createPerson, type Person } from '../support/people.ts';
import { createPrompt, publish, searchPrompts } from '../support/prompts.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { sampleOf, soak } from '../support/soak.ts';

let server: TestServer;
let free: Person;
let pro: Person;
const guest = () => client(server);

beforeAll(async () => {
  // Not a shared server: this test counts all published prompts.
  server = await startTestServer({
    postgres: inject('postgres'),
    env: { TRUSTED_PROXIES: '127.0.0.1,::1' },
  });
  [free, pro] = [await createPerson(server), await createPerson(server, { plan: 'pro' })];
});
afterAll(() => server.stop());

const locked = curatedPrompts.filter((prompt) => prompt.pro);
const [secret] = locked;
if (!secret) throw new Error('No prompt is locked.');

/** Returns six words from a prompt's hidden part that no other prompt contains. */
function hiddenWords({ content }: { content: string }): string {
  const rest = content.slice(openingOf(content).length + 40);
  const line = rest.split('\n').find((each) => each.length > 80 && !each.includes('{{')) ?? '';
  const words = line.split(' ').slice(2, 8).join(' ');
  expect(curatedPrompts.filter((prompt) => prompt.content.includes(words))).toHaveLength(1);
  return words;
}

const ids = new Map<string, string>();
async function idOf(slug: string): Promise<string> {
  const known = ids.get(slug) ?? ((await (await guest().get(`/api/prompts/${slug}`)).json()) as Prompt).id;
  ids.set(slug, known);
  return known;
}

describe('the library', () => {
  test('shows guests every curated prompt, with a rating only where an editor set one', async () => {
    const all = await searchPrompts(guest(), '?shown=240');
    expect(all.total).toBe(curatedPrompts.length);
    expect(new Set(all.prompts.map(({ slug }) => slug))).toEqual(
      new Set(curatedPrompts.map(({ slug }) => slug)),
    );
    const rated = new Map(curatedPrompts.map(({ slug, editorRating }) => [slug, editorRating ?? null]));
    for (const prompt of all.prompts) {
      expect(prompt).toMatchObject({ rating: null, likes: 0, isLiked: false, isUsed: false, own: null });
      expect(prompt.editorRating).toEqual(rated.get(prompt.slug));
    }
    const first = await searchPrompts(guest());
    expect([first.prompts.length, first.total]).toEqual([24, curatedPrompts.length]);
    const next = await searchPrompts(guest(), '?from=24');
    expect(next.prompts.some(({ id }) => first.prompts.some((each) => each.id === id))).toBe(false);
  });

  test('searches titles and texts in any case, also within a category', async () => {
    const titles = async (query: string) =>
      (await searchPrompts(guest(), query)).prompts.map(({ slug }) => slug);
    expect((await titles('?q=CUT%20A%20text'))[0]).toBe('cut-a-text-by-a-third');
    expect(await titles('?q=throat-CLEARING')).toEqual(['cut-a-text-by-a-third']);
    expect(await titles('?q=throat-clearing&category=image')).toEqual([]);
    expect(
      (await searchPrompts(guest(), '?category=image')).prompts.every(({ category }) => category === 'image'),
    ).toBe(true);
    for (const text of ['%', '_', "' or 1=1 --", '\\', '{{', '%00'])
      expect((await guest().get(`/api/prompts?q=${encodeURIComponent(text)}`)).status).toBe(200);
    expect((await searchPrompts(guest(), `?q=${encodeURIComponent('100%_')}`)).total).toBe(0);
    expect((await searchPrompts(guest(), '?category=none&sort=name);--&from=-1&shown=x')).total).toBe(
      curatedPrompts.length,
    );
  });

  test('finds prompts by tags and synonyms, with full words before parts of words', async () => {
    const first = async (q: string, count = 5) =>
      (await searchPrompts(guest(), `?q=${encodeURIComponent(q)}`)).prompts
        .slice(0, count)
        .map(({ slug }) => slug);
    const all = (q: string) => first(q, 99);
    for (const q of ['email', 'emails', 'E-MAIL'])
      expect(await all(q), q).toEqual(
        expect.arrayContaining(['welcome-mail-series', 'win-back-mail', 'say-no-kindly']),
      );
    expect((await first('email', 1))[0]).toMatch(
      /mail|subject-lines|newsletter|say-no|complaint|event|status/,
    );
    expect(await all('blog')).toEqual(
      expect.arrayContaining(['seo-brief-for-a-writer', 'outline-before-draft']),
    );
    expect((await first('SEO', 3)).toSorted()).toEqual(
      ['competitor-comparison-page', 'local-business-profile', 'seo-brief-for-a-writer'].toSorted(),
    );
    expect(await first('tweet', 1)).toEqual(['social-posts-from-article']);
    const summaries = await first('summarize', 99);
    for (const slug of ['cut-a-text-by-a-third', 'meeting-notes-to-minutes', 'study-notes-with-questions'])
      expect(summaries).toContain(slug);
    expect(await first('summarise a meeting', 1)).toEqual(['meeting-notes-to-minutes']);
    // Matches of "art" as a whole word come before "article" and "party".
    const art = (await searchPrompts(guest(), '?q=art&shown=99')).prompts;
    const isWholeWord = ({ slug, title, description, content }: Prompt) => {
      const tags = curatedPrompts.find((each) => each.slug === slug)?.tags ?? [];
      return /(^|[^\p{L}\p{N}])art([^\p{L}\p{N}]|$)/iu.test([title, description, content, ...tags].join(' '));
    };
    const areWholeWords = art.map(isWholeWord);
    expect(areWholeWords).toContain(true);
    expect(areWholeWords).toContain(false);
    expect(areWholeWords.lastIndexOf(true)).toBeLessThan(areWholeWords.indexOf(false));
    // The hidden part of a locked prompt is not searched, but its tags are.
    expect(await all('seo keywords')).toContain('seo-brief-for-a-writer');
  });

  test('states where a prompt opens', async () => {
    const { prompts } = await searchPrompts(guest(), '?category=image&shown=99');
    const inChat = prompts.filter(({ opensIn }) => opensIn === 'chat').map(({ slug }) => slug);
    expect(inChat.toSorted()).toEqual([
      'historical-street-scene',
      'improve-an-image-prompt',
      'moodboard-in-words',
    ]);
    expect(
      (await searchPrompts(guest(), '?category=writing')).prompts.every(({ opensIn }) => opensIn === 'chat'),
    ).toBe(true);
    expect(await createPrompt(free, { category: 'image' })).toMatchObject({ opensIn: 'image' });
  });

  test('orders by likes, and by date', async () => {
    const id = await idOf('toast-with-a-true-story');
    const people = await createPeople(server, 2);
    for (const person of people) await person.send('POST', `/api/prompts/${id}/like`);
    expect((await searchPrompts(guest())).prompts[0]).toMatchObject({ id, likes: 2 });
    const fresh = await publish(server, people[0] as Person);
    expect((await searchPrompts(guest(), '?sort=new')).prompts[0]?.id).toBe(fresh.id);
    expect(await searchPrompts(guest(), '?sort=mine&q=x').catch((error) => String(error))).toContain('401');
  });
});

describe('the hidden part of a locked prompt', () => {
  /** Every address that shows a visitor something about locked prompts. */
  const paths = () => [
    '/api/prompts?shown=240',
    ...sampleOf(locked).flatMap(({ slug }) => [
      `/api/prompts/${slug}`,
      `/tools/prompts/${slug}`,
      `/tools/prompts/${slug}.data`,
      `/tools/prompts/${slug}?use=1`,
    ]),
    '/tools/prompts?shown=240',
    '/tools/prompts.data?shown=240',
  ];

  test.each(['guest', 'free'])('is in no response to a %s visitor', async (visitorKind) => {
    const visitor = visitorKind === 'guest' ? guest() : free;
    const parts = locked.map((prompt) => hiddenWords(prompt));
    for (const path of paths()) {
      const response = await visitor.get(path);
      expect(response.status, path).toBe(200);
      const body = (await response.text()).replaceAll('\\u0027', "'").replaceAll('&#x27;', "'");
      for (const words of parts) expect(body.includes(words), `${path}: ${words}`).toBe(false);
    }
    const page = await (await visitor.get(`/tools/prompts/${secret.slug}`)).text();
    expect(page).toContain(secret.title);
    expect(page).toContain(openingOf(secret.content).split('\n')[0]?.slice(0, 40));
  });

  test('is not searched, but its title and first lines are', async () => {
    for (const prompt of sampleOf(locked)) {
      const search = `?q=${encodeURIComponent(hiddenWords(prompt))}`;
      expect((await searchPrompts(free, search)).total, prompt.slug).toBe(0);
      expect((await searchPrompts(pro, search)).prompts.map(({ slug }) => slug)).toEqual([prompt.slug]);
      expect((await searchPrompts(free, `?q=${encodeURIComponent(prompt.title.toUpperCase())}`)).total).toBe(
        1,
      );
    }
  });

  test('is shown to Pro, on the page and in the library', async () => {
    expect(await (await pro.get(`/api/prompts/${secret.slug}`)).json()).toMatchObject({
      content: secret.content,
      isLocked: false,
      isPro: true,
    });
    expect(await (await pro.get(`/tools/prompts/${secret.slug}`)).text()).toContain(hiddenWords(secret));
  });
});

describe('likes', () => {
  const likesOf = async (id: string, visitor: Pick<Person, 'get'> = guest()) =>
    ((await (await visitor.get(`/api/prompts/${id}`)).json()) as Prompt).likes;

  test('count once per person, even when pressed in parallel, and can be withdrawn', async () => {
    const id = await idOf('regex-with-proof');
    const people = await createPeople(server, 10);
    await Promise.all(
      people.flatMap((person) =>
        Array.from({ length: 5 }, () => person.send('POST', `/api/prompts/${id}/like`)),
      ),
    );
    expect(await likesOf(id)).toBe(10);
    const one = people[0] as Person;
    expect(await (await one.get(`/api/prompts/${id}`)).json()).toMatchObject({ isLiked: true });
    const undone = await Promise.all(
      Array.from({ length: 5 }, () => one.send('DELETE', `/api/prompts/${id}/like`)),
    );
    for (const response of undone) expect(await response.json()).toEqual({ likes: 9, isLiked: false });
    await Promise.all(
      people.flatMap((person) =>
        ['POST', 'DELETE', 'POST'].map((method) => person.send(method, `/api/prompts/${id}/like`)),
      ),
    );
    const { rows } = await server.database.query(
      'select count(*)::int as n from prompt_likes where prompt_id = $1',
      [id],
    );
    expect(await likesOf(id)).toBe(rows[0].n);
    expect(await audit(server)).toEqual([]);
  });

  test('need a sign-in and a published prompt', async () => {
    const refused = await guest().send('POST', `/api/prompts/${await idOf('review-a-diff')}/like`);
    expect([refused.status, ((await refused.json()) as { error: string }).error]).toEqual([
      401,
      promptTexts.like(),
    ]);
    const ownPrompt = await createPrompt(free);
    for (const id of [ownPrompt.id, randomUUID(), 'x', '%00'])
      expect((await pro.send('POST', `/api/prompts/${id}/like`)).status, id).toBe(404);
  });
});

describe('ratings', () => {
  const rate = async (person: Person, id: string, stars: unknown) => {
    const response = await person.send('PUT', `/api/prompts/${id}/rating`, { stars });
    return { status: response.status, ...((await response.json()) as Partial<Prompt> & { error?: string }) };
  };
  const use = async (person: Person, id: string) =>
    (await person.send('POST', `/api/prompts/${id}/uses`)).status;
  const getPrompt = async (id: string, visitor: Pick<Person, 'get'> = guest()) =>
    (await (await visitor.get(`/api/prompts/${id}`)).json()) as Prompt;

  test('come only from people who used the prompt, one each, and are shown from the third on', async () => {
    const id = await idOf('regex-with-proof');
    const [a, b, c] = (await createPeople(server, 3)) as [Person, Person, Person];
    expect(await rate(a, id, 5)).toMatchObject({ status: 403, error: promptTexts.notUsed() });
    expect(await use(a, id)).toBe(204);
    expect(await use(a, id)).toBe(204);
    expect(await getPrompt(id, a)).toMatchObject({ isUsed: true, ownRating: null });
    for (const stars of [0, 6, 2.5, '5', null, -1])
      expect((await rate(a, id, stars)).status, String(stars)).toBe(400);
    expect(await rate(a, id, 1)).toMatchObject({ status: 200, ownRating: 1, rating: null });
    expect(await rate(a, id, 5)).toMatchObject({ status: 200, ownRating: 5, rating: null });
    await use(b, id);
    await rate(b, id, 4);
    expect(await getPrompt(id)).toMatchObject({ rating: null, ownRating: null, isUsed: false });
    await use(c, id);
    expect(await rate(c, id, 4)).toMatchObject({ rating: { average: 4.3, count: 3 }, editorRating: null });
    expect(await getPrompt(id)).toMatchObject({ rating: { average: 4.3, count: 3 }, isUsed: false });
    expect(await (await guest().get(`/tools/prompts/regex-with-proof`)).text()).not.toContain(
      'aggregateRating',
    );
    expect((await c.send('DELETE', `/api/prompts/${id}/rating`)).status).toBe(200);
    expect(await getPrompt(id, c)).toMatchObject({ rating: null, isUsed: true, ownRating: null });
    // Concurrent and repeated ratings: average and count match the rows.
    await Promise.all([a, b, c].flatMap((person) => [1, 2, 3, 4].map((stars) => rate(person, id, stars))));
    const { rating } = await getPrompt(id);
    const { rows } = await server.database.query(
      'select round(avg(stars), 1)::float8 as average, count(stars)::int as count from prompt_uses where prompt_id = $1',
      [id],
    );
    expect(rating).toEqual(rows[0]);
    expect(await audit(server)).toEqual([]);
  });

  test('need an accessible prompt, which is not the person’s own', async () => {
    const hidden = await idOf(secret.slug);
    expect(await use(free, hidden)).toBe(403);
    expect((await rate(free, hidden, 5)).status).toBe(403);
    expect(await use(pro, hidden)).toBe(204);
    expect((await rate(pro, hidden, 5)).status).toBe(200);
    for (const id of [randomUUID(), 'x', '%00', (await createPrompt(free)).id]) {
      expect(await use(pro, id), id).toBe(404);
      expect((await rate(pro, id, 5)).status, id).toBe(404);
    }
    expect((await guest().send('POST', `/api/prompts/${hidden}/uses`)).status).toBe(401);
    expect((await guest().send('PUT', `/api/prompts/${hidden}/rating`, { stars: 5 })).status).toBe(401);
    const writer = await createPerson(server);
    const prompt = await publish(server, writer);
    expect(await use(writer, prompt.id)).toBe(204);
    expect(await rate(writer, prompt.id, 5)).toMatchObject({ status: 403, error: promptTexts.ownRating() });
    // A changed text starts without the previous ratings.
    const readers = (await createPeople(server, 3)) as Person[];
    for (const reader of readers) {
      await use(reader, prompt.id);
      await rate(reader, prompt.id, 5);
    }
    expect((await getPrompt(prompt.id, writer)).rating).toEqual({ average: 5, count: 3 });
    const { title, category } = prompt;
    const change = (content: string) =>
      writer.send('PATCH', `/api/prompts/${prompt.id}`, { title, category, content });
    await change(prompt.content);
    expect((await getPrompt(prompt.id, writer)).rating).toEqual({ average: 5, count: 3 });
    await change(`${prompt.content} It is another one.`);
    expect((await getPrompt(prompt.id, writer)).rating).toBeNull();
    expect(await audit(server)).toEqual([]);
  });

  test('of an editor are shown with their reason until there are people’s ratings', async () => {
    const id = await idOf('sql-from-question');
    await server.database.query(
      `update prompts set editor_rating = 45, editor_reason = 'It asks for the schema first.' where id = $1`,
      [id],
    );
    const editorRating = { value: 4.5, reason: 'It asks for the schema first.' };
    expect(await getPrompt(id)).toMatchObject({ rating: null, editorRating });
    expect(await (await guest().get('/tools/prompts/sql-from-question')).text()).toContain(
      editorRating.reason,
    );
    for (const person of (await createPeople(server, 3)) as Person[]) {
      await use(person, id);
      await rate(person, id, 2);
    }
    expect(await getPrompt(id)).toMatchObject({ rating: { average: 2, count: 3 }, editorRating: null });
    await expect(
      server.database.query('update prompts set editor_reason = null where id = $1', [id]),
    ).rejects.toThrow(/editor_reason/);
  });
});

describe('the page of a prompt', () => {
  test('has metadata for search engines and social networks', async () => {
    const html = await (await guest().get('/tools/prompts/cut-a-text-by-a-third')).text();
    const address = `${server.url}/tools/prompts/cut-a-text-by-a-third`;
    expect(html).toContain(`<link rel="canonical" href="${address}"/>`);
    expect(html).toContain(`<meta property="og:image" content="${address}/card.png"/>`);
    const data = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(html)?.[1] ?? '';
    expect(JSON.parse(data)).toMatchObject({
      '@type': 'CreativeWork',
      name: 'Cut a text by a third',
      url: address,
    });
    expect((await guest().get('/tools/prompts/no-such-prompt')).status).toBe(404);
  });

  test('has a social card of the stated size, drawn once', async () => {
    const path = '/tools/prompts/cut-a-text-by-a-third/card.png';
    const answers = await Promise.all(Array.from({ length: 6 }, () => guest().get(path)));
    const bytes = await Promise.all(answers.map(async (each) => Buffer.from(await each.arrayBuffer())));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    expect(await sharp(bytes[0]).metadata()).toMatchObject({ format: 'png', width: 1200, height: 630 });
    expect(bytes.every((each) => each.equals(bytes[0] as Buffer))).toBe(true);
    // The card is not blank: it has dark and light pixels.
    const { channels } = await sharp(bytes[0]).stats();
    expect(channels[0]?.min).toBeLessThan(60);
    expect(channels[0]?.max).toBeGreaterThan(230);
    const etag = answers[0]?.headers.get('etag') ?? '';
    expect((await client(server).get(path, { 'if-none-match': etag })).status).toBe(304);
    const ownPrompt = await createPrompt(free);
    for (const slug of [ownPrompt.id, 'nothing', '%00']) {
      expect((await free.get(`/tools/prompts/${slug}/card.png`)).status, slug).toBe(404);
    }
  });

  test.runIf(soak)('limits how many cards one network can have drawn at a time', async () => {
    const slugs = curatedPrompts.slice(0, 16).map(({ slug }) => slug);
    const answers = await Promise.all(slugs.map((slug) => guest().get(`/tools/prompts/${slug}/card.png`)));
    const refused = answers.filter(({ status }) => status === 429);
    expect(answers.map(({ status }) => status)).toContain(200);
    expect(refused.length).toBeGreaterThan(6);
    expect(refused[0]?.headers.get('retry-after')).toBe('5');
  });
});
