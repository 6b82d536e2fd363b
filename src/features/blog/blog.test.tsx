import { renderToStaticMarkup } from 'react-dom/server';
import { createRoutesStub, Meta } from 'react-router';
import { describe, expect, test } from 'vitest';
import { blogOrder } from '#content/blog.ts';
import hostile from '#ui/markdown/hostile-markdown.fixture.json' with { type: 'json' };
import { type Article, minutesFor, parseBlogQuery } from './contract.ts';
import { readArticle } from './front-matter.server.ts';
import { renderText } from './render-article.server.ts';
import { allArticles, findArticles, openArticle } from './service.server.ts';
import { articleMeta } from './web/article-meta.ts';
import { ArticlePage } from './web/article-page.tsx';
import { countLine } from './web/blog-page.tsx';
import { shareTargets } from './web/share-menu.tsx';

const fields = {
  title: 'A title',
  description: 'd'.repeat(120),
  intro: 'An intro.',
  section: 'Guides',
  tags: '[one, two]',
  published: '2026-11-21',
  updated: '2026-11-22',
  related: '[what-is-gpt-5, gpt-5-for-business, gpt-5-vs-gemini]',
};
const source = (
  changes: Partial<Record<keyof typeof fields | 'extra' | 'opinion', string | null>>,
  body = 'Words.',
) =>
  `---\n${Object.entries({ ...fields, ...changes })
    .filter(([, value]) => value !== null)
    .map(([key, value]) => `${key}: ${value}`)
    .join('\n')}\n---\n${body}`;
const allBuilt = () => true;

describe('the front matter', () => {
  test('is parsed with its types', () => {
    const { article, body } = readArticle('x', source({ title: '"Quoted: \\"so\\""', opinion: 'true' }));
    expect(article).toMatchObject({
      slug: 'x',
      title: 'Quoted: "so"',
      tags: ['one', 'two'],
      opinion: true,
      words: 1,
    });
    expect(body).toBe('Words.');
  });

  test.each([
    [{ title: 't'.repeat(66) }, /x\.md: title has more than 65/],
    [{ description: 'short' }, /description has under 110/],
    [{ section: 'Gossip' }, /section must be one of/],
    [{ published: 'yesterday' }, /published must be a date/],
    [{ updated: '2026-11-20' }, /updated is before published/],
    [{ related: '[a, b]' }, /related must name three/],
    [{ intro: null }, /intro is missing/],
    [{ extra: 'x' }, /extra/],
    [{ title: '"open' }, /x\.md: /],
  ])('is rejected with the file and field of a mistake: %j', (changes, message) => {
    expect(() => readArticle('x', source(changes))).toThrow(message);
  });

  test('is required', () => {
    expect(() => readArticle('x', '# Title')).toThrow('content/articles/x.md: it has no front matter');
  });

  test('counts the words of prose and prompts, but not of code or sources', () => {
    const body =
      'one two\n\n```prompt\ntitle: three\n\nfour {{five}}\n```\n\n```js\nnot counted\n```\n\n## Sources {#sources}\n\nno';
    expect(readArticle('x', source({}, body)).article.words).toBe(6);
    expect([minutesFor(0), minutesFor(2_380)]).toEqual([1, 10]);
  });
});

