import type { PageBox } from '../contract.ts';
import { fold, remembering, UNSPACED } from '../letters/service.server.ts';
import type { Rest } from '../pace/service.server.ts';

/** A page with the place of each word, as it is stored. */
export interface SourcePage {
  page: number;
  text: string;
  boxes: ArrayLike<number>;
  /** Other pages stand between it and the one before it in the list: no words run over from that one. */
  apart?: boolean;
}

interface IndexedPage extends SourcePage {
  firstWord: number;
}

const BROKEN = /[\p{L}\p{M}][-\u00ad\u2010\u2011]$/u;
/** A quote may begin or end at the parts of a compound too. */
const PARTS = /(?<=[\p{L}\p{N}][-\u2010-\u2015/()[\]])/u;
/** A word that is longer is passed over: no quote is as long, and no text has it. */
export const LONGEST_WORD = 5_000;
/** Signs that are indexed between two looks at the clock. */
const STRETCH = 2_000;
/** What a place among the letters can be. */
const START = 1;
const END = 2;
const TOKEN = 4;
/** Letters that no text folds to. */
const GAP = '\u0002';

/** Numbers in a row, four bytes each. */
class Numbers {
  #held = new Int32Array(1024);
  length = 0;

  push(number: number): void {
    if (this.length === this.#held.length) {
      const wider = new Int32Array(this.length * 2);
      wider.set(this.#held);
      this.#held = wider;
    }
    this.#held[this.length++] = number;
  }

  at(index: number): number {
    return this.#held[index]!;
  }

  /** The last of them, ascending, that is not above `most`. */
  lastUpTo(most: number): number {
    let [low, high] = [0, this.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#held[middle]! <= most) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

/** The words of a document beside its text of letters and figures, in about 20 bytes a word. */
export class Lookup {
  readonly #pages: IndexedPage[] = [];
  /** Where a word's letters begin, where it begins in the text of its page, and its line, odd for a broken one. */
  readonly #from = new Numbers();
  readonly #offset = new Numbers();
  readonly #line = new Numbers();
  /** First word of each token: a word as it is compared; two halves of a broken one are one. */
  readonly #tokens = new Numbers();
  #marks = new Uint8Array(4096);
  #letters = '';

  /** Indexes pages, in ascending order, at once: for short texts. */
  static now(pages: readonly SourcePage[]): Lookup {
    const lookup = new Lookup();
    for (const _ of lookup.#index(pages));
    return lookup;
  }

  /** Indexes pages, in ascending order, and rests in between. */
  static async of(pages: readonly SourcePage[], rest: Rest): Promise<Lookup> {
    const lookup = new Lookup();
    for (const _ of lookup.#index(pages)) await rest();
    return lookup;
  }

  *#index(pages: readonly SourcePage[]): Generator<void> {
    const pieces = remembering((word) =>
      word
        .split(PARTS)
        .map(fold)
        .filter((piece) => piece !== ''),
    );
    const texts: string[] = [];
    const state = { at: 0, half: false, lastToken: -1 };
    let done = 0;
    for (const page of pages) {
      const parts: string[] = [];
      if (page.apart) parts.push(...this.#add([GAP], { offset: 0, line: 0, broken: false }, state));
      this.#pages.push({ ...page, firstWord: this.#from.length });
      for (const { word, offset, line, last } of wordsOf(page.text)) {
        const broken = last && word.length <= LONGEST_WORD && BROKEN.test(word);
        const letters = word.length > LONGEST_WORD ? [] : pieces(word);
        parts.push(...this.#add(letters, { offset, line, broken }, state));
        done += word.length + 8;
        if (done < STRETCH) continue;
        done = 0;
        yield;
      }
      texts.push(parts.join(''));
      yield;
    }
    this.#letters = texts.join('');
  }

  #add(
    pieces: string[],
    { offset, line, broken }: { offset: number; line: number; broken: boolean },
    state: { at: number; half: boolean; lastToken: number },
  ): string[] {
    const index = this.#from.length;
    this.#from.push(state.at);
    this.#offset.push(offset);
    this.#line.push(line * 2 + (broken ? 1 : 0));
    let from = state.at;
    for (const letters of pieces) {
      if (from > state.at || !state.half) this.#mark(from, START);
      const to = from + letters.length;
      this.#mark(to, END);
      if (UNSPACED.test(letters)) {
        for (let at = from; at <= to; at++) this.#mark(at, START);
        for (let at = from + 1; at < to; at++) this.#mark(at, END);
      }
      from = to;
    }
    if (broken) this.#marks[from]! &= ~END;
    if (from > state.at) {
      if (!state.half || state.lastToken !== index - 1) {
        this.#mark(state.at, TOKEN);
        this.#tokens.push(index);
      }
      state.lastToken = index;
    }
    state.at = from;
    state.half = broken;
    return pieces;
  }

  #mark(at: number, mark: number): void {
    if (at >= this.#marks.length) {
      const wider = new Uint8Array(Math.max(at + 1, this.#marks.length * 2));
      wider.set(this.#marks);
      this.#marks = wider;
    }
    this.#marks[at]! |= mark;
  }

  get words(): number {
    return this.#from.length;
  }

  get tokens(): number {
    return this.#tokens.length;
  }

  /** Where a word's letters end. */
  endOf(word: number): number {
    return word + 1 < this.#from.length ? this.#from.at(word + 1) : this.#letters.length;
  }

  /** The word that holds a letter; one without letters holds none. */
  wordAt(position: number): number {
    return this.#from.lastUpTo(position);
  }

  #pageAt(word: number): IndexedPage {
    let [low, high] = [0, this.#pages.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#pages[middle]!.firstWord <= word) low = middle;
      else high = middle - 1;
    }
    return this.#pages[low]!;
  }

  pageOf(word: number): number {
    return this.#pageAt(word).page;
  }

  /** A word as it is printed, and whether it is broken at its line's end: the next one is its other half. */
  printed(word: number): { text: string; broken: boolean } {
    const { text } = this.#pageAt(word);
    const from = this.#offset.at(word);
    const blank = text.indexOf(' ', from);
    const [printed = ''] = text.slice(from, blank < 0 ? undefined : blank).split('\n', 1);
    return { text: printed, broken: this.#line.at(word) % 2 === 1 };
  }

  placeOf(word: number): { page: number; line: number; box: PageBox } {
    const { page, boxes, firstWord } = this.#pageAt(word);
    const box = [0, 1, 2, 3].map((n) => (boxes[(word - firstWord) * 4 + n] ?? 0) / 10) as PageBox;
    return { page, line: this.#line.at(word) >> 1, box };
  }

  firstOf(token: number): number {
    return this.#tokens.at(token);
  }

  /** The last word of a token; those without letters that follow it are none of it. */
  lastOf(token: number): number {
    return this.wordAt(this.#endOfToken(token) - 1);
  }

  #endOfToken(token: number): number {
    return token + 1 < this.tokens ? this.#from.at(this.#tokens.at(token + 1)) : this.#letters.length;
  }

  /** A token's letters; undefined behind the last one. */
  lettersOf(token: number): string | undefined {
    if (token >= this.tokens) return undefined;
    return this.#letters.slice(this.#from.at(this.#tokens.at(token)), this.#endOfToken(token));
  }

  /** The first token on a page, or behind it where it has none, and the first one behind it. */
  tokensOn(first: number, last: number): [number, number] {
    const behind = (page: number) => {
      const next = this.#pages.find((each) => each.page >= page);
      if (!next || this.tokens === 0) return this.tokens;
      const token = this.#tokens.lastUpTo(next.firstWord);
      return this.#tokens.at(token) < next.firstWord ? token + 1 : token;
    };
    return [behind(first), behind(last + 1)];
  }

  /** Whether words may begin at one place and end at another. */
  bounded(from: number, to: number): boolean {
    return (this.#marks[from]! & START) !== 0 && (this.#marks[to]! & END) !== 0;
  }

  /** Whether these letters are just these tokens. */
  isTokens(from: number, words: readonly string[]): boolean {
    let at = from;
    for (const word of words) {
      if (!this.#beginsToken(at)) return false;
      for (let inside = at + 1; inside < at + word.length; inside++)
        if (this.#beginsToken(inside)) return false;
      at += word.length;
    }
    return at === this.#letters.length || this.#beginsToken(at);
  }

  #beginsToken(at: number): boolean {
    return (this.#marks[at]! & TOKEN) !== 0;
  }

  /** A token by the place of its first letter. */
  tokenAt(position: number): number {
    return this.#tokens.lastUpTo(this.wordAt(position));
  }

  /**
   * Tells of each place from one on to another at which these letters begin, until `hear` answers true. Takes time in
   * proportion to the text, whatever is sought (Knuth, Morris and Pratt, 1977).
   */
  seek(sought: string, [from, to]: [number, number], hear: (at: number) => boolean): void {
    const back = new Int32Array(sought.length);
    for (let at = 1, length = 0; at < sought.length; at++) {
      while (length > 0 && sought[at] !== sought[length]) length = back[length - 1]!;
      if (sought[at] === sought[length]) length++;
      back[at] = length;
    }
    const letters = this.#letters;
    const end = Math.min(letters.length, to + sought.length);
    for (let at = from, length = 0; at < end; at++) {
      const letter = letters.charCodeAt(at);
      while (length > 0 && letter !== sought.charCodeAt(length)) length = back[length - 1]!;
      if (letter === sought.charCodeAt(length)) length++;
      if (length < sought.length) continue;
      if (hear(at + 1 - length)) return;
      length = back[length - 1]!;
    }
  }
}

/** The pieces of a page's text between blanks and line ends. */
function* wordsOf(text: string): Generator<{ word: string; offset: number; line: number; last: boolean }> {
  let blank = -1;
  for (let start = 0, line = 0; start < text.length; line++) {
    const found = text.indexOf('\n', start);
    const end = found < 0 ? text.length : found;
    // Blanks at the end of a line do not make its last word another one.
    let last = end;
    while (last > start && text[last - 1] === ' ') last--;
    for (let from = start; from < last; ) {
      // Looked for once: a text without blanks is not searched for each of its lines.
      if (blank < from) blank = text.indexOf(' ', from);
      if (blank < 0) blank = text.length;
      const to = Math.min(blank, last);
      if (to > from) yield { word: text.slice(from, to), offset: from, line, last: to === last };
      from = to + 1;
    }
    start = end + 1;
  }
}
