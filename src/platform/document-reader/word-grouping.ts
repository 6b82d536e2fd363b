import type { Box, Glyph } from './glyphs.ts';

/** `turn` is its direction in quarters: 0 to the right, 1 down, 2 to the left, 3 up. */
export interface Word extends Box {
  text: string;
  size: number;
  turn: 0 | 1 | 2 | 3;
  rtl: boolean;
  hidden: boolean;
}

/** Of the height of the signs: a wider gap parts words. */
const GAP = 0.15;
const RTL = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;
/** Ligatures and contextual forms, which stand for letters; other compatibility signs (½, ²) say more than theirs. */
const FORMS = /[\ufb00-\ufdff\ufe70-\ufeff]+/g;
/** Between Chinese and Japanese signs stands no blank; a word that long is cut, so that a mark covers what it means. */
const LONGEST = 40;

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

function wordOf(glyphs: Glyph[]): Word[] {
  const turn = turnOf(glyphs);
  const plain = glyphs.map((glyph) => glyph.text).join('');
  const letters = [...plain].filter((sign) => /\p{L}/u.test(sign));
  const rtl = letters.length > 0 && letters.filter((sign) => RTL.test(sign)).length * 2 > letters.length;
  // A word painted from right to left turns by half a circle; it is upright all the same.
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
  // What has no width of its own belongs to what stands before it.
  if (length < 1e-6)
    return !next.apart && Math.hypot(next.from[0] - last.to[0], next.from[1] - last.to[1]) < size;
  const [ux, uy] = [dx / length, dy / length];
  const gap = (next.from[0] - last.to[0]) * ux + (next.from[1] - last.to[1]) * uy;
  const off = Math.abs((next.from[0] - last.from[0]) * uy - (next.from[1] - last.from[1]) * ux);
  if (off > size * 0.4) return false;
  const back = (last.from[0] - next.to[0]) * ux + (last.from[1] - next.to[1]) * uy;
  const backwards = RTL.test(next.text) && Math.abs(back) < size * GAP;
  return backwards || (gap < size * GAP && gap > -size * 0.5);
}

/** Bold type is sometimes made by painting a sign twice. */
function onceEach(glyphs: Glyph[]): Glyph[] {
  const seen = new Set<string>();
  return glyphs.filter((glyph) => {
    const step = Math.max(0.5, glyph.size * 0.12);
    const key = `${glyph.text} ${Math.round(glyph.from[0] / step)} ${Math.round(glyph.from[1] / step)}`;
    return !seen.has(key) && seen.add(key);
  });
}

export function wordsOf(glyphs: Glyph[]): Word[] {
  const words: Word[] = [];
  let open: Glyph[] = [];
  for (const glyph of onceEach(glyphs)) {
    const last = open[open.length - 1];
    // Where text was only moved to, the word may go on: many programs place each sign.
    const goesOn =
      last && open.length < LONGEST && follows(last, glyph) && !(glyph.apart && isBlankBetween(last, glyph));
    if (!goesOn && open.length > 0) {
      words.push(...wordOf(open));
      open = [];
    }
    open.push(glyph);
  }
  if (open.length > 0) words.push(...wordOf(open));
  return words;
}

function isBlankBetween(last: Glyph, next: Glyph): boolean {
  const distance = Math.hypot(next.from[0] - last.to[0], next.from[1] - last.to[1]);
  return distance > Math.max(last.size, next.size) * 0.08;
}
