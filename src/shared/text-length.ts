import { m } from '#messages';
import { unspacedLetter } from './unspaced-scripts.ts';

const letterOrDigit = /[\p{L}\p{N}]/u;

let segmenter: Intl.Segmenter | undefined;
/** Made when it is needed: it reads dictionaries for some 20 ms. */
const wordSegmenter = () => (segmenter ??= new Intl.Segmenter('en', { granularity: 'word' }));

function wordsOf(text: string): number {
  const pieces = text.split(/\s+/).filter((piece) => letterOrDigit.test(piece));
  const unspaced = pieces.filter((piece) => unspacedLetter.test(piece));
  let words = pieces.length - unspaced.length;
  if (unspaced.length === 0) return words;
  // At once: a call for each would take eight times as long.
  for (const { isWordLike } of wordSegmenter().segment(unspaced.join(' '))) if (isWordLike) words++;
  return words;
}

function prose(markdown: string): string {
  const lines: string[] = [];
  let fence = '';
  for (const line of markdown.split('\n')) {
    const mark = /^[ \t>]*(`{3,}|~{3,})/.exec(line)?.[1] ?? '';
    if (fence) {
      if (mark.startsWith(fence) && line.trim() === mark) fence = '';
    } else if (mark) fence = mark;
    else if (!/^ {0,3}\[[^\]]{1,999}\]:\s*\S/.test(line))
      lines.push(line.replace(/^[ \t>]*\d{1,9}[.)](?=\s)/, ''));
  }
  return lines
    .join('\n')
    .replace(/\]\([^()\s]{0,2000}(?:\s+"[^"\n]{0,500}")?\)/g, ']')
    .replaceAll('|', ' ');
}

export interface TextLength {
  words: number;
  /** Of a text whose readers count these, as Chinese and Japanese ones do; null for another. */
  characters: number | null;
}

/** About as much is said in so many as in a word of English. */
const CHARACTERS_A_WORD = 2;

const chineseOrJapanese = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー]/gu;
/** Signs that Markdown is written with, blanks, and what joins a sign to the one before it. */
const uncounted = /[\s!-/:-@[-`{-~\p{Cc}\p{Cf}\p{M}]/gu;

const signs = (text: string) => text.match(/./gsu)?.length ?? 0;

/**
 * Of a Markdown text: words are what stands between blanks and has a letter or a digit, or what the segmenter takes for
 * one. A text that says more in Chinese and Japanese signs than in other words is measured in characters. Marks, addresses of links and code blocks do not count.
 */
export function textLength(markdown: string): TextLength {
  const text = prose(markdown);
  const words = wordsOf(text);
  const own = text.match(chineseOrJapanese)?.length ?? 0;
  if (own === 0) return { words, characters: null };
  const others = text
    .replace(chineseOrJapanese, ' ')
    .split(/\s+/)
    .filter((piece) => letterOrDigit.test(piece));
  const characters = own > CHARACTERS_A_WORD * others.length ? signs(text.replace(uncounted, '')) : null;
  return { words, characters };
}

/** In the unit that the text is measured in. */
export const sizeOf = ({ words, characters }: TextLength): number => characters ?? words;

/** So many words as the length of a text like this one. */
export const asLengthOf = ({ characters }: TextLength, words: number): TextLength => ({
  words,
  characters: characters === null ? null : words * CHARACTERS_A_WORD,
});

export const formatTextLength = ({ words, characters }: TextLength): string =>
  characters === null ? m.common_words({ count: words }) : m.common_characters({ count: characters });
