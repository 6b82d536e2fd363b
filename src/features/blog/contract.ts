export const sections = ['Guides', 'Comparisons', 'News', 'Business', 'Opinion'] as const;
export type Section = (typeof sections)[number];

/** What is known of an article beside its text. */
export interface Article {
  slug: string;
  title: string;
  description: string;
  /** One or two sentences below the title. */
  intro: string;
  section: Section;
  tags: string[];
  /** ISO dates. */
  published: string;
  updated: string;
  /** Slugs of three others. */
  related: string[];
  opinion: boolean;
  /** As a reader counts them, prompts too, program code not. */
  words: number;
}

/** An article as other pages name it. */
export type ArticleLink = Pick<Article, 'slug' | 'title'>;

/** A heading of the second level. */
export interface Heading {
  id: string;
  text: string;
}

/** The text of an article as HTML without scripts, and its contents. */
export interface ArticleText {
  html: string;
  contents: Heading[];
}

/** What of a search the address holds. */
export interface BlogQuery {
  q: string;
  section: Section | null;
}

/** Characters of a search that count. */
export const blogSearchLength = 100;

/** Words that an adult reads a minute, silently and in English: Brysbaert 2019 finds 238 for non-fiction. */
const WORDS_A_MINUTE = 238;

/** Minutes that a text takes to read, at least one. */
export const minutesFor = (words: number): number => Math.max(1, Math.round(words / WORDS_A_MINUTE));

export const articlePath = ({ slug }: Pick<Article, 'slug'>): string => `/blog/${slug}`;

/** A section as the address names it: `guides`. */
export const sectionKey = (section: Section): string => section.toLowerCase();

export const sectionPath = (section: Section): string => blogPath({ q: '', section });

/** The address of a search of the blog, without what it does not ask for. */
export function blogPath({ q, section }: BlogQuery): string {
  const search = new URLSearchParams();
  if (q !== '') search.set('q', q);
  if (section) search.set('category', sectionKey(section));
  return search.size > 0 ? `/blog?${search}` : '/blog';
}

/** The search that an address asks for; what is unknown counts as absent. */
export function blogQueryOf(search: URLSearchParams): BlogQuery {
  const q = (search.get('q') ?? '').replace(/\p{Cc}+/gu, ' ').trim();
  const category = search.get('category')?.toLowerCase();
  return {
    q: [...q].slice(0, blogSearchLength).join('').toWellFormed(),
    section: sections.find((section) => sectionKey(section) === category) ?? null,
  };
}
