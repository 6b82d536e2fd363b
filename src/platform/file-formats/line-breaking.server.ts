import bidiFactory from 'bidi-js';
import LineBreaker from 'linebreak';
import type { RichRun } from '#shared/rich-text.ts';
import type { FontSet } from './font-set.server.ts';
import type { PdfFont } from './pdf-font.server.ts';

const bidi = bidiFactory();
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

export interface Piece {
  face: PdfFont;
  text: string;
  /** The text as painted: brackets are mirrored in right-to-left text. */
  shown: string;
  /** Level of the bidirectional algorithm; odd means right to left. */
  level: number;
  style: RichRun;
  width: number;
  blank: boolean;
  breaks: 'no' | 'may' | 'must';
}

export interface Paragraph {
  pieces: Piece[];
  rtl: boolean;
}

export const isRtl = ({ level }: Pick<Piece, 'level'>) => level % 2 === 1;
export const widthOf = (pieces: readonly Piece[]) => pieces.reduce((sum, { width }) => sum + width, 0);

function breaksOf(text: string): Map<number, Piece['breaks']> {
  const breaker = new LineBreaker(text);
  const breaks = new Map<number, Piece['breaks']>();
  for (let next = breaker.nextBreak(); next; next = breaker.nextBreak())
    breaks.set(next.position, next.required && text[next.position - 1] === '\n' ? 'must' : 'may');
  return breaks;
}

const withWidth = (piece: Omit<Piece, 'width'>, size: number): Piece => ({
  ...piece,
  width: piece.face.width(piece.shown, isRtl(piece), size),
});

export function piecesOf(
  fonts: FontSet,
  runs: readonly RichRun[],
  size: number,
  direction: 'auto' | 'ltr' | 'rtl' = 'auto',
): Paragraph {
  const text = runs.map((run) => run.text).join('');
  const { levels, paragraphs } = bidi.getEmbeddingLevels(text, direction);
  const breaks = breaksOf(text);
  const pieces: Omit<Piece, 'width'>[] = [];
  let at = 0;
  for (const style of runs)
    for (const character of style.text) {
      const level = levels[at] ?? 0;
      at += character.length;
      const end = breaks.get(at) ?? 'no';
      const last = pieces.at(-1);
      const face = fonts.faceFor(character === '\n' ? ' ' : character, style, last?.face ?? null);
      if (!face) {
        if (last && end !== 'no') last.breaks = end;
        continue;
      }
      const blank = character === ' ' || character === '\n';
      const mirrored = level % 2 === 1 ? bidi.getMirroredCharacter(character) : null;
      const continues =
        last?.face === face &&
        last.style === style &&
        last.level === level &&
        last.breaks === 'no' &&
        last.blank === blank &&
        !mirrored &&
        last.text === last.shown;
      const written = character === '\n' ? '' : character;
      if (continues) {
        last.text += written;
        last.shown = last.text;
        last.breaks = end;
      } else
        pieces.push({ face, text: written, shown: mirrored ?? written, level, style, blank, breaks: end });
    }
  return {
    pieces: pieces.map((piece) => withWidth(piece, size)),
    rtl: (paragraphs[0]?.level ?? 0) % 2 === 1,
  };
}

const splitGraphemes = (piece: Piece, size: number): Piece[] =>
  Array.from(graphemes.segment(piece.text), ({ segment }) =>
    withWidth(
      { ...piece, text: segment, shown: piece.text === piece.shown ? segment : piece.shown, breaks: 'may' },
      size,
    ),
  );

function unitsOf(pieces: readonly Piece[]): Piece[][] {
  const units: Piece[][] = [[]];
  for (const piece of pieces) {
    units.at(-1)?.push(piece);
    if (piece.breaks !== 'no') units.push([]);
  }
  return units.filter((unit) => unit.length > 0);
}

const withoutTrailingBlanks = (pieces: readonly Piece[]) =>
  pieces.slice(0, pieces.findLastIndex(({ blank }) => !blank) + 1);

export function linesOf({ pieces }: Paragraph, maxWidth: number, size: number): Piece[][] {
  const lines: Piece[][] = [[]];
  let used = 0;
  const addUnit = (unit: Piece[]) => {
    const line = lines.at(-1)!;
    line.push(...unit);
    used += widthOf(unit);
  };
  const startLine = () => {
    lines.push([]);
    used = 0;
  };
  for (const unit of unitsOf(pieces)) {
    const width = widthOf(withoutTrailingBlanks(unit));
    if (used > 0 && used + width > maxWidth) startLine();
    if (width <= maxWidth) addUnit(unit);
    else
      for (const grapheme of unit.flatMap((piece) => splitGraphemes(piece, size))) {
        if (used > 0 && used + grapheme.width > maxWidth) startLine();
        addUnit([grapheme]);
      }
    if (unit.at(-1)?.breaks === 'must') startLine();
  }
  return lines.map(withoutTrailingBlanks);
}

/** Offset of each piece in points from the left end, by rule L2 of the bidirectional algorithm. */
export function placesOf(line: readonly Piece[]): number[] {
  const order = line.map((_, at) => at);
  const highest = Math.max(0, ...line.map(({ level }) => level));
  for (let level = highest; level > 0; level--)
    for (let from = 0; from < order.length; from++) {
      let to = from;
      while (to < order.length && line[order[to]!]!.level >= level) to++;
      if (to > from) order.splice(from, to - from, ...order.slice(from, to).reverse());
      from = to;
    }
  const places: number[] = [];
  let x = 0;
  for (const at of order) {
    places[at] = x;
    x += line[at]!.width;
  }
  return places;
}
