import { type Locale, locale, locales } from '#messages';

/** The language of addresses without one in front, which search engines are given for those of no language of ours. */
export const baseLanguage: Locale = 'en';

/** A language tag as one of ours; null for any other text. */
export const toLocale = (tag: string | null | undefined): Locale | null =>
  locales.find((known) => known === tag) ?? null;

/** What stands in front of a page's path in a language: `/de`; nothing for the base language. */
const prefixOf = (language: Locale): string => (language === baseLanguage ? '' : `/${language}`);

/** The language in front of a path, null for none, and the path of the page without it. */
export function splitLanguage(path: string): { language: Locale | null; path: string } {
  const language = toLocale(path.split('/', 2)[1]);
  const prefix = language ? prefixOf(language) : '';
  return prefix === '' ? { language: null, path } : { language, path: path.slice(prefix.length) || '/' };
}

/** The addresses of one page in all languages, for <link rel="alternate"> and site maps; none where there is one language. */
export function alternates(path: string): { language: string; path: string }[] {
  if (locales.length === 1) return [];
  const each = locales.map((language) => ({ language, path: localizedPath(path, language) }));
  return [...each, { language: 'x-default', path }];
}

/** A page's address in a language, that of the page at hand if none is named. */
export function localizedPath(path: string, language = locale()): string {
  const prefix = prefixOf(language);
  return prefix !== '' && path === '/' ? prefix : prefix + path;
}

/** Scripts that are written from right to left, of the languages that a catalogue may be added for. */
const RIGHT_TO_LEFT = ['ar', 'fa', 'he', 'ur'];

/** For `dir` of a document. */
export const textDirection = (language: Locale): 'ltr' | 'rtl' =>
  RIGHT_TO_LEFT.includes(language.split('-')[0] ?? '') ? 'rtl' : 'ltr';
