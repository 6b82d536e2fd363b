import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { curatedPrompts } from '../../content/prompts/all.ts';
import { openingOf, type Prompt, promptTexts } from '../../src/features/prompts/contract.ts';
import { client, createPeople, createPerson, type Person } from '../support/people.ts';
import { library, publish, write } from '../support/prompts.ts';
import { startTestServer, type TestServer } from '../support/server.ts';
import { audit } from '../support/soundness.ts';

let server: TestServer;
let free: Person;
let pro: Person;
const guest = () => client(server);

beforeAll(async () => {
  server = await startTestServer({ postgres: inject('postgres') });
  [free, pro] = [await createPerson(server), await createPerson(server, { plan: 'pro' })];
});
afterAll(() => server.stop());

const locked = curatedPrompts.filter((prompt) => prompt.pro);
const [secret] = locked;
if (!secret) throw new Error('No prompt is locked.');

/** Six words that stand in the hidden part of a prompt and nowhere else in the collection. */
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
  test('shows guests every curated prompt, with the editor’s rating', async () => {
    const all = await library(guest(), '?shown=240');
    expect(all.total).toBe(curatedPrompts.length);
    expect(new Set(all.prompts.map(({ slug }) => slug))).toEqual(
      new Set(curatedPrompts.map(({ slug }) => slug)),
    );
    for (const prompt of all.prompts)
      expect(prompt).toMatchObject({ editorRating: 4.8, likes: 0, isLiked: false, own: null });
    const first = await library(guest());
    expect([first.prompts.length, first.total]).toEqual([24, curatedPrompts.length]);
    const next = await library(guest(), '?from=24');
    expect(next.prompts.some(({ id }) => first.prompts.some((each) => each.id === id))).toBe(false);
  });

  test('searches titles and texts in any case, together with a category', async () => {
    const titles = async (query: string) => (await library(guest(), query)).prompts.map(({ slug }) => slug);
    expect(await titles('?q=CUT%20A%20text')).toEqual(['cut-a-text-by-a-third']);
    expect(await titles('?q=throat-CLEARING')).toEqual(['cut-a-text-by-a-third']);
    expect(await titles('?q=throat-clearing&category=image')).toEqual([]);
    expect(
      (await library(guest(), '?category=image')).prompts.every(({ category }) => category === 'image'),
    ).toBe(true);
    for (const text of ['%', '_', "' or 1=1 --", '\\', '{{', '%00'])
      expect((await guest().get(`/api/prompts?q=${encodeURIComponent(text)}`)).status).toBe(200);
    expect((await library(guest(), `?q=${encodeURIComponent('100%_')}`)).total).toBe(0);
    expect((await library(guest(), '?category=none&sort=name);--&from=-1&shown=x')).total).toBe(
      curatedPrompts.length,
    );
  });

  test('orders by likes, and by date', async () => {
    const id = await idOf('toast-with-a-true-story');
    const people = await createPeople(server, 2);
    for (const person of people) await person.send('POST', `/api/prompts/${id}/like`);
    expect((await library(guest())).prompts[0]).toMatchObject({ id, likes: 2 });
    const fresh = await publish(server, people[0] as Person);
    expect((await library(guest(), '?sort=new')).prompts[0]?.id).toBe(fresh.id);
    expect(await library(guest(), '?sort=mine&q=x').catch((error) => String(error))).toContain('401');
  });
});

