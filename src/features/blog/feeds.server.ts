import { m } from '#messages';
import { config } from '#platform/config/config.server.ts';
import { escapeXml } from '#shared/escape-xml.ts';
import { setting } from '#shared/settings.ts';
import { articlePath } from './contract.ts';
import { allArticles, blogUpdated } from './service.server.ts';

const element = (name: string, text: string) => `<${name}>${escapeXml(text)}</${name}>`;

/** RFC 822, midnight UTC. */
const rssDate = (iso: string) => new Date(iso).toUTCString();
const atomDate = (iso: string) => `${iso}T00:00:00Z`;

export function rss(): string {
  const { publicUrl } = config();
  const items = allArticles().map((article) => {
    const url = publicUrl + articlePath(article);
    return [
      '<item>',
      element('title', article.title),
      element('link', url),
      element('guid', url),
      element('pubDate', rssDate(article.published)),
      ...[article.section, ...article.tags].map((name) => element('category', name)),
      element('description', `${article.intro} ${article.description}`),
      '</item>',
    ].join('');
  });
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"><channel>',
    element('title', m.blog_feed_title({ brand: setting('brand.name') })),
    element('link', `${publicUrl}/blog`),
    element('description', m.blog_feed_subtitle()),
    element('language', 'en-us'),
    element('lastBuildDate', rssDate(blogUpdated())),
    `<atom:link href="${escapeXml(publicUrl)}/blog/rss.xml" rel="self" type="application/rss+xml"/>`,
    ...items,
    '</channel></rss>',
    '',
  ].join('\n');
}

/** RFC 4287. */
export function atom(): string {
  const { publicUrl } = config();
  const base = escapeXml(publicUrl);
  const entries = allArticles().map((article) => {
    const url = publicUrl + articlePath(article);
    return [
      '<entry>',
      element('title', article.title),
      element('id', url),
      `<link rel="alternate" type="text/html" href="${escapeXml(url)}"/>`,
      element('published', atomDate(article.published)),
      element('updated', atomDate(article.updated)),
      ...[article.section, ...article.tags].map((name) => `<category term="${escapeXml(name)}"/>`),
      element('summary', `${article.intro} ${article.description}`),
      '</entry>',
    ].join('');
  });
  return [
    '<?xml version="1.0" encoding="utf-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en-US">',
    element('title', m.blog_feed_title({ brand: setting('brand.name') })),
    element('subtitle', m.blog_feed_subtitle()),
    element('id', `${publicUrl}/blog`),
    `<link rel="alternate" type="text/html" href="${base}/blog"/>`,
    `<link rel="self" type="application/atom+xml" href="${base}/blog/atom.xml"/>`,
    element('updated', atomDate(blogUpdated())),
    `<author>${element('name', m.blog_team({ brand: setting('brand.name') }))}</author>`,
    ...entries,
    '</feed>',
    '',
  ].join('\n');
}
