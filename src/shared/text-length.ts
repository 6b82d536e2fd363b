import { m } from '#messages';
import { unspacedLetter } from './unspaced-scripts.ts';

const letterOrDigit = /[\p{L}\p{N}]/u;

let segmenter: Intl.Segmenter | undefined;
/** Created lazily, because loading its dictionaries takes about 20 ms. */
const wordSegmenter = () => (segmenter ??= new Intl.Segmenter('en', { granularity: 'word' }));

function countWords(text: string): number {
  const pieces = text.split(/\s+/).filter((piece) => letterOrDigit.test(piece));
  const unspaced = pieces.filter((piece) => unspacedLetter.test(piece));
  let words = pieces.length - unspaced.length;
  if (unspaced.length === 0) return words;
  // One call, because one per piece would take eight times as long.
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
  /** Null unless readers measure the text in characters, as in Chinese and Japanese. */
  characters: number | null;
}

/** About how many characters say as much as one English word. */
const CHARACTERS_PER_WORD = 2;

const chineseOrJapanese = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}ー]/gu;
/** Markdown punctuation, whitespace, and combining characters. */
const uncounted = /[\s!-/:-@[-`{-~\p{Cc}\p{Cf}\p{M}]/gu;

const countCharacters = (text: string) => text.match(/./gsu)?.length ?? 0;

/**
 * Measures a Markdown text. A word has a letter or digit and is separated by spaces or by the segmenter. Text with more
 * Chinese and Japanese content than other words is measured in characters. Markup, link addresses and code blocks don't
 * count.
 */
export function textLength(markdown: string): TextLength {
  const text = prose(markdown);
  const words = countWords(text);
  const cjkCharacters = text.match(chineseOrJapanese)?.length ?? 0;
  if (cjkCharacters === 0) return { words, characters: null };
  const otherWords = text
    .replace(chineseOrJapanese, ' ')
    .split(/\s+/)
    .filter((piece) => letterOrDigit.test(piece));
  const characters =
    cjkCharacters > CHARACTERS_PER_WORD * otherWords.length
      ? countCharacters(text.replace(uncounted, ''))
      : null;
  return { words, characters };
}

/** Returns the length in the unit of the text. */
export const sizeOf = ({ words, characters }: TextLength): number => characters ?? words;

/** Converts a number of words to the length of a text like this one. */
export const asLengthOf = ({ characters }: TextLength, words: number): TextLength => ({
  words,
  characters: characters === null ? null : words * CHARACTERS_PER_WORD,
});

export const formatTextLength = ({ words, characters }: TextLength): string =>
  characters === null ? m.common_words({ count: words }) : m.common_characters({ count: characters });
