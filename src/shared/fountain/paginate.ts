import { continuedRow, type Group, moreRow, printRows, type Row } from './print-rows.ts';
import type { Screenplay } from './screenplay.ts';

/** A page of 11 inches, without its margins, has six lines per inch. */
export const LINES_PER_PAGE = 55;

/** Null is an empty row. */
export type Page = Array<Row | null>;

const MIN_ROWS = 2;

class Book {
  readonly pages: Page[] = [[]];

  get page(): Page {
    return this.pages.at(-1)!;
  }

  get rowsLeft(): number {
    return LINES_PER_PAGE - this.page.length - (this.page.length > 0 ? 1 : 0);
  }

  startPage(): void {
    if (this.page.length > 0) this.pages.push([]);
  }

  addRows(rows: Row[]): void {
    if (this.page.length > 0 && rows.length > 0) this.page.push(null);
    this.page.push(...rows);
  }
}

/** Returns how many rows of a speech, including its name, stay on this page; 0 if it starts on the next one. */
function speechCut(rows: Row[], rowsLeft: number): number {
  const names = rows.findIndex(({ type }) => type !== 'name');
  let cut = Math.min(rowsLeft - 1, rows.length - MIN_ROWS);
  // Don't separate a direction from the speech that follows it.
  while (cut > names && rows[cut - 1]!.type === 'aside') cut--;
  return cut >= names + MIN_ROWS ? cut : 0;
}

function placeGroup(book: Book, group: Group, need: number): void {
  let { rows } = group;
  if (need > book.rowsLeft && need <= LINES_PER_PAGE) {
    const text = group.type === 'text' ? Math.min(book.rowsLeft, rows.length - MIN_ROWS) : 0;
    if (text >= MIN_ROWS) {
      book.addRows(rows.slice(0, text));
      rows = rows.slice(text);
    } else if (group.type === 'speech') {
      const cut = speechCut(rows, book.rowsLeft);
      if (cut > 0) {
        book.addRows([...rows.slice(0, cut), moreRow()]);
        rows = [continuedRow(group.name), ...rows.slice(cut)];
      }
    }
    book.startPage();
  }
  // Longer than a page.
  if (rows.length > LINES_PER_PAGE && book.rowsLeft < 2 * MIN_ROWS) book.startPage();
  while (rows.length > book.rowsLeft) {
    const cut = Math.max(1, book.rowsLeft - (group.type === 'speech' ? 1 : 0));
    book.addRows(group.type === 'speech' ? [...rows.slice(0, cut), moreRow()] : rows.slice(0, cut));
    rows = group.type === 'speech' ? [continuedRow(group.name), ...rows.slice(cut)] : rows.slice(cut);
    book.startPage();
  }
  book.addRows(rows);
}

function rowsNeeded(groups: Group[], at: number): number {
  const group = groups[at]!;
  const next = groups[at + 1];
  if (group.type !== 'scene' || !next || next.type === 'page-break') return group.rows.length;
  const start = next.type === 'text' ? MIN_ROWS : MIN_ROWS + 1;
  return group.rows.length + 1 + Math.min(start, next.rows.length);
}

/** Splits into pages. No heading or name is alone at the end of a page; split speeches have (MORE) and (CONT'D). */
export function paginate(screenplay: Pick<Screenplay, 'blocks'>): Page[] {
  const groups = printRows(screenplay);
  const book = new Book();
  for (const [at, group] of groups.entries()) {
    if (group.type === 'page-break') book.startPage();
    else placeGroup(book, group, rowsNeeded(groups, at));
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
  return { pages: pages.length, minutes: Math.max(1, Math.round(pages.length - 1 + last / LINES_PER_PAGE)) };
}
