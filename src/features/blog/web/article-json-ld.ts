import { site } from '#content/site.ts';
import { m } from '#messages';
import { type Article, articlePath, sectionNames, sectionPath } from '../contract.ts';

/** Search engines take a time zone of their own for a date without one; our days begin in UTC. */
const dayOf = (date: string) => `${date}T00:00:00Z`;

/** By schema.org. The author is the house, no invented person. */
export function articleJsonLd(article: Article, publicUrl: string, image: string) {
  const url = publicUrl + articlePath(article);
  const house = {
    '@type': 'Organization',
    name: m.blog_team({ brand: site.name }),
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
        author: house,
        publisher: {
          '@type': 'Organization',
          name: site.name,
          url: publicUrl,
          logo: { '@type': 'ImageObject', url: `${publicUrl}/icon-512.png`, width: 512, height: 512 },
        },
        articleSection: article.section,
        keywords: article.tags.join(', '),
        wordCount: article.words,
        inLanguage: 'en-US',
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
