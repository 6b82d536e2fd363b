import type { PageBox, Place, Quote } from '../contract.ts';

/** A page with the place of each word, as it is stored. */
export interface SourcePage {
  page: number;
  text: string;
  boxes: number[];
}

interface SourceWord {
  page: number;
  line: number;
  /** As printed. */
  text: string;
  box: PageBox;
  /** Its letters and figures begin and end here in the text of all. */
  from: number;
  to: number;
  /** Broken at the end of its line: the next word is its other half. */
  broken: boolean;
}

/** A word as it is compared; two halves of a broken one are one. */
interface Token {
  text: string;
  first: number;
  last: number;
}

/** Letters and figures that a quote needs to prove anything; fewer where one sign is a word. */
const LEAST = 12;
const LEAST_CJK = 6;
const CJK = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u;
/** Words a quote that may differ: one in six, three at most. */
const WORDS_A_SLIP = 6;
const SLIPS = 3;
/** Letters and figures between two pieces of a quote with an ellipsis. */
const ELLIPSIS_GAP = 600;
const KEYWORD_PLACES = 100;
const ARTICLES = new Set(['a', 'an', 'the']);
/** Stands for a minus, which is no hyphen. */
const MINUS = '\u0001';
const BROKEN = /[\p{L}\p{M}][-\u00ad\u2010\u2011]$/u;

/**
 * A text as it is compared: letters and figures alone, without case, marks and forms; of other signs only those that
 * make a figure another one (decimal signs inside, a minus before, per cent and money) are kept.
 */
export function fold(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}+/gu, '')
    .replace(/(?<=^|[\s(])[-\u2212](?=\d)/g, MINUS)
    .replace(/(?<!\d)[.,]|[.,](?!\d)|[^\p{L}\p{N}%€$£¥.,\u0001]/gu, '');
}

const wordsIn = (text: string): string[] =>
  text
    .split(/\s+/)
    .map(fold)
    .filter((word) => word !== '');

/** Whether two words are spellings of one: a single letter apart, not the first, and no figure. */
function near(a: string, b: string): boolean {
  if (a === b) return true;
  if (Math.min(a.length, b.length) < 5 || Math.abs(a.length - b.length) > 1 || a[0] !== b[0]) return false;
  if (/\p{N}/u.test(a + b)) return false;
  let at = 0;
  while (at < Math.min(a.length, b.length) && a[at] === b[at]) at++;
  const [longer, shorter] = a.length >= b.length ? [a, b] : [b, a];
  return longer.slice(at + 1) === shorter.slice(a.length === b.length ? at + 1 : at);
}

/** Where a document's words begin and end in its text of letters and figures, to be searched for quotes. */
export class Source {
  readonly #words: SourceWord[] = [];
  readonly #tokens: Token[] = [];
  #letters = '';
  /** Positions at which a quote may begin or end. */
  readonly #starts = new Set<number>();
  readonly #ends = new Set<number>();

  constructor(pages: readonly SourcePage[]) {
    const parts: string[] = [];
    let at = 0;
    for (const { page, text, boxes } of pages) {
      let index = 0;
      for (const [line, row] of text.split('\n').entries()) {
        const words = row.split(' ').filter((word) => word !== '');
        for (const [place, word] of words.entries()) {
          const box = boxes.slice(index * 4, index * 4 + 4).map((n) => n / 10) as PageBox;
          index++;
          const broken = place === words.length - 1 && BROKEN.test(word);
          at = this.#add({ page, line, text: word, box, broken }, at, parts);
        }
      }
    }
    this.#letters = parts.join('');
  }

