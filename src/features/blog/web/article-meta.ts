import type { MetaDescriptor } from 'react-router';
import { m } from '#messages';
import { baseLanguage } from '#shared/language-path.ts';
import { pageMeta } from '#shared/page-meta.ts';
import { setting } from '#shared/settings.ts';
import { type Article, articlePath, sectionNames, sectionPath } from '../contract.ts';

/** Search engines assume their own time zone for a date without one; our days start in UTC. */
const dayOf = (date: string) => `${date}T00:00:00Z`;

/** Article by schema.org. The author is the organization, because no person is named. */
function articleJsonLd(article: Article, publicUrl: string, image: string) {
  const url = publicUrl + articlePath(article);
  const organization = {
    '@type': 'Organization',
    name: m.blog_team({ brand: setting('brand.name') }),
    url: `${publicUrl}/blog`,
  };
  const crumb = (position: number, name: string, item: string) => ({
    '@type': 'ListItem',
    position,
    name,
    item,
  });
  return {
    '@context': 'https://schema.org',
    '@graph': [
      {
        '@type': 'BlogPosting',
        '@id': `${url}#article`,
        mainEntityOfPage: url,
        url,
        headline: article.title,
        description: article.description,
        image: [image],
        datePublished: dayOf(article.published),
        dateModified: dayOf(article.updated),
        author: organization,
        publisher: {
          '@type': 'Organization',
          name: setting('brand.name'),
          url: publicUrl,
          logo: { '@type': 'ImageObject', url: `${publicUrl}/icon-512.png`, width: 512, height: 512 },
        },
        articleSection: article.section,
        keywords: article.tags.join(', '),
        wordCount: article.words,
        // Articles are in English, whatever the language of the page around them.
        inLanguage: baseLanguage,
        isAccessibleForFree: true,
      },
      {
        '@type': 'BreadcrumbList',
        itemListElement: [
          crumb(1, m.blog_title(), `${publicUrl}/blog`),
          crumb(2, sectionNames[article.section](), publicUrl + sectionPath(article.section)),
          crumb(3, article.title, url),
        ],
      },
    ],
  };
}

export const feedLinks = (): MetaDescriptor[] =>
  [
    { type: 'application/rss+xml', name: 'rss', format: 'RSS' },
    { type: 'application/atom+xml', name: 'atom', format: 'Atom' },
  ].map(({ type, name, format }) => ({
    tagName: 'link',
    rel: 'alternate',
    type,
    title: m.blog_feed({ brand: setting('brand.name'), format }),
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
      type: 'article',
      englishOnly: true,
    }),
    { property: 'article:published_time', content: published },
    { property: 'article:modified_time', content: updated },
    { property: 'article:section', content: section },
    ...tags.map((content) => ({ property: 'article:tag', content })),
    ...feedLinks(),
    { 'script:ld+json': articleJsonLd(article, publicUrl, publicUrl + image.path) },
  ];
}
