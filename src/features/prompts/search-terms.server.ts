import { promptSynonyms } from '#content/prompts/synonyms.ts';

/** One word of a search, as PostgreSQL regular expressions for lower-case text. */
export interface SearchTerm {
  /** Text without this string cannot match `part` or `word`, so they are not tried. */
  literal: string;
  /**
   * Matches inside words if it is the only word; otherwise only at the start of words, because the words of a sentence
   * can be short.
   */
  part: string;
  word: string;
  alike: string | null;
}

/** How many words of a search are used; its text has at most 100 characters. */
const WORDS = 8;

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
const wholeWord = (words: string[]) => `(^|[^[:alnum:]])(${words.map(escaped).join('|')})($|[^[:alnum:]])`;

export const wholeWords = (text: string): string => wholeWord([text.toLowerCase()]);

const numbersOf = (word: string): string[] =>
  word.length > 3 && word.endsWith('s') ? [word, word.slice(0, -1)] : [word, `${word}s`];

function inflectionsOf(word: string): string[] {
  const forms = numbersOf(word);
  const groups = promptSynonyms.filter((group) => forms.some((form) => group.includes(form)));
  const all = new Set([...forms, ...groups.flat().flatMap(numbersOf)]);
  return [...all].filter((each) => each !== word);
}

export function parseSearchTerms(text: string): SearchTerm[] {
  const words = [...new Set(text.toLowerCase().split(/\s+/).filter(Boolean))].slice(0, WORDS);
  return words.map((word) => {
    const alike = /[\p{L}\p{N}]/u.test(word) ? inflectionsOf(word) : [];
    const part = words.length > 1 ? `(^|[^[:alnum:]])${escaped(word)}` : escaped(word);
    return {
      literal: word,
      part,
      word: wholeWord([word]),
      alike: alike.length > 0 ? wholeWord(alike) : null,
    };
  });
}
