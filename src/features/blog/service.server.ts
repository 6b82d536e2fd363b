import { blogOrder, featuredArticle } from '#content/blog.ts';
import type { Article, ArticleLink, BlogQuery, OpenArticle } from './contract.ts';
import { readArticle } from './front-matter.server.ts';
import { renderText } from './render-article.server.ts';

const folder = '../../../content/articles/';
const sources = import.meta.glob<string>('../../../content/articles/*.md', {
  query: '?raw',
  import: 'default',
  eager: true,
});

interface Entry {
  article: Article;
  body: string;
}

/** Runs at startup; an invalid article ends the process. */
function readAll(): Map<string, Entry> {
  const slugs = Object.keys(sources).map((path) => path.slice(folder.length, -'.md'.length));
  const unlisted = slugs.filter((slug) => !blogOrder.some((each) => each === slug));
  if (unlisted.length > 0) throw new Error(`content/blog.ts: blogOrder is missing ${unlisted.join(', ')}`);
  const read = blogOrder.map((slug) => {
    const source = sources[`${folder}${slug}.md`];
    if (source === undefined)
      throw new Error(`content/articles/${slug}.md: it is in blogOrder but does not exist`);
    return readArticle(slug, source);
  });
  for (const { article } of read) {
    const unknownSlug = article.related.find((slug) => slug === article.slug || !slugs.includes(slug));
    if (unknownSlug !== undefined)
      throw new Error(
        `content/articles/${article.slug}.md: related lists ${unknownSlug}, which is not another article`,
      );
  }
  // The sort is stable: articles of one day keep the order of the file.
  read.sort((a, b) => b.article.published.localeCompare(a.article.published));
  return new Map(read.map((entry) => [entry.article.slug, entry]));
}

const entries = readAll();

export const allArticles = (): Article[] => [...entries.values()].map(({ article }) => article);

export const blogUpdated = (): string =>
  allArticles()
    .map(({ updated }) => updated)
    .sort()
    .at(-1) ?? '';

export function findArticles({ q, section }: BlogQuery): { featured: Article | null; articles: Article[] } {
  if (q === '' && section === null) {
    const articles = allArticles();
    const featured = articles.find(({ slug }) => slug === featuredArticle) ?? null;
    return { featured, articles: articles.filter((article) => article !== featured) };
  }
  const needle = q.toLowerCase();
  const matches = ({ title, description, section: articleSection }: Article) =>
    (section === null || articleSection === section) &&
    `${title}\n${description}`.toLowerCase().includes(needle);
  return { featured: null, articles: allArticles().filter(matches) };
}

export const articleOf = (slug: string): Article | null => entries.get(slug)?.article ?? null;

const linkTo = (article: Article | undefined): ArticleLink | null =>
  article ? { slug: article.slug, title: article.title } : null;

/**
 * Returns articles that this one names, then others of its section, then any. Leaves out the neighbors, which the page
 * links separately.
 */
function relatedOf(article: Article, neighbors: ReadonlyArray<Article | undefined>): Article[] {
  const others = allArticles().filter((other) => other !== article && !neighbors.includes(other));
  const named = article.related.flatMap((slug) => others.find((other) => other.slug === slug) ?? []);
  const rest = others.filter((other) => !named.includes(other));
  const sameSection = rest.filter(({ section }) => section === article.section);
  return [...new Set([...named, ...sameSection, ...rest])].slice(0, 3);
}

/** @throws Error that names the file, if the article is invalid */
export async function openArticle(
  slug: string,
  isBuilt: (path: string) => boolean,
): Promise<OpenArticle | null> {
  const entry = entries.get(slug);
  if (!entry) return null;
  const { article, body } = entry;
  const all = allArticles();
  const at = all.indexOf(article);
  const text = await renderText(body, isBuilt).catch((error: Error) => {
    throw new Error(`content/articles/${slug}.md: ${error.message}`);
  });
  return {
    article,
    text,
    related: relatedOf(article, [all[at - 1], all[at + 1]]),
    previous: linkTo(all[at - 1]),
    next: linkTo(all[at + 1]),
  };
}
