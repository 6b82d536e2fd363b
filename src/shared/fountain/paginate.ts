import { continuedRow, type Group, moreRow, printRows, type Row } from './print-rows.ts';
import type { Screenplay } from './screenplay.ts';

/** A page of 11 inches, without its margins, has six lines per inch. */
export const LINES = 55;

/** Null is an empty row. */
export type Page = Array<Row | null>;

const LEAST = 2;

class Book {
  readonly pages: Page[] = [[]];

  get page(): Page {
    return this.pages.at(-1)!;
  }

  get left(): number {
    return LINES - this.page.length - (this.page.length > 0 ? 1 : 0);
  }

  turn(): void {
    if (this.page.length > 0) this.pages.push([]);
  }

  put(rows: Row[]): void {
    if (this.page.length > 0 && rows.length > 0) this.page.push(null);
    this.page.push(...rows);
  }
}

/** Returns how many rows of a speech, including its name, stay on this page; 0 if it starts on the next one. */
function speechCut(rows: Row[], left: number): number {
  const names = rows.findIndex(({ type }) => type !== 'name');
  let cut = Math.min(left - 1, rows.length - LEAST);
  // Don't separate a direction from the speech that follows it.
  while (cut > names && rows[cut - 1]!.type === 'aside') cut--;
  return cut >= names + LEAST ? cut : 0;
}

function place(book: Book, group: Group, need: number): void {
  let { rows } = group;
  if (need > book.left && need <= LINES) {
    const text = group.type === 'text' ? Math.min(book.left, rows.length - LEAST) : 0;
    if (text >= LEAST) {
      book.put(rows.slice(0, text));
      rows = rows.slice(text);
    } else if (group.type === 'speech') {
      const cut = speechCut(rows, book.left);
      if (cut > 0) {
        book.put([...rows.slice(0, cut), moreRow()]);
        rows = [continuedRow(group.name), ...rows.slice(cut)];
      }
    }
    book.turn();
  }
  // Longer than a page.
  if (rows.length > LINES && book.left < 2 * LEAST) book.turn();
  while (rows.length > book.left) {
    const cut = Math.max(1, book.left - (group.type === 'speech' ? 1 : 0));
    book.put(group.type === 'speech' ? [...rows.slice(0, cut), moreRow()] : rows.slice(0, cut));
    rows = group.type === 'speech' ? [continuedRow(group.name), ...rows.slice(cut)] : rows.slice(cut);
    book.turn();
  }
  book.put(rows);
}

function needOf(groups: Group[], at: number): number {
  const group = groups[at]!;
  const next = groups[at + 1];
  if (group.type !== 'scene' || !next || next.type === 'page-break') return group.rows.length;
  const start = next.type === 'text' ? LEAST : LEAST + 1;
  return group.rows.length + 1 + Math.min(start, next.rows.length);
}

/** Splits into pages. No heading or name is alone at the end of a page; split speeches have (MORE) and (CONT'D). */
export function paginate(screenplay: Pick<Screenplay, 'blocks'>): Page[] {
  const groups = printRows(screenplay);
  const book = new Book();
  for (const [at, group] of groups.entries()) {
    if (group.type === 'page-break') book.turn();
    else place(book, group, needOf(groups, at));
  }
  if (book.page.length === 0 && book.pages.length > 1) book.pages.pop();
  return book.pages;
}

export interface ScreenplayLength {
  pages: number;
  minutes: number;
}

export function screenplayLength(screenplay: Pick<Screenplay, 'blocks'>): ScreenplayLength {
  const pages = paginate(screenplay);
  const last = pages.at(-1)!.length;
  if (last === 0) return { pages: 0, minutes: 0 };
  return { pages: pages.length, minutes: Math.max(1, Math.round(pages.length - 1 + last / LINES)) };
}
