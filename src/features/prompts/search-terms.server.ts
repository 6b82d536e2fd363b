import { promptSynonyms } from '#content/prompts/synonyms.ts';

/** A word as regular expressions of PostgreSQL for texts in lower case. */
export interface SearchTerm {
  /** Where this does not stand, the next two need not be tried. */
  literal: string;
  /** Inside a word where it is all that was typed; else at the beginning of one, as words of a sentence are short. */
  part: string;
  word: string;
  alike: string | null;
}

/** Words of a search that count; the text of one has at most 100 characters. */
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
