const segmenter = new Intl.Segmenter('en', { granularity: 'word' });

/** Fences, marks of headings, lists and quotes, addresses of links and pictures: what Markdown adds to prose. */
const marks = /^\s*(?:```|~~~).*$|^\s{0,3}(?:#{1,6}|>|[-*+]|\d{1,9}[.)])\s|\]\([^()\s]*\)|[*_`~|#]/gm;

/** The words of a text's prose; what Markdown adds to it does not count. Linear in its length. */
export function countWords(text: string): number {
  let words = 0;
  for (const { isWordLike } of segmenter.segment(text.replace(marks, ' '))) if (isWordLike) words++;
  return words;
}
