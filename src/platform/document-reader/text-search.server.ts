import {
  countMeaningfulWords,
  foldText,
  MAX_WORD_LENGTH,
  normalize,
  normalizedWords,
  UNSPACED,
} from './normalize-text.server.ts';
import type { LinesOfPage, Occurrences, PageText, TextMatch } from './reader-protocol.ts';

/** Letters and digits that a quote needs to prove anything; fewer in scripts where one character may be a word. */
const MIN_CHARACTERS = 12;
const MIN_UNSPACED_CHARACTERS = 6;
const MIN_WORDS = 4;
const MIN_MEANINGFUL_WORDS = 2;
/** One word in six may differ, at most three, and none in a quote of more than LONG_WORDS. */
const WORDS_PER_MISMATCH = 6;
const MAX_MISMATCHES = 3;
const LONG_WORDS = 60;
/** Limit on word comparisons per quote: some milliseconds. */
const MAX_COMPARISONS = 20_000;
/** Most letters and digits between two pieces of a quote with an ellipsis. */
const ELLIPSIS_GAP = 600;
const KEYWORD_PLACES = 100;
const KEYWORD_WORDS = 6;
const ARTICLES = new Set(['a', 'an', 'the']);

function isConclusive(quote: string): boolean {
  const letters = normalize(quote);
  if (UNSPACED.test(letters)) return letters.length >= MIN_UNSPACED_CHARACTERS;
  const words = normalizedWords(quote);
  return (
    letters.length >= MIN_CHARACTERS &&
    words.length >= MIN_WORDS &&
    countMeaningfulWords(words) >= MIN_MEANINGFUL_WORDS
  );
}

function isMisspelling(a: string, b: string): boolean {
  if (a === b) return true;
  if (Math.min(a.length, b.length) < 5 || Math.abs(a.length - b.length) > 1 || a[0] !== b[0]) return false;
  if (/\p{N}/u.test(a + b)) return false;
  let at = 0;
  while (at < Math.min(a.length, b.length) && a[at] === b[at]) at++;
  const [longer, shorter] = a.length >= b.length ? [a, b] : [b, a];
  return longer.slice(at + 1) === shorter.slice(a.length === b.length ? at + 1 : at);
}

/** A match may also start or end at a part of a compound. */
const SEPARATOR = /[-\u2010-\u2015/()[\]]/;
/** Thai is the first of these scripts in Unicode. */
const FIRST_UNSPACED = 0x0e00;
const BROKEN_WORD = /[\p{L}\p{M}][-\u00ad\u2010\u2011]$/u;
/** Text between the halves of a word that is hyphenated at a line end. */
const BREAK = /^\p{M}*[-\u00ad\u2010\u2011] *\n[ \n]*[^ \n]*$/u;

type Span = [from: number, to: number];

function lastUpTo(list: ArrayLike<number>, max: number): number {
  let [low, high] = [0, list.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (list[middle]! <= max) low = middle;
    else high = middle - 1;
  }
  return low;
}

export class TextSearch {
  readonly #pages: readonly PageText[];
  readonly #source: string;
  readonly #letters: string;
  readonly #offsets: Int32Array;
  readonly #words: number[] = [];
  readonly #pageStarts: number[] = [];
  readonly #firstWords: number[] = [];

  constructor(pages: readonly PageText[]) {
    this.#pages = pages;
    this.#source = pages.map(({ text }) => text).join('\n');
    const letters: string[] = [];
    const offsets: number[] = [];
    let start = 0;
    for (const { text } of pages) {
      this.#pageStarts.push(start);
      this.#firstWords.push(this.#words.length);
      for (const { 0: word, index } of text.matchAll(/[^ \n]+/g)) {
        this.#words.push(start + index);
        if (word.length > MAX_WORD_LENGTH) continue;
        const folded = foldText(word);
        letters.push(folded.letters);
        for (const offset of folded.offsets) offsets.push(start + index + offset);
      }
      start += text.length + 1;
    }
    this.#letters = letters.join('');
    this.#offsets = Int32Array.from(offsets);
  }

