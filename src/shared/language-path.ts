import { type Locale, locale, locales } from '#messages';

/** Its addresses have no prefix; search engines use them for languages that we don't have. */
export const baseLanguage: Locale = 'en';

export const toLocale = (tag: string | null | undefined): Locale | null =>
  locales.find((known) => known === tag) ?? null;

const prefixOf = (language: Locale): string => (language === baseLanguage ? '' : `/${language}`);

export function splitLanguage(path: string): { language: Locale | null; path: string } {
  const language = toLocale(path.split('/', 2)[1]);
  const prefix = language ? prefixOf(language) : '';
  return prefix === '' ? { language: null, path } : { language, path: path.slice(prefix.length) || '/' };
}

/** Translations of a page for <link rel="alternate"> and sitemaps; empty if there is only one language. */
export function alternates(path: string): { language: string; path: string }[] {
  if (locales.length === 1) return [];
  const translations = locales.map((language) => ({ language, path: localizedPath(path, language) }));
  return [...translations, { language: 'x-default', path }];
}

export function localizedPath(path: string, language = locale()): string {
  const prefix = prefixOf(language);
  return prefix !== '' && path === '/' ? prefix : prefix + path;
}

/** Includes languages for which a catalogue may be added. */
const RIGHT_TO_LEFT = ['ar', 'fa', 'he', 'ur'];

export const textDirection = (language: Locale): 'ltr' | 'rtl' =>
  RIGHT_TO_LEFT.includes(language.split('-')[0] ?? '') ? 'rtl' : 'ltr';
