const MAX_CHARS = 40_000;
const segmenterBy = (granularity: 'word' | 'sentence') => new Intl.Segmenter('en', { granularity });

const COMMON = new Set(
  `a about above after again all also am an and any are as at be because been before being below between both but by
  can could did do does doing done down during each few for from further get give had has have having he her here hers
  him his how i if in into is it its itself just let like make many may me might more most much must my need no nor not
  now of off on once one only or other our out over own please same say see shall she should so some such tell than that
  the their them then there these they this those through to too under until up us use very want was we were what when
  where which while who whom why will with without would write yes you your`.split(/\s+/),
);

interface WordCount {
  word: string;
  count: number;
}

export interface Sentence {
  text: string;
  /** Page from the last "Page 3" line before it, or null. */
  page: number | null;
}

/** Returns the text between the lines that mark a document as data; null when there are none. */
export const framedText = (text: string): string | null =>
  /^-{3,} begin of .*?-{3,}\n([\s\S]*?)\n-{3,} end of /m.exec(text)?.[1] ?? null;

/** Returns the words of a text without links and Markdown characters. */
export function wordsOf(text: string): string[] {
  const plain = text.slice(0, MAX_CHARS).replace(/https?:\/\/\S+|[`*_#]+/g, ' ');
  return [...segmenterBy('word').segment(plain)]
    .filter((part) => part.isWordLike)
    .map((part) => part.segment);
}

export function isContentWord(word: string): boolean {
  return (word.length > 1 || /\p{Lo}/u.test(word)) && !COMMON.has(word.toLowerCase());
}

export function mainWords(text: string, limit: number): WordCount[] {
  const counts = new Map<string, WordCount>();
  for (const word of wordsOf(text).filter(isContentWord)) {
    const known = counts.get(word.toLowerCase());
    if (known) known.count += 1;
    else counts.set(word.toLowerCase(), { word, count: 1 });
  }
  return [...counts.values()].sort((a, b) => b.count - a.count).slice(0, limit);
}

export function sentencesOf(text: string): Sentence[] {
  const found: Sentence[] = [];
  const sentences = segmenterBy('sentence');
  let page: number | null = null;
  for (const line of text.slice(0, MAX_CHARS).split(/\r?\n/)) {
    const mark = /^\W*page\s+(\d{1,5})\b.{0,12}$/i.exec(line);
    if (mark) page = Number(mark[1]);
    else
      for (const { segment } of sentences.segment(line)) {
        const sentence = segment.replace(/\s+/g, ' ').trim();
        if (sentence.length > 2) found.push({ text: sentence, page });
      }
  }
  return found;
}

/** Sorts sentences by the average frequency of their words; words of `focus` count four times. */
export function ranked(sentences: Sentence[], focus = ''): Sentence[] {
  const all = sentences.map(({ text }) => text).join(' ');
  const weights = new Map(mainWords(all, 400).map(({ word, count }) => [word.toLowerCase(), count]));
  for (const { word } of mainWords(focus, 400)) {
    const weight = weights.get(word.toLowerCase());
    if (weight) weights.set(word.toLowerCase(), weight * 4);
  }
  const scored = sentences.map((sentence) => {
    const words = wordsOf(sentence.text);
    const sum = words.reduce((total, word) => total + (weights.get(word.toLowerCase()) ?? 0), 0);
    return { sentence, score: sum / Math.max(8, words.length) };
  });
  return scored.sort((a, b) => b.score - a.score).map(({ sentence }) => sentence);
}

export function extract(sentences: Sentence[], limit: number, focus = ''): Sentence[] {
  const chosen = new Set(ranked(sentences, focus).slice(0, limit));
  return sentences.filter((sentence) => chosen.has(sentence));
}

export function shorten(text: string, limit: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line.length <= limit) return line;
  const cut = line.slice(0, limit).toWellFormed();
  const space = cut.lastIndexOf(' ');
  return `${(space > limit / 2 ? cut.slice(0, space) : cut).replace(/\uFFFD$/, '')} …`;
}

/** FNV-1a, so that the same request always gets the same answer. */
export function seedOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}
