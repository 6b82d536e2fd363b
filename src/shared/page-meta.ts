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
  /** A social card: its path, size in pixels, and what it shows in words. */
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
    ...(image
      ? [
          { property: 'og:image', content: `${publicUrl}${image.path}` },
          { property: 'og:image:width', content: String(image.width) },
          { property: 'og:image:height', content: String(image.height) },
          { property: 'og:image:alt', content: image.alt },
        ]
      : []),
    ...(article ? articleTags(article) : []),
  ];
}

/** What the Open Graph protocol has of an article (ogp.me). */
const articleTags = ({ section, tags, published, updated }: NonNullable<PageWords['article']>) => [
  { property: 'article:published_time', content: published },
  { property: 'article:modified_time', content: updated },
  { property: 'article:section', content: section },
  ...tags.map((content) => ({ property: 'article:tag', content })),
];
