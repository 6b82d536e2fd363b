import { cutText } from './clean-text.ts';

export interface TextSegment {
  text: string;
  hit: boolean;
}

/** PostgreSQL refuses NUL and lone surrogates. */
export function cleanQuery(text: string, length: number): string {
  return cutText(text.replaceAll('\0', ' ').trim(), length).toWellFormed().trim();
}

const escapePattern = (text: string) => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

export function highlightWords(text: string, words: string[]): TextSegment[] {
  if (words.length === 0) return text === '' ? [] : [{ text, hit: false }];
  const pattern = new RegExp(`(${words.map(escapePattern).join('|')})`, 'giu');
  return text
    .split(pattern)
    .map((piece, index) => ({ text: piece, hit: index % 2 === 1 }))
    .filter((piece) => piece.text !== '');
}

const marks = /`{1,3}|\*{2,3}|\|(?:[-:| ]+\|)?|(?:^|\n)#{1,6} /g;

/** Removes Markdown markup. */
export const inOneLine = (pieces: TextSegment[]): TextSegment[] =>
  pieces.map(({ text, hit }) => ({
    text: (hit ? text : text.replace(marks, ' ')).replace(/\s+/g, ' '),
    hit,
  }));
