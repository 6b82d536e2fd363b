/**
 * The day on which the words of a page last changed, as `/sitemap` and `/sitemap.xml` tell it: to be changed with
 * them. The tools have theirs in
 * `src/app/pages/tools/tool-entries.ts`, articles and legal texts in their front matter; the blog's is that of its latest article.
 */
export const pageDates: Readonly<Record<string, string>> = {
  '/': '2026-11-22',
  '/chat': '2026-11-21',
  '/pricing': '2026-11-22',
  '/tools': '2026-11-22',
  '/about': '2026-11-22',
  '/contact': '2026-11-22',
  '/use-cases': '2026-11-22',
  '/sitemap': '2026-11-22',
};