describe('the text', () => {
  test('becomes HTML without scripts or unsafe links', async () => {
    const { html } = await renderText(
      [
        '## A <b>bold</b> one {#bold}',
        '<script>alert(1)</script> <img src=x onerror=alert(1)>',
        '[js](javascript:alert(1)) [data](data:text/html,x) [else](//evil.test) [back](/\\evil.test) [http](http://a.test)',
        '![picture](https://evil.test/x.png)',
        '```js"><script>\n</code><script>alert(1)</script>\n```',
        '```prompt\ntitle: <img src=x>\n\n{{name}} </pre><script>\n```',
      ].join('\n\n'),
      allBuilt,
    );
    expect(html.match(/<(?:script|img|b)\b(?!>&lt;img)/g)).toBeNull();
    expect([...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)).toEqual(['#bold', '/chat/new']);
    expect(html).toContain('<span class="blank">{{name}}</span>');
  });

  test('becomes HTML that runs and loads nothing, even from hostile Markdown', async () => {
    const vectors = Object.entries({ ...hostile.auto, ...hostile.exec });
    expect(vectors).toHaveLength(51);
    for (const [name, vector] of vectors) {
      const { html } = await renderText(vector, allBuilt);
      const tags = [...html.matchAll(/<([a-z]\w*)/gi)].map(([, tag = '']) => tag);
      expect(
        tags.filter(
          (tag) =>
            !/^(p|a|ul|ol|li|blockquote|em|strong|code|pre|div|span|button|hr|br|del|table|thead|tbody|tr|th|td|figure|figcaption)$/.test(
              tag,
            ),
        ),
        name,
      ).toEqual([]);
      expect(html, name).not.toMatch(/<[^>]*\s(on\w+|src|srcset|style|id|name)=/i);
      for (const [, href = ''] of html.matchAll(/\shref="([^"]*)"/g))
        expect(href, name).toMatch(/^(https:\/\/|\/(?!\/)|#)/);
    }
  });

  test('is rejected with a missing or duplicate anchor, or a prompt without a title', async () => {
    await expect(renderText('## Title', allBuilt)).rejects.toThrow('has no anchor');
    await expect(renderText('## A {#a}\n\n### B {#a}', allBuilt)).rejects.toThrow(
      'the anchor #a is used twice',
    );
    await expect(renderText('```prompt\nJust words\n```', allBuilt)).rejects.toThrow('has no title');
  });

  test('links to existing pages, and shows other links as text', async () => {
    const { html } = await renderText('[Chat](/chat) and [Tools](/tools#all)', (path) => path === '/chat');
    expect(html).toBe('<p><a href="/chat">Chat</a> and Tools</p>\n');
  });
});

describe('a search', () => {
  const find = (search: string) => findArticles(parseBlogQuery(new URLSearchParams(search)));

  test('matches titles and descriptions, ignoring case, combined with the section', () => {
    const { featured, articles } = find('q=GEMINI');
    expect(featured).toBeNull();
    expect(articles.length).toBeGreaterThan(0);
    for (const { title, description } of articles) expect(`${title} ${description}`).toMatch(/gemini/i);
    expect(find('category=opinion').articles.map(({ section }) => section)).toEqual(['Opinion']);
    expect(find('q=gemini&category=opinion').articles).toEqual([]);
  });

  test('without words returns all articles, one of them featured', () => {
    for (const search of ['', 'q=+%00&category=nothing']) {
      const { featured, articles } = find(search);
      expect([featured !== null, articles.length]).toEqual([true, blogOrder.length - 1]);
    }
  });

  test('has a maximum length, and is quoted in the count line', () => {
    expect([...parseBlogQuery(new URLSearchParams({ q: '😀'.repeat(500) })).q]).toHaveLength(100);
    const query = parseBlogQuery(new URLSearchParams('q=x&category=News'));
    expect(countLine({ query, featured: null, articles: [] })).toBe('0 articles in News for “x”');
  });
});

test('an article links its neighbors and three others, without duplicates', async () => {
  for (const { slug } of allArticles()) {
    const page = await openArticle(slug, allBuilt);
    const named = [page?.previous, page?.next, ...(page?.related ?? [])].flatMap(
      (other) => other?.slug ?? [],
    );
    expect(page?.related, slug).toHaveLength(3);
    expect(new Set([slug, ...named]).size, slug).toBe(1 + named.length);
  }
  const first = await openArticle(blogOrder[0], allBuilt);
  expect(first?.previous).toBeNull();
  // Articles that it names come first, in its order.
  expect(first?.article.related.filter((slug) => slug !== first.next?.slug)).toEqual(
    first?.related.map(({ slug }) => slug).filter((slug) => first.article.related.includes(slug)),
  );
  const second = await openArticle(first?.next?.slug ?? '', allBuilt);
  expect(second?.previous?.slug).toBe(blogOrder[0]);
  expect(await openArticle('constructor', allBuilt)).toBeNull();
});

test('X-A26: markup in the title, description, tags and intro is escaped everywhere', () => {
  const hostile = `</script><script>alert(1)</script><!--\u2028\u2029'"&<img src=x onerror=alert(1)>`;
  const article: Article = {
    ...readArticle('x', source({})).article,
    slug: 'what-is-gpt-5',
    title: hostile,
    description: hostile,
    intro: hostile,
    tags: [hostile],
  };
  const text = { html: '', contents: [{ id: 'a', text: hostile }] };
  const data = {
    article,
    text,
    related: [article],
    previous: article,
    next: article,
    publicUrl: 'https://site.test',
  };
  const Stub = createRoutesStub([
    {
      path: '/',
      meta: () => articleMeta(article, 'https://site.test', { width: 1, height: 1 }),
      Component: Meta,
    },
  ]);
  const head = renderToStaticMarkup(<Stub initialEntries={['/']} />);
  const html = head + renderToStaticMarkup(<ArticlePage data={data} />);
  const [open, block = ''] = /<script type="application\/ld\+json">([\s\S]*?)<\/script>/.exec(html) ?? [];
  expect(open).toBeDefined();
  expect(JSON.parse(block)['@graph'][0]).toMatchObject({ headline: hostile, description: hostile });
  expect(block).not.toMatch(/[<>\u2028\u2029]/);
  expect(html.match(/<script/g)).toHaveLength(1);
  expect(html).not.toContain('<img');
  for (const { href } of shareTargets({ url: 'https://site.test/a?b=c&d', title: hostile })) {
    expect(href).toMatch(/^(https:\/\/[\w./-]+|mailto:)\?[\w.%&=*-]+$/);
    expect(decodeURIComponent(href)).toContain('https://site.test/a?b=c&d');
  }
});
