import type { Box, Glyph } from './glyphs.ts';

/** `turn` is the writing direction in quarter turns: 0 right, 1 down, 2 left, 3 up. */
export interface Word extends Box {
  text: string;
  size: number;
  turn: 0 | 1 | 2 | 3;
  rtl: boolean;
  hidden: boolean;
}

/** A gap wider than this part of the glyph size separates words. */
const GAP = 0.15;
const RTL = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
/** Ligatures and contextual forms, to become letters; other compatibility characters (½, ²) mean more than letters. */
const FORMS = /[\ufb00-\ufdff\ufe70-\ufeff]+/g;
/** Chinese and Japanese have no spaces; longer words are cut, so that a highlight covers only what it refers to. */
const MAX_WORD_GLYPHS = 40;

function turnOf(glyphs: Glyph[]): Word['turn'] {
  const [first, last] = [glyphs[0]!, glyphs[glyphs.length - 1]!];
  const angle = Math.atan2(last.to[1] - first.from[1], last.to[0] - first.from[0]);
  return ((Math.round(angle / (Math.PI / 2)) + 4) % 4) as Word['turn'];
}

const along = (turn: number, x: number, y: number) => [x, y, -x, -y][turn]!;

function readRightToLeft(glyphs: Glyph[], turn: number): string {
  const at = (glyph: Glyph) => along(turn, (glyph.x0 + glyph.x1) / 2, (glyph.y0 + glyph.y1) / 2);
  const text = glyphs.toSorted((a, b) => at(b) - at(a)).map((glyph) => glyph.text);
  return text.join('').replace(/\p{N}[\p{N}.,:/]*\p{N}/gu, (figures) => [...figures].reverse().join(''));
}

function makeWord(glyphs: Glyph[]): Word[] {
  const turn = turnOf(glyphs);
  const plain = glyphs.map((glyph) => glyph.text).join('');
  const letters = [...plain].filter((character) => /\p{L}/u.test(character));
  const rtl =
    letters.length > 0 && letters.filter((character) => RTL.test(character)).length * 2 > letters.length;
  // A word painted from right to left appears rotated by half a turn, but it is upright.
  const upright = rtl && turn === 2 ? 0 : rtl && turn === 1 && glyphs.length > 1 ? 1 : turn;
  const text = (rtl ? readRightToLeft(glyphs, upright) : plain)
    .toWellFormed()
    .replace(FORMS, (forms) => forms.normalize('NFKC'))
    .replace(/[\p{Cc}\p{Zs}\ufffe\uffff]+/gu, '');
  if (text === '') return [];
  const box = glyphs.reduce<Box>(
    (all, { x0, y0, x1, y1 }) => ({
      x0: Math.min(all.x0, x0),
      y0: Math.min(all.y0, y0),
      x1: Math.max(all.x1, x1),
      y1: Math.max(all.y1, y1),
    }),
    { x0: Infinity, y0: Infinity, x1: -Infinity, y1: -Infinity },
  );
  const hidden = glyphs.filter((glyph) => glyph.hidden).length * 2 > glyphs.length;
  return [{ text, ...box, size: glyphs[0]!.size, turn, rtl, hidden }].map((word) => ({
    ...word,
    turn: upright,
  }));
}

function follows(last: Glyph, next: Glyph): boolean {
  const size = Math.max(last.size, next.size);
  if (last.hidden !== next.hidden || Math.min(last.size, next.size) < size * 0.55) return false;
  const [dx, dy] = [last.to[0] - last.from[0], last.to[1] - last.from[1]];
  const length = Math.hypot(dx, dy);
  // A glyph without width belongs to the glyph before it.
  if (length < 1e-6)
    return !next.isSeparate && Math.hypot(next.from[0] - last.to[0], next.from[1] - last.to[1]) < size;
  const [ux, uy] = [dx / length, dy / length];
  const gap = (next.from[0] - last.to[0]) * ux + (next.from[1] - last.to[1]) * uy;
  const offset = Math.abs((next.from[0] - last.from[0]) * uy - (next.from[1] - last.from[1]) * ux);
  if (offset > size * 0.4) return false;
  const back = (last.from[0] - next.to[0]) * ux + (last.from[1] - next.to[1]) * uy;
  const backwards = RTL.test(next.text) && Math.abs(back) < size * GAP;
  return backwards || (gap < size * GAP && gap > -size * 0.5);
}

/** Removes duplicates: bold type is sometimes made by painting a glyph twice. */
function withoutDuplicates(glyphs: Glyph[]): Glyph[] {
  const seen = new Set<string>();
  return glyphs.filter((glyph) => {
    const step = Math.max(0.5, glyph.size * 0.12);
    const key = `${glyph.text} ${Math.round(glyph.from[0] / step)} ${Math.round(glyph.from[1] / step)}`;
    return !seen.has(key) && seen.add(key);
  });
}

export function wordsOf(glyphs: Glyph[]): Word[] {
  const words: Word[] = [];
  let current: Glyph[] = [];
  for (const glyph of withoutDuplicates(glyphs)) {
    const last = current[current.length - 1];
    // After a mere move of the text position the word may continue: many programs place each glyph separately.
    const continues =
      last &&
      current.length < MAX_WORD_GLYPHS &&
      follows(last, glyph) &&
      !(glyph.isSeparate && isBlankBetween(last, glyph));
    if (!continues && current.length > 0) {
      words.push(...makeWord(current));
      current = [];
    }
    current.push(glyph);
  }
  if (current.length > 0) words.push(...makeWord(current));
  return words;
}

