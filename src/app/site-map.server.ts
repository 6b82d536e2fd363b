import { pageDates } from '#content/page-dates.ts';
import { articlePath } from '#features/blog/contract.ts';
import { allArticles, blogUpdated } from '#features/blog/service.server.ts';
import { m } from '#messages';
import { legalDates } from './pages/legal/legal-pages.server.ts';
import { toolEntries } from './pages/tools/tool-entries.ts';
import { allPages, dashboard, isOffered, legal } from './shell/site-pages.ts';

const groups = {
  main: m.sitemap_main,
  core: m.sitemap_core,
  tools: m.sitemap_tools,
  legal: m.sitemap_legal,
  blog: m.sitemap_blog,
};
type Group = keyof typeof groups;

export interface MapEntry {
  group: Group;
  path: string;
  name: string;
  /** The language of `name`, if it differs from the page's. */
  lang?: 'en';
  updated: string | null;
  /** 0 to 1 (sitemaps.org). */
  priority: number;
}

const priorities: Readonly<Record<string, number>> = {
  '/': 1,
  '/chat': 0.9,
  '/tools': 0.9,
  '/blog': 0.9,
  '/about': 0.7,
  '/contact': 0.7,
  '/use-cases': 0.7,
  '/sitemap': 0.5,
  '/privacy': 0.5,
  '/terms': 0.5,
  '/cookies': 0.5,
};

const otherPriority = 0.8;

function groupOf(path: string): Group {
  if (path === '/chat' || path === '/tools') return 'core';
  if (path.startsWith('/tools/')) return 'tools';
  if (legal.some((page) => page.path === path)) return 'legal';
  return path.startsWith('/blog') || path === '/use-cases' ? 'blog' : 'main';
}

export const isEnglishOnly = (path: string): boolean =>
  path.startsWith('/blog/') || legal.some((page) => page.path === path);

/** Returns the pages listed in both `/sitemap` and `/sitemap.xml`. */
export function siteMap(): MapEntry[] {
  const articles = new Map(allArticles().map((article) => [articlePath(article), article]));
  const dates: Record<string, string> = {
    ...pageDates,
    ...Object.fromEntries(toolEntries().map((tool) => [tool.path, tool.updated])),
    ...legalDates(),
    '/blog': blogUpdated(),
  };
  return allPages
    .filter((page) => page !== dashboard && isOffered(page.path))
    .map(({ path, name }) => ({
      group: groupOf(path),
      path,
      name: articles.get(path)?.title ?? name(),
      ...(articles.has(path) ? { lang: 'en' as const } : {}),
      updated: articles.get(path)?.updated ?? dates[path] ?? null,
      priority: priorities[path] ?? otherPriority,
    }));
}

export const siteMapGroups = (): Array<{ id: Group; name: string; entries: MapEntry[] }> =>
  (Object.keys(groups) as Group[])
    .map((id) => ({
      id,
      name: groups[id](),
      entries: siteMap()
        .filter(({ group }) => group === id)
        .sort((one, other) => other.priority - one.priority),
    }))
    .filter(({ entries }) => entries.length > 0);
