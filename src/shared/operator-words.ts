import type { Words } from '#content/site.ts';
import { locale } from '#messages';

/** Returns the operator's text in the reader's language. */
export const localizedWords = (words: Words): string =>
  typeof words === 'string' ? words : (words[locale()] ?? words.en);