  /**
   * Finds a quote, of several matches the one nearest to `page`. Returns null if the document does not contain it, or
   * if it is too short or too common to prove anything. Of six words one may be spelled differently or lack its
   * article, but numbers must be equal.
   */
  find(quote: string, page: number): TextMatch | null {
    const pieces = quote.split(/\s*(?:\[?(?:\.{3,}|…)\]?)\s*/).filter((piece) => normalize(piece) !== '');
    if (!isConclusive(pieces.join(' '))) return null;
    const spans: Span[] = [];
    for (const piece of pieces) {
      const after = spans.at(-1)?.[1];
      if (pieces.length > 1 && normalize(piece).length < MIN_CHARACTERS && !UNSPACED.test(piece)) return null;
      const span =
        this.#findExact(normalize(piece), page, after) ??
        (after === undefined ? this.#findClose(piece, page) : null);
      if (!span) return null;
      spans.push(span);
    }
    return {
      text: spans.map((span) => this.#printSpan(span, quote)).join(' … '),
      places: this.#places(spans),
    };
  }

  count(phrase: string): Occurrences {
    const phraseWords = normalizedWords(phrase);
    const places: LinesOfPage[] = [];
    let count = 0;
    if (phraseWords.length === 0 || phraseWords.length > KEYWORD_WORDS) return { count, places };
    const letters = phraseWords.join('');
    const edges = new Set([letters.length]);
    let at = 0;
    for (const word of phraseWords) {
      edges.add(at);
      at += word.length;
    }
    for (const from of this.#matches(letters)) {
      if (!this.#isSplit(from, edges, letters.length)) continue;
      count++;
      if (places.length < KEYWORD_PLACES)
        places.push(...this.#places([[from, from + letters.length]]).slice(0, 1));
    }
    return { count, places };
  }

  #isSplit(from: number, edges: ReadonlySet<number>, length: number): boolean {
    for (let n = 0; n <= length; n++) if (edges.has(n) !== (this.#edge(from + n) === 'word')) return false;
    return true;
  }

  *#matches(letters: string, from = 0): Generator<number> {
    for (let at = from; ; at++) {
      at = this.#letters.indexOf(letters, at);
      if (at < 0) return;
      yield at;
    }
  }

  #edge(at: number): 'word' | 'part' | 'inside' {
    if (at === 0 || at === this.#letters.length) return 'word';
    const [before, here] = [this.#offsets[at - 1]!, this.#offsets[at]!];
    if (before === here) return 'inside';
    if (here > before + 1) {
      const character = String.fromCodePoint(this.#source.codePointAt(before)!);
      const gap = this.#source.slice(before + character.length, here);
      if (/[ \n]/.test(gap)) return /\p{L}/u.test(character) && BREAK.test(gap) ? 'inside' : 'word';
      if (SEPARATOR.test(gap)) return 'part';
    }
    const isUnspaced = (n: number) =>
      this.#letters.charCodeAt(n) >= FIRST_UNSPACED &&
      UNSPACED.test(String.fromCodePoint(this.#source.codePointAt(this.#offsets[n]!)!));
    return isUnspaced(at - 1) || isUnspaced(at) ? 'part' : 'inside';
  }

  #pageOf(letter: number): number {
    return this.#pages[lastUpTo(this.#pageStarts, this.#offsets[letter]!)]!.page;
  }

  #findExact(letters: string, page: number, after?: number): Span | null {
    let best: Span | null = null;
    let distance = Infinity;
    for (const from of this.#matches(letters, after)) {
      if (after !== undefined && from > after + ELLIPSIS_GAP) break;
      const to = from + letters.length;
      if (this.#edge(from) === 'inside' || this.#edge(to) === 'inside') continue;
      const pagesAway = after === undefined ? Math.abs(this.#pageOf(from) - page) : 0;
      if (pagesAway < distance) [best, distance] = [[from, to], pagesAway];
      if (pagesAway === 0) break;
    }
    return best;
  }

  #wordsOn(first: number, last: number): number[] {
    const startOf = (page: number) => {
      const index = this.#pages.findIndex((each) => each.page >= page);
      return index < 0 ? this.#source.length : this.#pageStarts[index]!;
    };
    const starts: number[] = [];
    const [from, end] = [startOf(first), startOf(last + 1)];
    for (let at = lastUpTo(this.#offsets, from); at < this.#letters.length; at++) {
      if (this.#edge(at) !== 'word') continue;
      if (this.#offsets[at]! >= end) return [...starts, at];
      if (this.#offsets[at]! >= from) starts.push(at);
    }
    return [...starts, this.#letters.length];
  }

  #findClose(quote: string, page: number): Span | null {
    const quoteWords = normalizedWords(quote);
    const mismatches = Math.min(MAX_MISMATCHES, Math.floor(quoteWords.length / WORDS_PER_MISMATCH));
    if (mismatches === 0 || quoteWords.length > LONG_WORDS) return null;
    const starts = this.#wordsOn(page - 1, page + 1);
    const words = starts.slice(1).map((end, index) => this.#letters.slice(starts[index], end));
    let best: { span: Span; cost: number } | null = null;
    const work = { left: MAX_COMPARISONS };
    for (let first = 0; first < words.length; first++) {
      const found = align(quoteWords, words, { first, mismatches, work });
      if (work.left <= 0) return null;
      if (found && (!best || found.cost < best.cost))
        best = { span: [starts[first]!, starts[found.end]!], cost: found.cost };
    }
    return best?.span ?? null;
  }

  #wordsOf([from, to]: Span): [number, number] {
    return [lastUpTo(this.#words, this.#offsets[from]!), lastUpTo(this.#words, this.#offsets[to - 1]!)];
  }

  #printed(word: number): string {
    return this.#source.slice(this.#words[word], this.#words[word + 1]);
  }

  #printSpan(span: Span, quote: string): string {
    const [first, last] = this.#wordsOf(span);
    const quoteText = quote.toLowerCase();
    let text = '';
    for (let index = first; index <= last; index++) {
      const printed = this.#printed(index);
      const word = printed.replace(/[ \n]+$/, '');
      if (!printed.includes('\n') || !BROKEN_WORD.test(word)) text += `${word} `;
      else {
        const next = index < this.#words.length - 1 ? this.#printed(index + 1).replace(/[ \n]+$/, '') : '';
        const stem = word.slice(0, -1);
        const hyphenated = `${stem}-${next.replace(/[^\p{L}\p{N}]+$/u, '')}`;
        text += quoteText.includes(hyphenated.toLowerCase()) ? word : stem;
      }
    }
    return text.trim().replace(/[,;:]$/, '');
  }

  #places(spans: Span[]): LinesOfPage[] {
    const places = new Map<number, LinesOfPage>();
    for (const span of spans) {
      const [first, last] = this.#wordsOf(span);
      for (let word = first; word <= last; word++) {
        const index = lastUpTo(this.#pageStarts, this.#words[word]!);
        const number = word - this.#firstWords[index]!;
        const { page } = this.#pages[index]!;
        const place = places.get(page) ?? { page, lines: [] };
        places.set(page, place);
        if (word === first || this.#printed(word - 1).includes('\n')) place.lines.push([number, number]);
        else place.lines.at(-1)![1] = number;
      }
    }
    return [...places.values()];
  }
}

function align(
  quoteWords: string[],
  words: string[],
  { first, mismatches, work }: { first: number; mismatches: number; work: { left: number } },
): { end: number; cost: number } | null {
  let [at, cost] = [first, 0];
  for (let n = 0; n < quoteWords.length; ) {
    const [word, token] = [quoteWords[n]!, words[at]];
    if (token === undefined || cost > mismatches || work.left-- <= 0) return null;
    if (word === token) {
      n++;
      at++;
    } else if (word + (quoteWords[n + 1] ?? '') === token) {
      n += 2;
      at++;
    } else if (word === token + (words[at + 1] ?? '')) {
      n++;
      at += 2;
    } else if (ARTICLES.has(word)) {
      n++;
      cost++;
    } else if (ARTICLES.has(token) && n > 0) {
      at++;
      cost++;
    } else if (isMisspelling(word, token)) {
      n++;
      at++;
      cost++;
    } else return null;
  }
  return cost > mismatches || at === first ? null : { end: at, cost };
}
