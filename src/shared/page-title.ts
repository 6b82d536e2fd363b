import { site } from '../../content/site.ts';

/** Longer ones are cut in lists of results. */
const shown = 70;

/** The title of a page as tabs and histories show it, with the site's name where both are seen whole. */
export function pageTitle(title: string): string {
  const full = `${title} · ${site.name}`;
  return full.length <= shown ? full : title;
}
