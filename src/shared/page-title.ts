import { setting } from '#shared/settings.ts';

/** Characters; search engines cut longer titles. */
const maxTitleLength = 70;

export function pageTitle(title: string): string {
  const full = `${title} · ${setting('brand.name')}`;
  return full.length <= maxTitleLength ? full : title;
}

export const unindexedMeta = (title: string) => [
  { title: pageTitle(title) },
  { name: 'robots', content: 'noindex' },
];
