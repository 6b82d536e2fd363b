import type { CellStyles } from './workbook-styles.ts';
import type { XmlHandlers } from './xml-archive.server.ts';

/** Limits: cells of a sheet that are examined, including empty ones, and columns that are kept. */
const MAX_CELLS = 200_000;
const MAX_COLUMNS = 512;
/** Estimated length of a cell whose text is stored elsewhere. */
const SHARED_UNITS = 12;
const HIDDEN_RANGES = 1_000;

export interface Cell {
  column: number;
  /** The text, or the index of a shared one. */
  text: string | number;
}

export interface Row {
  row: number;
  cells: Cell[];
}

const isTrue = (value: string | undefined) => value === '1' || value === 'true';

export function columnName(column: number): string {
  return column > 26
    ? columnName(Math.floor((column - 1) / 26)) + columnName(((column - 1) % 26) + 1)
    : String.fromCharCode(64 + column);
}

const parseColumn = (reference = '') =>
  [...(/^[A-Z]{1,3}(?=\d)/.exec(reference)?.[0] ?? '')].reduce(
    (sum, character) => sum * 26 + character.charCodeAt(0) - 64,
    0,
  );

interface OpenCell {
  column: number;
  type: string;
  style: string | undefined;
  value: string;
  formula: string;
}

/** Reads one sheet, up to `limit` UTF-16 units of text. */
export class SheetReader implements XmlHandlers {
  readonly rows: Row[] = [];
  /** Whether rows were left out. */
  more = false;
  /** Whether hidden rows or columns have content. */
  hidden = false;
  /** Whether columns beyond the last kept one have content. */
  wider = false;
  readonly #styles: CellStyles;
  readonly #hiddenColumns: Array<[first: number, last: number]> = [];
  #remaining: number;
  #cellCount = 0;
  #row: Row = { row: 0, cells: [] };
  #rowHidden = false;
  #column = 0;
  #cell: OpenCell | null = null;
  /** The part of the cell that receives the text. */
  #target: 'value' | 'formula' | null = null;
  #phonetic = false;

  constructor(styles: CellStyles, limit: number) {
    this.#styles = styles;
    this.#remaining = limit;
  }

  isDone = () => this.more;

  open(name: string, { r, t, s, min, max, hidden }: Record<string, string>): void {
    if (this.more) return;
    if (name === 'col' && isTrue(hidden) && this.#hiddenColumns.length < HIDDEN_RANGES)
      this.#hiddenColumns.push([Number(min), Number(max)]);
    else if (name === 'row') {
      this.#row = { row: Number(r) || this.#row.row + 1, cells: [] };
      this.#rowHidden = isTrue(hidden);
      this.#column = 0;
    } else if (name === 'c') {
      this.#column = parseColumn(r) || this.#column + 1;
      this.#cell = { column: this.#column, type: t ?? 'n', style: s, value: '', formula: '' };
    } else if (name === 'rPh') this.#phonetic = true;
    else if (this.#cell && (name === 'v' || (name === 't' && !this.#phonetic))) this.#target = 'value';
    else if (this.#cell && name === 'f') this.#target = 'formula';
  }

  text(text: string): void {
    if (this.#cell && this.#target) this.#cell[this.#target] += text;
  }

  close(name: string): void {
    if (name === 'v' || name === 't' || name === 'f') this.#target = null;
    else if (name === 'rPh') this.#phonetic = false;
    else if (name === 'c') this.#endCell();
    else if (name === 'row') this.#endRow();
  }

  #endCell(): void {
    const cell = this.#cell;
    this.#cell = null;
    if (!cell || this.more) return;
    if (++this.#cellCount > MAX_CELLS) this.#stop();
    const text = this.#textOf(cell);
    if (text === '') return;
    const { column } = cell;
    if (this.#rowHidden || this.#hiddenColumns.some(([first, last]) => column >= first && column <= last)) {
      this.hidden = true;
      return;
    }
    this.#remaining -= typeof text === 'number' ? SHARED_UNITS : text.length + 1;
    if (this.#row.cells.length < MAX_COLUMNS) this.#row.cells.push({ column, text });
    else this.wider = true;
    if (this.#remaining < 0) this.#stop();
  }

  /** Drops an unfinished row, unless it is the first. */
  #stop(): void {
    this.more = true;
    if (this.rows.length === 0 && this.#row.cells.length > 0) this.rows.push(this.#row);
  }

  #endRow(): void {
    if (!this.more && this.#row.cells.length > 0) this.rows.push(this.#row);
  }

  #textOf({ type, style, value, formula }: OpenCell): string | number {
    // Programs that do not calculate write only the formula.
    if (value === '') return formula === '' ? '' : `=${formula}`;
    if (type === 's') return /^\d{1,9}$/.test(value) ? Number(value) : '';
    if (type === 'b') return value === '1' ? 'TRUE' : 'FALSE';
    if (type !== 'n') return value;
    const number = Number(value);
    return Number.isFinite(number) ? this.#styles.show(style, number) : value;
  }
}
