import type { MetaDescriptor } from 'react-router';
import { site } from '#content/site.ts';
import { m } from '#messages';
import { pageMeta } from '#shared/page-meta.ts';
import { type Article, articlePath } from '../contract.ts';
import { articleJsonLd } from './article-json-ld.ts';

export const feedLinks = (): MetaDescriptor[] =>
  [
    { type: 'application/rss+xml', name: 'rss', format: 'RSS' },
    { type: 'application/atom+xml', name: 'atom', format: 'Atom' },
  ].map(({ type, name, format }) => ({
    tagName: 'link',
    rel: 'alternate',
    type,
    title: m.blog_feed({ brand: site.name, format }),
    href: `/blog/${name}.xml`,
  }));

export function articleMeta(
  article: Article,
  publicUrl: string,
  size: { width: number; height: number },
): MetaDescriptor[] {
  const { title, description, section, tags, published, updated } = article;
  const path = articlePath(article);
  const image = { path: `${path}/card.png`, ...size, alt: title };
  return [
    ...pageMeta({
      title,
      description,
      path,
      publicUrl,
      image,
      article: { section, tags, published, updated },
      englishOnly: true,
    }),
    ...feedLinks(),
    { 'script:ld+json': articleJsonLd(article, publicUrl, publicUrl + image.path) },
  ];
}