  #add(word: Omit<SourceWord, 'from' | 'to'>, at: number, parts: string[]): number {
    const index = this.#words.length;
    const half = this.#words.at(-1)?.broken === true;
    let from = at;
    // A quote may begin or end at the parts of a compound too.
    for (const piece of word.text.split(/(?<=[\p{L}\p{N}][-\u2010-\u2015/()[\]])/u)) {
      const letters = fold(piece);
      if (letters === '') continue;
      if (from > at || !half) this.#starts.add(from);
      if (CJK.test(letters)) for (let n = 0; n <= letters.length; n++) this.#starts.add(from + n).add(from);
      parts.push(letters);
      from += letters.length;
      this.#ends.add(from);
      if (CJK.test(letters)) for (let n = 0; n < letters.length; n++) this.#ends.add(from - n);
    }
    if (word.broken) this.#ends.delete(from);
    this.#words.push({ ...word, from: at, to: from });
    const letters = parts
      .slice(-8)
      .join('')
      .slice(at - from);
    const last = this.#tokens.at(-1);
    if (from === at) return from;
    if (half && last?.last === index - 1) Object.assign(last, { text: last.text + letters, last: index });
    else this.#tokens.push({ text: letters, first: index, last: index });
    return from;
  }

  /** How many words the text has. */
  get length(): number {
    return this.#words.length;
  }

  /**
   * The document's own words that a quote repeats, or null for one that it does not have. Case, blanks, hyphens, forms of
   * letters and punctuation do not count; in six words one may be spelled another way or lack its article, but no
   * figure may differ. Of several places the one nearest to `page` is meant.
   */
  find(quote: string, page: number): Quote | null {
    const pieces = quote.split(/\s*(?:\[?(?:\.{3,}|…)\]?)\s*/).filter((piece) => fold(piece) !== '');
    const whole = fold(pieces.join(' '));
    if (whole.length < (CJK.test(whole) ? LEAST_CJK : LEAST)) return null;
    const spans: Array<[number, number]> = [];
    for (const piece of pieces) {
      const after = spans.at(-1);
      if (pieces.length > 1 && fold(piece).length < LEAST && !CJK.test(piece)) return null;
      const span = this.#exact(fold(piece), page, after?.[1]) ?? (after ? null : this.#close(piece, page));
      if (!span) return null;
      spans.push(span);
    }
    return { text: spans.map((span) => this.#print(span, quote)).join(' … '), places: this.#places(spans) };
  }

  /** First and last word of the place of these letters that is nearest to a page, or that follows a word closely. */
  #exact(letters: string, page: number, after?: number): [number, number] | null {
    const from = after === undefined ? 0 : this.#words[after]!.to;
    let best: [number, number] | null = null;
    let distance = Infinity;
    for (
      let at = this.#letters.indexOf(letters, from);
      at >= 0;
      at = this.#letters.indexOf(letters, at + 1)
    ) {
      if (after !== undefined && at - from > ELLIPSIS_GAP) break;
      if (!this.#starts.has(at) || !this.#ends.has(at + letters.length)) continue;
      const first = this.#wordAt(at);
      const off = after === undefined ? Math.abs(this.#words[first]!.page - page) : 0;
      if (off < distance) {
        distance = off;
        best = [first, this.#wordAt(at + letters.length - 1)];
      }
      if (off === 0) break;
    }
    return best;
  }

  /** The word that holds a letter. */
  #wordAt(position: number): number {
    let [low, high] = [0, this.#words.length - 1];
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#words[middle]!.from <= position) low = middle;
      else high = middle - 1;
    }
    // Words without letters begin where the next one does.
    while (this.#words[low]!.to <= position && low < this.#words.length - 1) low++;
    return low;
  }

  /** A place on the page or its neighbours that differs in spelling or articles only. */
  #close(quote: string, page: number): [number, number] | null {
    const wanted = wordsIn(quote);
    const slips = Math.min(SLIPS, Math.floor(wanted.length / WORDS_A_SLIP));
    if (slips === 0) return null;
    let best: { span: [number, number]; cost: number } | null = null;
    for (const [index, token] of this.#tokens.entries()) {
      if (Math.abs(this.#words[token.first]!.page - page) > 1) continue;
      const found = this.#align(wanted, index, slips);
      if (found && (!best || found.cost < best.cost)) best = found;
    }
    return best?.span ?? null;
  }

  /** The words from a token on beside those of a quote. */
  #align(wanted: string[], start: number, slips: number): { span: [number, number]; cost: number } | null {
    let [at, cost] = [start, 0];
    for (let n = 0; n < wanted.length; ) {
      const [word, token] = [wanted[n]!, this.#tokens[at]];
      if (!token || cost > slips) return null;
      if (word === token.text) {
        n++;
        at++;
      } else if (word + (wanted[n + 1] ?? '') === token.text) {
        n += 2;
        at++;
      } else if (word === token.text + (this.#tokens[at + 1]?.text ?? '')) {
        n++;
        at += 2;
      } else if (ARTICLES.has(word)) {
        n++;
        cost++;
      } else if (ARTICLES.has(token.text) && n > 0) {
        at++;
        cost++;
      } else if (near(word, token.text)) {
        n++;
        at++;
        cost++;
      } else return null;
    }
    if (cost > slips || at === start) return null;
    return { span: [this.#tokens[start]!.first, this.#tokens[at - 1]!.last], cost };
  }

  /** The words as they are printed, those that were broken at a line's end made whole. */
  #print([first, last]: [number, number], quote: string): string {
    let text = '';
    for (let index = first; index <= last; index++) {
      const word = this.#words[index]!;
      const next = this.#words[index + 1]?.text.replace(/[^\p{L}\p{N}]+$/u, '') ?? '';
      const stem = word.text.replace(/[-\u00ad\u2010\u2011]$/, '');
      const keeps = quote.toLowerCase().includes(`${stem}-${next}`.toLowerCase());
      text += !word.broken ? `${word.text} ` : keeps ? word.text : stem;
    }
    return text.trim().replace(/[,;:]$/, '');
  }

  /** The words' places, page by page, a box a line. */
  #places(spans: Array<[number, number]>): Place[] {
    const lines = new Map<string, { page: number; box: [number, number, number, number] }>();
    for (const [first, last] of spans) {
      for (const { page, line, box } of this.#words.slice(first, last + 1)) {
        const [x, y, width, height] = box;
        const known = lines.get(`${first} ${page} ${line}`);
        if (!known) lines.set(`${first} ${page} ${line}`, { page, box: [x, y, x + width, y + height] });
        else {
          const [x0, y0, x1, y1] = known.box;
          known.box = [Math.min(x0, x), Math.min(y0, y), Math.max(x1, x + width), Math.max(y1, y + height)];
        }
      }
    }
    const pages = Map.groupBy(lines.values(), ({ page }) => page);
    const rounded = (n: number) => Math.round(n * 10) / 10;
    return [...pages].map(([page, all]) => ({
      page,
      boxes: all.map(({ box: [x0, y0, x1, y1] }) => [x0, y0, x1 - x0, y1 - y0].map(rounded) as PageBox),
    }));
  }

  /** How often a word, or some words in a row, stand in the text, and the first of the places. */
  count(phrase: string): { count: number; places: Place[] } {
    const wanted = wordsIn(phrase);
    const places: Place[] = [];
    let count = 0;
    if (wanted.length === 0) return { count, places };
    for (const [index, token] of this.#tokens.entries()) {
      if (token.text !== wanted[0]) continue;
      if (wanted.some((word, n) => this.#tokens[index + n]?.text !== word)) continue;
      count++;
      const last = this.#tokens[index + wanted.length - 1]!.last;
      if (places.length < KEYWORD_PLACES) places.push(...this.#places([[token.first, last]]).slice(0, 1));
    }
    return { count, places };
  }
}
