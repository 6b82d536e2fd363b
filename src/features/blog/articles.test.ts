import { describe, expect, test } from 'vitest';
import { allPages } from '#app/shell/site-pages.ts';
import { type Article, articlePath } from './contract.ts';
import { readArticle } from './front-matter.server.ts';
import { renderText } from './render-article.server.ts';
import { allArticles } from './service.server.ts';

const sources = import.meta.glob<string>('../../../content/articles/*.md', {
  query: '?raw',
  import: 'default',
  eager: true,
});
const texts = await Promise.all(
  allArticles().map(async (article) => {
    const { body } = readArticle(article.slug, sources[`../../../content/articles/${article.slug}.md`] ?? '');
    // Pretend that every page of the specification exists, because other links become text.
    return {
      article,
      body,
      ...(await renderText(body, (path) => allPages.some((page) => page.path === path))),
    };
  }),
);
const anchors = new Map(
  texts.map(({ article, html }) => [
    articlePath(article),
    [...html.matchAll(/<h\d id="([^"]+)"/g)].map(([, id]) => id),
  ]),
);
const checkEach = <T>(check: (entry: (typeof texts)[number]) => T) =>
  Object.fromEntries(texts.map((entry) => [entry.article.slug, check(entry)]));
const expectNoProblems = (problems: Record<string, string[]>) =>
  expect(Object.fromEntries(Object.entries(problems).filter(([, found]) => found.length > 0))).toEqual({});

const proseOf = (body: string) => body.replace(/^```[\s\S]*?^```$/gm, '').replace(/\n## Sources[\s\S]*$/, '');

describe('the articles', () => {
  test('have 1,200 to 4,500 words each, and unique titles, descriptions and intros', () => {
    for (const { article } of texts) {
      expect(article.words, article.slug).toBeGreaterThanOrEqual(1_200);
      expect(article.words, article.slug).toBeLessThanOrEqual(4_500);
    }
    for (const key of ['title', 'description', 'intro'] as const satisfies Array<keyof Article>)
      expect(new Set(texts.map(({ article }) => article[key])).size).toBe(texts.length);
  });

  test('have headings that descend one level at a time, and end with their sources', () => {
    expectNoProblems(
      checkEach(({ html, contents }) => {
        const levels = [...html.matchAll(/<h(\d)/g)].map(([, level]) => Number(level));
        const jumps = levels.filter((level, at) => level < 2 || level > (levels[at - 1] ?? 1) + 1);
        // Text that the model is told to write has no external source.
        const sourced = contents.at(-1)?.id === 'sources' || !/https:\/\//.test(html);
        return [...jumps.map((level) => `h${level}`), ...(sourced ? [] : ['no sources at the end'])];
      }),
    );
  });

  test('list every source they link, each once and marked as read, not opened or secondary', () => {
    expectNoProblems(
      checkEach(({ body }) => {
        const [, list = ''] = body.split('\n## Sources {#sources}\n');
        const entries = list.split('\n').filter((line) => line.startsWith('- '));
        const marked =
          /^- \[[^\]]+\]\((https:[^)\s]+)\) \((?:read|abstract read|not opened;|secondary)(?![a-z]).*\)$/;
        const listed = entries.map((entry) => entry.match(marked)?.[1] ?? '');
        const linked = [...proseOf(body).matchAll(/\]\((https:[^)\s]+)\)/g)].map(([, href = '']) => href);
        return [
          ...entries.filter((_, at) => listed[at] === ''),
          ...linked.filter((href) => !listed.includes(href)),
          ...listed.filter(
            (href, at) => href !== '' && (listed.indexOf(href) !== at || !linked.includes(href)),
          ),
        ];
      }),
    );
  });

  test('link only to existing pages and headings, and to other sites by HTTPS', () => {
    const known = new Set(['/chat/new', ...allPages.map(({ path }) => path)]);
    expectNoProblems(
      checkEach(({ article, body, html }) => {
        const written = [...body.replace(/^```[\s\S]*?^```$/gm, '').matchAll(/\]\(([^)\s]+)\)/g)].map(
          ([, href = '']) => href,
        );
        const rendered = [...html.matchAll(/<a (?:class="heading-link" )?href="([^"]+)"/g)].map(
          ([, href = '']) => href,
        );
        return [...written, ...rendered].filter((href) => {
          if (/^https:\/\/[\w-]+\.[\w.-]+/.test(href)) return false;
          const [path = '', anchor] = href.split('#');
          if (path !== '' && !known.has(path)) return true;
          const ids = anchors.get(path || articlePath(article));
          return anchor !== undefined && ids !== undefined && !ids.includes(anchor);
        });
      }),
    );
  });

  test('name every column of their tables', () => {
    expectNoProblems(
      checkEach(({ html }) => [...html.matchAll(/<th[^>]*>\s*<\/th>/g)].map(([cell]) => cell)),
    );
  });

  test('keep the anchors of the specification in the prompt guide', () => {
    const guide = anchors.get('/blog/prompt-engineering-guide');
    expect(guide).toContain('fundamentals');
    expect(guide?.some((id) => id?.startsWith('advanced-'))).toBe(true);
  });

  test('share no paragraphs, and date the figures that they state', () => {
    const owners = new Map<string, string>();
    expectNoProblems(
      checkEach(({ article, body }) => {
        const prose = proseOf(body);
        const paragraphs = prose
          .split(/\n{2,}/)
          .map((text) =>
            text
              .toLowerCase()
              .replace(/[^\p{L}\p{N}]+/gu, ' ')
              .trim(),
          )
          .filter((text) => text.length > 60);
        const duplicates = paragraphs.filter((text) => owners.has(text));
        for (const text of paragraphs) owners.set(text, article.slug);
        const dated = !/[$%]|\d,\d{3}/.test(prose) || /\bas of\b|\bread (it )?in\b|20\d\d/i.test(prose);
        return [...duplicates, ...(dated ? [] : ['states figures without a date'])];
      }),
    );
    expectNoProblems(checkEach(({ body }) => (/\bas of\b/i.test(body) ? [] : ['never says as of'])));
  });

  test('contain no exclamation marks or long dashes', () => {
    expectNoProblems(
      checkEach(({ body }) => proseOf(body).match(/[^`"!\n]*(?:[\p{L}]!(?!=)|—)[^\n]{0,20}/gu) ?? []),
    );
  });

  test('contain fifty prompts in ten groups in the article that promises them', () => {
    const { html } = texts.find(({ article }) => article.slug === '50-gpt-5-prompts') ?? { html: '' };
    const groups = html.split('<h2').map((part) => part.match(/class="article-prompt"/g)?.length ?? 0);
    expect(groups.filter((count) => count === 5)).toHaveLength(10);
    expect(groups.reduce((sum, count) => sum + count, 0)).toBe(50);
    const titles = [...html.matchAll(/<figcaption>.*?<b>(.*?)<\/b>/g)].map(([, title]) => title);
    expect(new Set(titles).size).toBe(50);
  });
});
