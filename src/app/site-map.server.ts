import { pageDates } from '../../content/page-dates.ts';
import { articlePath } from '../features/blog/contract.ts';
import { allArticles, blogUpdated } from '../features/blog/service.server.ts';
import { legalDates } from './pages/legal/documents.server.ts';
import { allPlaces, dashboard, legal } from './shell/places.ts';

/** The groups of the specification, in its order. */
const groups = ['Main Pages', 'Core Features', 'Tools', 'Legal', 'Blog & Use Cases'] as const;
type Group = (typeof groups)[number];

/** A page that search engines are told of. */
export interface MapEntry {
  group: Group;
  path: string;
  name: string;
  /** ISO date of its last change; null where it is not known. */
  updated: string | null;
  /** 0 to 1, as the specification has it. */
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

/** Prices, tools and articles. */
const otherPriority = 0.8;

function groupOf(path: string): Group {
  if (path === '/chat' || path === '/tools') return 'Core Features';
  if (path.startsWith('/tools/')) return 'Tools';
  if (legal.some((place) => place.path === path)) return 'Legal';
  return path.startsWith('/blog') || path === '/use-cases' ? 'Blog & Use Cases' : 'Main Pages';
}

/**
 * Every page that is there for everybody, with its priority and the true day of its last change: the one
 * table behind `/sitemap` and `/sitemap.xml`.
 */
export function siteMap(): MapEntry[] {
  const articles = new Map(allArticles().map((article) => [articlePath(article), article]));
  const dates: Record<string, string> = {
    ...pageDates,
    ...legalDates(),
    '/blog': blogUpdated(),
  };
  return allPlaces
    .filter((place) => place !== dashboard)
    .map(({ path, name }) => ({
      group: groupOf(path),
      path,
      name: articles.get(path)?.title ?? name,
      updated: articles.get(path)?.updated ?? dates[path] ?? null,
      priority: priorities[path] ?? otherPriority,
    }));
}

/** The same by its groups, empty ones left out; the first in each are those that matter most. */
export const siteMapGroups = (): Array<{ name: Group; entries: MapEntry[] }> =>
  groups
    .map((name) => ({
      name,
      entries: siteMap()
        .filter(({ group }) => group === name)
        .sort((one, other) => other.priority - one.priority),
    }))
    .filter(({ entries }) => entries.length > 0);
