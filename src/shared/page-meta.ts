import type { MetaDescriptor } from 'react-router';
import { site } from '../../content/site.ts';
import { pageTitle } from './page-title.ts';

interface PageWords {
  /** Without the site's name, which is added. */
  title: string;
  description: string;
  /** Path of the page, the same for every address that shows it. */
  path: string;
  /** From the configuration, without a trailing slash. */
  publicUrl: string;
  /** A social card: its path, size in pixels, and what it shows in words. Without one the icon stands for the page. */
  image?: { path: string; width: number; height: number; alt: string };
  /** Of an article, dates as ISO. */
  article?: { section: string; tags: readonly string[]; published: string; updated: string };
}

/** Title, description, canonical address and social tags of a public page. */
export function pageMeta(words: PageWords): MetaDescriptor[] {
  const { title, description, path, publicUrl, image, article } = words;
  const [full, url] = [pageTitle(title), `${publicUrl}${path}`];
  return [
    { title: full },
    { name: 'description', content: description },
    { tagName: 'link', rel: 'canonical', href: url },
    { property: 'og:type', content: article ? 'article' : 'website' },
    { property: 'og:site_name', content: site.name },
    { property: 'og:title', content: full },
    { property: 'og:description', content: description },
    { property: 'og:url', content: url },
    { name: 'twitter:card', content: image ? 'summary_large_image' : 'summary' },
    ...pictureTags(image ?? icon, publicUrl),
    ...(article ? articleTags(article) : []),
  ];
}

const icon = { path: '/icon-512.png', width: 512, height: 512, alt: site.name };

/** Every page has a picture (ogp.me). */
const pictureTags = ({ path, width, height, alt }: NonNullable<PageWords['image']>, publicUrl: string) => [
  { property: 'og:image', content: `${publicUrl}${path}` },
  { property: 'og:image:width', content: String(width) },
  { property: 'og:image:height', content: String(height) },
  { property: 'og:image:alt', content: alt },
];

/** What the Open Graph protocol has of an article (ogp.me). */
const articleTags = ({ section, tags, published, updated }: NonNullable<PageWords['article']>) => [
  { property: 'article:published_time', content: published },
  { property: 'article:modified_time', content: updated },
  { property: 'article:section', content: section },
  ...tags.map((content) => ({ property: 'article:tag', content })),
];

interface ToolWords extends Omit<PageWords, 'publicUrl' | 'image' | 'article'> {
  /** What a meta function is told of the routes around its own; the root's loader tells the site's address. */
  matches: ReadonlyArray<{ id: string; loaderData?: unknown } | undefined>;
  params: { id?: string };
  /** Title of what of the person's is open. */
  open?: string;
}

/** A page of the app that anybody may open, with all that a public page tells; what is open in it (`params.id`) is for no list. */
export function toolMeta({ matches, params, open, ...words }: ToolWords): MetaDescriptor[] {
  const root = matches.find((match) => match?.id === 'root')?.loaderData;
  if (!params.id) return pageMeta({ ...words, publicUrl: String(Object(root).publicUrl) });
  return [
    { title: pageTitle(open ?? words.title) },
    { name: 'description', content: words.description },
    { name: 'robots', content: 'noindex' },
  ];
}