function isBlankBetween(last: Glyph, next: Glyph): boolean {
  const distance = Math.hypot(next.from[0] - last.to[0], next.from[1] - last.to[1]);
  return distance > Math.max(last.size, next.size) * 0.08;
}

/** A word rotated so that its line runs to the right: `u` is the position along the line, `v` down the page. */
interface Placed {
  word: Word;
  u0: number;
  u1: number;
  v0: number;
  v1: number;
}
type Row = Placed[];

/** A gap wider than this part of the glyph size may separate columns. */
const GUTTER = 0.9;
/** Rows that columns must share, and words per row that prose has: with fewer it is a table, read row by row. */
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
    // Only the last few rows can reach down this far.
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

function sideOf(row: Row, u: number, minGap: number): Side {
  const left = row.findLast(({ u0, u1 }) => (u0 + u1) / 2 < u);
  const right = row.find(({ u0, u1 }) => (u0 + u1) / 2 >= u);
  if (!left || !right) return left ? (left.u1 > u ? 'across' : 'left') : right!.u0 < u ? 'across' : 'right';
  return left.u1 <= u && right.u0 >= u && right.u0 - left.u1 >= minGap ? 'both' : 'across';
}

/** Runs [from, to) of rows that leave a gap at `u`; `both` counts those with text on both sides. */
function runsAt(rows: Row[], u: number, minGap: number): Array<{ from: number; to: number; both: number }> {
  const runs: Array<{ from: number; to: number; both: number }> = [];
  let from = 0;
  let both = 0;
  for (let at = 0; at <= rows.length; at++) {
    const side = at < rows.length ? sideOf(rows[at]!, u, minGap) : 'across';
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

function gutterOf(rows: Row[], minGap: number): { u: number; runs: ReturnType<typeof runsAt> } | null {
  const votes = new Map<number, number>();
  for (const row of rows) {
    for (let at = 1; at < row.length; at++) {
      const [end, start] = [row[at - 1]!.u1, row[at]!.u0];
      if (start - end < minGap) continue;
      const key = Math.round((end + start) / 2 / 4) * 4;
      votes.set(key, (votes.get(key) ?? 0) + 1);
    }
  }
  const candidates = [...votes].sort((a, b) => b[1] - a[1]).slice(0, 12);
  let best: { u: number; runs: ReturnType<typeof runsAt> } | null = null;
  const rowsIn = (runs: Array<{ both: number }>) => runs.reduce((sum, { both }) => sum + both, 0);
  for (const [u] of candidates) {
    const runs = runsAt(rows, u, minGap);
    if (runs.length > 0 && (!best || rowsIn(runs) > rowsIn(best.runs))) best = { u, runs };
  }
  return best;
}

const isRtl = (words: Placed[]) => words.filter(({ word }) => word.rtl).length * 2 > words.length;

function readRow(row: Row): Word[] {
  if (!isRtl(row)) return row.map(({ word }) => word);
  const ordered: Word[] = [];
  let pending: Word[] = [];
  for (const { word } of row.toReversed()) {
    if (word.rtl) {
      ordered.push(...pending.reverse(), word);
      pending = [];
    } else pending.push(word);
  }
  return [...ordered, ...pending.reverse()];
}

function median(numbers: number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}

function readLines(words: Placed[], depth: number): Word[][] {
  const rows = rowsOf(words);
  const minGap = Math.max(5, GUTTER * median(words.map(({ word }) => word.size)));
  const gutter = depth < DEPTH && rows.length >= ROWS ? gutterOf(rows, minGap) : null;
  if (!gutter) return rows.map(readRow);
  const lines: Word[][] = [];
  let done = 0;
  for (const { from, to } of gutter.runs) {
    lines.push(...rows.slice(done, from).map(readRow));
    const band = rows.slice(from, to).flat();
    const left = band.filter(({ u0, u1 }) => (u0 + u1) / 2 < gutter.u);
    const right = band.filter(({ u0, u1 }) => (u0 + u1) / 2 >= gutter.u);
    for (const column of isRtl(band) ? [right, left] : [left, right])
      lines.push(...readLines(column, depth + 1));
    done = to;
  }
  return [...lines, ...rows.slice(done).map(readRow)];
}

/** Orders words: columns one after the other, tables row by row, rotated text after the rest. */
export function linesOf(words: Word[]): Word[][] {
  const turns = Map.groupBy(words, (word) => word.turn);
  return [...turns.values()]
    .sort((a, b) => b.length - a.length)
    .flatMap((group) => readLines(group.map(place), 0));
}

/** `boxes` has four numbers per word, in tenths of a page unit: x, y, width, height. */
export function pageOf(lines: Word[][]): { text: string; boxes: number[] } {
  const tenths = ({ x0, y0, x1, y1 }: Box) => [x0, y0, x1 - x0, y1 - y0].map((n) => Math.round(n * 10));
  return {
    text: lines.map((line) => line.map(({ text }) => text).join(' ')).join('\n'),
    boxes: lines.flat().flatMap(tenths),
  };
}
