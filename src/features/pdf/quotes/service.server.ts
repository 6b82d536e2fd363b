import type { PageBox, Place, Quote } from '../contract.ts';
import { fold, telling, UNSPACED, wordsIn } from '../letters/service.server.ts';
import { Lookup, type SourcePage } from '../lookup/service.server.ts';
import type { Rest } from '../pace/service.server.ts';

/** Letters and figures that a quote needs to prove anything; fewer where one sign is a word. */
const LEAST = 12;
const LEAST_UNSPACED = 6;
/** Its words, and those of them that say something. */
const LEAST_WORDS = 4;
const LEAST_TELLING = 2;
/** Words a quote that may differ: one in six, three at most; in a long quote none. */
const WORDS_A_SLIP = 6;
const SLIPS = 3;
const LONG_WORDS = 60;
/** Words that are laid beside those of one quote: some milliseconds. */
const WORK = 20_000;
/** Letters and figures between two pieces of a quote with an ellipsis. */
const ELLIPSIS_GAP = 600;
const KEYWORD_PLACES = 100;
const KEYWORD_WORDS = 6;
const ARTICLES = new Set(['a', 'an', 'the']);

/** Whether a quote is long and telling enough to prove anything. */
function proves(quote: string): boolean {
  const letters = fold(quote);
  if (UNSPACED.test(letters)) return letters.length >= LEAST_UNSPACED;
  const words = wordsIn(quote);
  return letters.length >= LEAST && words.length >= LEAST_WORDS && telling(words) >= LEAST_TELLING;
}

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

/** First and last word of a place. */
type Span = [number, number];

/** A document's own words, to be searched for quotes. */
export class Source {
  readonly #words: Lookup;

  private constructor(words: Lookup) {
    this.#words = words;
  }

  /** Of a short text, at once. */
  static now(pages: readonly SourcePage[]): Source {
    return new Source(Lookup.now(pages));
  }

  /** Of pages in ascending order, with rests in between. */
  static async of(pages: readonly SourcePage[], rest: Rest): Promise<Source> {
    return new Source(await Lookup.of(pages, rest));
  }

  /**
   * The document's own words that a quote repeats, or null for one that it does not have, or that is too short or too
   * common to prove anything. Case, blanks, hyphens, forms of letters and punctuation do not count; in six words one may
   * be spelled another way or lack its article, but no figure may differ. Of several places the one nearest to `page`
   * is meant. Takes time in proportion to the text, whatever is given.
   */
  find(quote: string, page: number): Quote | null {
    const pieces = quote.split(/\s*(?:\[?(?:\.{3,}|…)\]?)\s*/).filter((piece) => fold(piece) !== '');
    if (!proves(pieces.join(' '))) return null;
    const spans: Span[] = [];
    for (const piece of pieces) {
      const after = spans.at(-1);
      if (pieces.length > 1 && fold(piece).length < LEAST && !UNSPACED.test(piece)) return null;
      const span = this.#exact(fold(piece), page, after?.[1]) ?? (after ? null : this.#close(piece, page));
      if (!span) return null;
      spans.push(span);
    }
    return { text: spans.map((span) => this.#print(span, quote)).join(' … '), places: this.#places(spans) };
  }

  /** The place of these letters that is nearest to a page, or that follows a word closely. */
  #exact(letters: string, page: number, after?: number): Span | null {
    const words = this.#words;
    const from = after === undefined ? 0 : words.endOf(after);
    let best: Span | null = null;
    let distance = Infinity;
    words.seek(letters, [from, after === undefined ? Infinity : from + ELLIPSIS_GAP], (at) => {
      if (!words.bounded(at, at + letters.length)) return false;
      const first = words.wordAt(at);
      const off = after === undefined ? Math.abs(words.pageOf(first) - page) : 0;
      if (off < distance) {
        distance = off;
        best = [first, words.wordAt(at + letters.length - 1)];
      }
      return off === 0;
    });
    return best;
  }

  /** A place on the page or its neighbours that differs in spelling or articles only. */
  #close(quote: string, page: number): Span | null {
    const wanted = wordsIn(quote);
    const slips = Math.min(SLIPS, Math.floor(wanted.length / WORDS_A_SLIP));
    if (slips === 0 || wanted.length > LONG_WORDS) return null;
    let best: { span: Span; cost: number } | null = null;
    const work = { left: WORK };
    const [from, to] = this.#words.tokensOn(page - 1, page + 1);
    for (let token = from; token < to; token++) {
      const found = this.#align(wanted, { start: token, slips, work });
      if (work.left <= 0) return null;
      if (found && (!best || found.cost < best.cost)) best = found;
    }
    return best?.span ?? null;
  }

  /** The words from a token on beside those of a quote. */
  #align(
    wanted: string[],
    { start, slips, work }: { start: number; slips: number; work: { left: number } },
  ): { span: Span; cost: number } | null {
    let [at, cost] = [start, 0];
    for (let n = 0; n < wanted.length; ) {
      const [word, token] = [wanted[n]!, this.#words.lettersOf(at)];
      if (token === undefined || cost > slips || work.left-- <= 0) return null;
      if (word === token) {
        n++;
        at++;
      } else if (word + (wanted[n + 1] ?? '') === token) {
        n += 2;
        at++;
      } else if (word === token + (this.#words.lettersOf(at + 1) ?? '')) {
        n++;
        at += 2;
      } else if (ARTICLES.has(word)) {
        n++;
        cost++;
      } else if (ARTICLES.has(token) && n > 0) {
        at++;
        cost++;
      } else if (near(word, token)) {
        n++;
        at++;
        cost++;
      } else return null;
    }
    if (cost > slips || at === start) return null;
    return { span: [this.#words.firstOf(start), this.#words.lastOf(at - 1)], cost };
  }

  /** The words as they are printed, those that were broken at a line's end made whole. */
  #print([first, last]: Span, quote: string): string {
    const said = quote.toLowerCase();
    let text = '';
    for (let index = first; index <= last; index++) {
      const word = this.#words.printed(index);
      if (!word.broken) text += `${word.text} `;
      else {
        const next = index + 1 < this.#words.words ? this.#words.printed(index + 1).text : '';
        const stem = word.text.replace(/[-\u00ad\u2010\u2011]$/, '');
        const whole = `${stem}-${next.replace(/[^\p{L}\p{N}]+$/u, '')}`;
        text += said.includes(whole.toLowerCase()) ? word.text : stem;
      }
    }
    return text.trim().replace(/[,;:]$/, '');
  }

  /** The words' places, page by page, a box a line. */
  #places(spans: Span[]): Place[] {
    const lines = new Map<string, { page: number; box: [number, number, number, number] }>();
    for (const [first, last] of spans) {
      for (let word = first; word <= last; word++) {
        const { page, line, box } = this.#words.placeOf(word);
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

  /** How often a word, or some words in a row, stand in the text, and the first of the places. More than six are no keyword. */
  count(phrase: string): { count: number; places: Place[] } {
    const wanted = wordsIn(phrase);
    const places: Place[] = [];
    let count = 0;
    if (wanted.length === 0 || wanted.length > KEYWORD_WORDS) return { count, places };
    this.#words.seek(wanted.join(''), [0, Infinity], (at) => {
      if (!this.#words.isTokens(at, wanted)) return false;
      count++;
      if (places.length >= KEYWORD_PLACES) return false;
      const token = this.#words.tokenAt(at);
      const span: Span = [this.#words.firstOf(token), this.#words.lastOf(token + wanted.length - 1)];
      places.push(...this.#places([span]).slice(0, 1));
      return false;
    });
    return { count, places };
  }
}
