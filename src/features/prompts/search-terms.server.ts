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
const MAX_WORDS = 8;

const escapeRegex = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
const wholeWord = (words: string[]) =>
  `(^|[^[:alnum:]])(${words.map(escapeRegex).join('|')})($|[^[:alnum:]])`;

export const wholeWords = (text: string): string => wholeWord([text.toLowerCase()]);

const numberForms = (word: string): string[] =>
  word.length > 3 && word.endsWith('s') ? [word, word.slice(0, -1)] : [word, `${word}s`];

function relatedWords(word: string): string[] {
  const forms = numberForms(word);
  const groups = promptSynonyms.filter((group) => forms.some((form) => group.includes(form)));
  const all = new Set([...forms, ...groups.flat().flatMap(numberForms)]);
  return [...all].filter((each) => each !== word);
}

export function parseSearchTerms(text: string): SearchTerm[] {
  const words = [...new Set(text.toLowerCase().split(/\s+/).filter(Boolean))].slice(0, MAX_WORDS);
  return words.map((word) => {
    const related = /[\p{L}\p{N}]/u.test(word) ? relatedWords(word) : [];
    const part = words.length > 1 ? `(^|[^[:alnum:]])${escapeRegex(word)}` : escapeRegex(word);
    return {
      literal: word,
      part,
      word: wholeWord([word]),
      alike: related.length > 0 ? wholeWord(related) : null,
    };
  });
}
