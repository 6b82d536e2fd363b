import type { Box } from './glyphs.ts';
import type { Word } from './word-grouping.ts';

/** Words of one direction, turned so that they go to the right: `u` along the line, `v` down the page. */
interface Placed {
  word: Word;
  u0: number;
  u1: number;
  v0: number;
  v1: number;
}
type Row = Placed[];

/** Of the height of the signs: a wider gap may be one between columns. */
const GUTTER = 0.9;
/** Rows side by side that make columns, and words a row that make prose: a table is read row by row. */
const ROWS = 4;
const PROSE = 3;
const DEPTH = 6;

function place(word: Word): Placed {
  const { x0, y0, x1, y1, turn } = word;
  const turned: Record<Word['turn'], [number, number, number, number]> = {
    0: [x0, x1, y0, y1],
    1: [y0, y1, -x1, -x0],
    2: [-x1, -x0, -y1, -y0],
    3: [-y1, -y0, x0, x1],
  };
  const [u0, u1, v0, v1] = turned[turn];
  return { word, u0, u1, v0, v1 };
}

function rowsOf(words: Placed[]): Row[] {
  const rows: Array<{ v0: number; v1: number; words: Row }> = [];
  for (const word of words.toSorted((a, b) => a.v0 + a.v1 - b.v0 - b.v1)) {
    // Only the last few rows can reach down to it.
    const row = rows.slice(-4).findLast(({ v0, v1 }) => {
      const shared = Math.min(v1, word.v1) - Math.max(v0, word.v0);
      return shared > 0.5 * Math.min(v1 - v0, word.v1 - word.v0);
    });
    if (row) row.words.push(word);
    else rows.push({ v0: word.v0, v1: word.v1, words: [word] });
  }
  return rows.map((row) => row.words.sort((a, b) => a.u0 - b.u0));
}

type Side = 'across' | 'both' | 'left' | 'right';

function sideOf(row: Row, u: number, least: number): Side {
  const left = row.findLast(({ u0, u1 }) => (u0 + u1) / 2 < u);
  const right = row.find(({ u0, u1 }) => (u0 + u1) / 2 >= u);
  if (!left || !right) return left ? (left.u1 > u ? 'across' : 'left') : right!.u0 < u ? 'across' : 'right';
  return left.u1 <= u && right.u0 >= u && right.u0 - left.u1 >= least ? 'both' : 'across';
}

/** Rows that no word and no ordinary blank crosses at `u`, as [from, to) with their number of rows on both sides. */
function runsAt(rows: Row[], u: number, least: number): Array<{ from: number; to: number; both: number }> {
  const runs: Array<{ from: number; to: number; both: number }> = [];
  let from = 0;
  let both = 0;
  for (let at = 0; at <= rows.length; at++) {
    const side = at < rows.length ? sideOf(rows[at]!, u, least) : 'across';
    if (side === 'both') both++;
    if (side !== 'across') continue;
    if (both >= ROWS && isProse(rows.slice(from, at), u)) runs.push({ from, to: at, both });
    from = at + 1;
    both = 0;
  }
  return runs;
}

function isProse(rows: Row[], u: number): boolean {
  const counts = rows.map((row) => row.filter(({ u0 }) => u0 < u).length);
  const mean = (numbers: number[]) => numbers.reduce((sum, n) => sum + n, 0) / Math.max(1, numbers.length);
  const left = counts.filter((n) => n > 0);
  const right = rows.map((row, index) => row.length - counts[index]!).filter((n) => n > 0);
  return mean(left) >= PROSE && mean(right) >= PROSE;
}

function gutterOf(rows: Row[], least: number): { u: number; runs: ReturnType<typeof runsAt> } | null {
  const votes = new Map<number, number>();
  for (const row of rows) {
    for (let at = 1; at < row.length; at++) {
      const [end, start] = [row[at - 1]!.u1, row[at]!.u0];
      if (start - end < least) continue;
      const key = Math.round((end + start) / 2 / 4) * 4;
      votes.set(key, (votes.get(key) ?? 0) + 1);
    }
  }
  const candidates = [...votes].sort((a, b) => b[1] - a[1]).slice(0, 12);
  let best: { u: number; runs: ReturnType<typeof runsAt> } | null = null;
  const rowsIn = (runs: Array<{ both: number }>) => runs.reduce((sum, { both }) => sum + both, 0);
  for (const [u] of candidates) {
    const runs = runsAt(rows, u, least);
    if (runs.length > 0 && (!best || rowsIn(runs) > rowsIn(best.runs))) best = { u, runs };
  }
  return best;
}

const isRtl = (words: Placed[]) => words.filter(({ word }) => word.rtl).length * 2 > words.length;

function readRow(row: Row): Word[] {
  if (!isRtl(row)) return row.map(({ word }) => word);
  const read: Word[] = [];
  let other: Word[] = [];
  for (const { word } of row.toReversed()) {
    if (word.rtl) {
      read.push(...other.reverse(), word);
      other = [];
    } else other.push(word);
  }
  return [...read, ...other.reverse()];
}

function median(numbers: number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}

function read(words: Placed[], depth: number): Word[][] {
  const rows = rowsOf(words);
  const least = Math.max(5, GUTTER * median(words.map(({ word }) => word.size)));
  const gutter = depth < DEPTH && rows.length >= ROWS ? gutterOf(rows, least) : null;
  if (!gutter) return rows.map(readRow);
  const lines: Word[][] = [];
  let done = 0;
  for (const { from, to } of gutter.runs) {
    lines.push(...rows.slice(done, from).map(readRow));
    const band = rows.slice(from, to).flat();
    const left = band.filter(({ u0, u1 }) => (u0 + u1) / 2 < gutter.u);
    const right = band.filter(({ u0, u1 }) => (u0 + u1) / 2 >= gutter.u);
    for (const column of isRtl(band) ? [right, left] : [left, right]) lines.push(...read(column, depth + 1));
    done = to;
  }
  return [...lines, ...rows.slice(done).map(readRow)];
}

/** Columns one after the other, tables row by row, text that stands on its side after the rest. */
export function linesOf(words: Word[]): Word[][] {
  const turns = Map.groupBy(words, (word) => word.turn);
  return [...turns.values()]
    .sort((a, b) => b.length - a.length)
    .flatMap((group) => read(group.map(place), 0));
}

/** For each word four numbers, tenths of a page unit: x, y, width, height. */
export function pageOf(lines: Word[][]): { text: string; boxes: number[] } {
  const tenths = ({ x0, y0, x1, y1 }: Box) => [x0, y0, x1 - x0, y1 - y0].map((n) => Math.round(n * 10));
  return {
    text: lines.map((line) => line.map(({ text }) => text).join(' ')).join('\n'),
    boxes: lines.flat().flatMap(tenths),
  };
}
