import { site } from '#content/site.ts';

/** Longer ones are cut in lists of results. */
const shown = 70;

export function pageTitle(title: string): string {
  const full = `${title} · ${site.name}`;
  return full.length <= shown ? full : title;
}
