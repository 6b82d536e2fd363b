import { unspacedLetter } from './unspaced-scripts.ts';

const segmenter = new Intl.Segmenter('en', { granularity: 'word' });
const letterOrDigit = /[\p{L}\p{N}]/u;

function wordsIn(piece: string): number {
  if (!letterOrDigit.test(piece)) return 0;
  if (!unspacedLetter.test(piece)) return 1;
  let words = 0;
  for (const { isWordLike } of segmenter.segment(piece)) if (isWordLike) words++;
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

/**
 * As a reader counts: by blanks, in scripts without blanks by the segmenter. Marks, addresses of links and code blocks
 * do not count.
 */
export function countWords(markdown: string): number {
  let words = 0;
  for (const piece of prose(markdown).split(/\s+/)) words += wordsIn(piece);
  return words;
}
