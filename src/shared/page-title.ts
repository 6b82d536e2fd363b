import { site } from '#content/site.ts';

/** Characters; search engines cut longer titles. */
const shown = 70;

export function pageTitle(title: string): string {
  const full = `${title} · ${site.name}`;
  return full.length <= shown ? full : title;
}