describe('what is locked', () => {
  /** Everything that a visitor can be told of the library. */
  const paths = () => [
    '/api/prompts?shown=240',
    ...locked.flatMap(({ slug }) => [
      `/api/prompts/${slug}`,
      `/tools/prompts/${slug}`,
      `/tools/prompts/${slug}.data`,
      `/tools/prompts/${slug}?use=1`,
    ]),
    '/tools/prompts?shown=240',
    '/tools/prompts.data?shown=240',
  ];

  test.each(['guest', 'free'])('leaves the server in no answer to a %s visitor', async (who) => {
    const asker = who === 'guest' ? guest() : free;
    const parts = locked.map((prompt) => hiddenWords(prompt));
    for (const path of paths()) {
      const response = await asker.get(path);
      expect(response.status, path).toBe(200);
      const body = (await response.text()).replaceAll('\\u0027', "'").replaceAll('&#x27;', "'");
      for (const words of parts) expect(body.includes(words), `${path}: ${words}`).toBe(false);
    }
    const page = await (await asker.get(`/tools/prompts/${secret.slug}`)).text();
    expect(page).toContain(secret.title);
    expect(page).toContain(openingOf(secret.content).split('\n')[0]?.slice(0, 40));
  });

  test('is found by no word of its hidden part, but by its title and first lines', async () => {
    for (const prompt of locked) {
      const search = `?q=${encodeURIComponent(hiddenWords(prompt))}`;
      expect((await library(free, search)).total, prompt.slug).toBe(0);
      expect((await library(pro, search)).prompts.map(({ slug }) => slug)).toEqual([prompt.slug]);
      expect((await library(free, `?q=${encodeURIComponent(prompt.title.toUpperCase())}`)).total).toBe(1);
    }
  });

  test('is whole for Pro, on its page and in the library', async () => {
    expect(await (await pro.get(`/api/prompts/${secret.slug}`)).json()).toMatchObject({
      content: secret.content,
      isLocked: false,
      isPro: true,
    });
    expect(await (await pro.get(`/tools/prompts/${secret.slug}`)).text()).toContain(hiddenWords(secret));
  });
});

describe('likes', () => {
  const likesOf = async (id: string, asker: Pick<Person, 'get'> = guest()) =>
    ((await (await asker.get(`/api/prompts/${id}`)).json()) as Prompt).likes;

  test('are one a person however often and at once it is pressed, and can be taken back', async () => {
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
    expect((await audit(server)).violated).toEqual([]);
  });

  test('need a sign-in and a published prompt', async () => {
    const refused = await guest().send('POST', `/api/prompts/${await idOf('review-a-diff')}/like`);
    expect([refused.status, ((await refused.json()) as { error: string }).error]).toEqual([
      401,
      promptTexts.like,
    ]);
    const mine = await write(free);
    for (const id of [mine.id, randomUUID(), 'x', '%00'])
      expect((await pro.send('POST', `/api/prompts/${id}/like`)).status, id).toBe(404);
  });
});

describe('the page of a prompt', () => {
  test('says what it is to search engines and networks', async () => {
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

  test('has a social card of the promised size, made once', async () => {
    const path = '/tools/prompts/cut-a-text-by-a-third/card.png';
    const answers = await Promise.all(Array.from({ length: 6 }, () => guest().get(path)));
    const bytes = await Promise.all(answers.map(async (each) => Buffer.from(await each.arrayBuffer())));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    expect(await sharp(bytes[0]).metadata()).toMatchObject({ format: 'png', width: 1200, height: 630 });
    expect(bytes.every((each) => each.equals(bytes[0] as Buffer))).toBe(true);
    // Something is drawn: paper, ink and the marker.
    const { channels } = await sharp(bytes[0]).stats();
    expect(channels[0]?.min).toBeLessThan(60);
    expect(channels[0]?.max).toBeGreaterThan(230);
    const etag = answers[0]?.headers.get('etag') ?? '';
    expect((await client(server).get(path, { 'if-none-match': etag })).status).toBe(304);
    const mine = await write(free);
    for (const slug of [mine.id, 'nothing', '%00']) {
      expect((await free.get(`/tools/prompts/${slug}/card.png`)).status, slug).toBe(404);
    }
  });

  test('has few cards made at a time for one network', async () => {
    const slugs = curatedPrompts.slice(0, 16).map(({ slug }) => slug);
    const answers = await Promise.all(slugs.map((slug) => guest().get(`/tools/prompts/${slug}/card.png`)));
    const refused = answers.filter(({ status }) => status === 429);
    expect(answers.map(({ status }) => status)).toContain(200);
    expect(refused.length).toBeGreaterThan(6);
    expect(refused[0]?.headers.get('retry-after')).toBe('5');
  });
});
