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
}

/** Title, description, canonical address and social tags of a public page. */
export function pageMeta({ title, description, path, publicUrl, image }: PageWords): MetaDescriptor[] {
  const [full, url] = [pageTitle(title), `${publicUrl}${path}`];
  return [
    { title: full },
    { name: 'description', content: description },
    { tagName: 'link', rel: 'canonical', href: url },
    { property: 'og:type', content: 'website' },
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
  ];
}
