import { m } from '#messages';

export const sections = ['Guides', 'Comparisons', 'News', 'Business', 'Opinion'] as const;
type Section = (typeof sections)[number];

export const sectionNames = {
  Guides: m.blog_guides,
  Comparisons: m.blog_comparisons,
  News: m.blog_news,
  Business: m.blog_business,
  Opinion: m.blog_opinion,
} as const satisfies Record<Section, () => string>;

export interface Article {
  slug: string;
  title: string;
  description: string;
  intro: string;
  section: Section;
  tags: string[];
  published: string;
  updated: string;
  related: string[];
  opinion: boolean;
  /** Includes prompts but not program code. */
  words: number;
}

export type ArticleLink = Pick<Article, 'slug' | 'title'>;

export interface Heading {
  id: string;
  text: string;
}

export interface ArticleText {
  html: string;
  contents: Heading[];
}

export interface OpenArticle {
  article: Article;
  text: ArticleText;
  related: Article[];
  previous: ArticleLink | null;
  next: ArticleLink | null;
}

export interface BlogQuery {
  q: string;
  section: Section | null;
}

export const blogSearchLength = 100;

/** Silent reading in English: Brysbaert 2019 finds 238 words per minute for non-fiction. */
const WORDS_PER_MINUTE = 238;

export const minutesFor = (words: number): number => Math.max(1, Math.round(words / WORDS_PER_MINUTE));

export const articlePath = ({ slug }: Pick<Article, 'slug'>): string => `/blog/${slug}`;

export const sectionKey = (section: Section): string => section.toLowerCase();

export const sectionPath = (section: Section): string => blogPath({ q: '', section });

export function blogPath({ q, section }: BlogQuery): string {
  const search = new URLSearchParams();
  if (q !== '') search.set('q', q);
  if (section) search.set('category', sectionKey(section));
  return search.size > 0 ? `/blog?${search}` : '/blog';
}

export function parseBlogQuery(search: URLSearchParams): BlogQuery {
  const q = (search.get('q') ?? '').replace(/\p{Cc}+/gu, ' ').trim();
  const category = search.get('category')?.toLowerCase();
  return {
    q: [...q].slice(0, blogSearchLength).join('').toWellFormed(),
    section: sections.find((section) => sectionKey(section) === category) ?? null,
  };
}
