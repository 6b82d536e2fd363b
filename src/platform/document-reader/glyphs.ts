import type * as Pdfjs from 'pdfjs-dist';

/** In page units, from the top left corner of the page as displayed. */
export interface Box {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
}

export interface Glyph extends Box {
  text: string;
  from: [number, number];
  to: [number, number];
  size: number;
  /** Invisible to readers: painted in no color or the paper's, off the page, or too small. */
  hidden: boolean;
  /** Separated from the previous glyph by a space or a new piece of text. */
  isSeparate: boolean;
}

type Matrix = number[];
type Font = { fontMatrix?: Matrix; ascent?: number; descent?: number; vertical?: boolean };
type ShownGlyph = { unicode: string; width: number; isSpace: boolean; vmetric?: number[] } | number;

const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];
/** Glyphs smaller than this, in page units, are invisible. */
const MIN_SIZE = 1;
/** Most painted areas that are examined; a page with more is a drawing. */
const MAX_BACKGROUNDS = 2_000;

function multiply(a: Matrix, b: Matrix): Matrix {
  const [a0, a1, a2, a3, a4, a5] = a as [number, number, number, number, number, number];
  const [b0, b1, b2, b3, b4, b5] = b as [number, number, number, number, number, number];
  return [
    a0 * b0 + a2 * b1,
    a1 * b0 + a3 * b1,
    a0 * b2 + a2 * b3,
    a1 * b2 + a3 * b3,
    a0 * b4 + a2 * b5 + a4,
    a1 * b4 + a3 * b5 + a5,
  ];
}

const transform = (m: Matrix, x: number, y: number): [number, number] => [
  m[0]! * x + m[2]! * y + m[4]!,
  m[1]! * x + m[3]! * y + m[5]!,
];

function boxOf(m: Matrix, x0: number, y0: number, x1: number, y1: number): Box {
  const corners = [transform(m, x0, y0), transform(m, x1, y0), transform(m, x0, y1), transform(m, x1, y1)];
  const xs = corners.map(([x]) => x);
  const ys = corners.map(([, y]) => y);
  return { x0: Math.min(...xs), y0: Math.min(...ys), x1: Math.max(...xs), y1: Math.max(...ys) };
}

interface State {
  ctm: Matrix;
  text: Matrix;
  x: number;
  y: number;
  lineX: number;
  lineY: number;
  font: Font;
  size: number;
  direction: number;
  charSpacing: number;
  wordSpacing: number;
  scale: number;
  leading: number;
  rise: number;
  mode: number;
  color: string;
  alpha: number;
}

const isWhite = (color: string) => /^#f[5-9a-f]f[5-9a-f]f[5-9a-f]$/i.test(color);

const finite = (value: unknown, fallback: number) =>
  typeof value === 'number' && Number.isFinite(value) ? value : fallback;

const clamp = (value: number, min: number, max: number) => Math.min(max, Math.max(min, value));

/** Collects the text that a page paints, step by step, as the library's own painter (`CanvasGraphics`) would. */
class Painter {
  readonly glyphs: Glyph[] = [];
  readonly #ops: typeof Pdfjs.OPS;
  readonly #page: Box;
  readonly #maxGlyphs: number;
  readonly #images: boolean;
  readonly #backgrounds: Box[] = [];
  readonly #stack: State[] = [];
  #state: State;
  #isSeparate = true;

  constructor(ops: typeof Pdfjs.OPS, viewport: Pdfjs.PageViewport, images: boolean, maxGlyphs: number) {
    this.#ops = ops;
    this.#page = { x0: 0, y0: 0, x1: viewport.width, y1: viewport.height };
    this.#images = images;
    this.#maxGlyphs = maxGlyphs;
    this.#state = {
      ctm: viewport.transform,
      text: IDENTITY,
      x: 0,
      y: 0,
      lineX: 0,
      lineY: 0,
      font: {},
      size: 0,
      direction: 1,
      charSpacing: 0,
      wordSpacing: 0,
      scale: 1,
      leading: 0,
      rise: 0,
      mode: 0,
      color: '#000000',
      alpha: 1,
    };
  }

  step(op: number, args: unknown[], fonts: Map<string, Font>): boolean {
    if (!this.#graphics(op, args, fonts)) this.#text(op, args, fonts);
    return this.glyphs.length <= this.#maxGlyphs;
  }

  #pushState(matrix: unknown): void {
    const state = this.#state;
    this.#stack.push({ ...state });
    if (Array.isArray(matrix) || ArrayBuffer.isView(matrix))
      state.ctm = multiply(state.ctm, matrix as Matrix);
  }

  #graphics(op: number, args: unknown[], fonts: Map<string, Font>): boolean {
    const OPS = this.#ops;
    const state = this.#state;
    if (op === OPS.save) this.#pushState(null);
    else if (op === OPS.paintFormXObjectBegin) this.#pushState(args[0]);
    else if (op === OPS.beginGroup) this.#pushState((args[0] as { matrix?: unknown } | undefined)?.matrix);
    else if (op === OPS.restore || op === OPS.paintFormXObjectEnd || op === OPS.endGroup)
      this.#state = this.#stack.pop() ?? state;
    else if (op === OPS.transform) state.ctm = multiply(state.ctm, args as Matrix);
    else if (op === OPS.setFillRGBColor) state.color = String(args[0]);
    else if (op === OPS.setFillTransparent) state.color = 'transparent';
    else if (op === OPS.setFillColorN) state.color = 'pattern';
    else if (op === OPS.constructPath) this.#paintPath(Number(args[0]), args[2]);
    else if (op === OPS.shadingFill) this.#backgrounds.push(this.#page);
    else if (op === OPS.setGState) {
      for (const [key, value] of (args[0] ?? []) as Array<[string, unknown]>) {
        if (key === 'ca') state.alpha = finite(value, 1);
        if (key === 'Font')
          this.#setFont((value as [string, number])[0], (value as [string, number])[1], fonts);
      }
    } else return false;
    return true;
  }

  /** Text state and operators: ISO 32000, 9.3 and 9.4. */
  #text(op: number, args: unknown[], fonts: Map<string, Font>): void {
    const OPS = this.#ops;
    const state = this.#state;
    const number = (index = 0) => finite(args[index], 0);
    const resetText = (text: Matrix) => Object.assign(state, { text, x: 0, y: 0, lineX: 0, lineY: 0 });
    if (op === OPS.beginText) resetText(IDENTITY);
    else if (op === OPS.setTextMatrix) resetText(args[0] as Matrix);
    else if (op === OPS.setCharSpacing) state.charSpacing = number();
    else if (op === OPS.setWordSpacing) state.wordSpacing = number();
    else if (op === OPS.setHScale) state.scale = number() / 100;
    else if (op === OPS.setLeading) state.leading = -number();
    else if (op === OPS.setTextRise) state.rise = number();
    else if (op === OPS.setTextRenderingMode) state.mode = number();
    else if (op === OPS.setFont) this.#setFont(String(args[0]), number(1), fonts);
    else if (op === OPS.moveText) this.#move(number(0), number(1));
    else if (op === OPS.setLeadingMoveText) {
      state.leading = number(1);
      this.#move(number(0), number(1));
    } else if (op === OPS.nextLine) this.#move(0, state.leading);
    else if (op === OPS.showText) this.#show(args[0] as ShownGlyph[]);
  }

  #setFont(name: string, size: number, fonts: Map<string, Font>): void {
    this.#state.font = fonts.get(name) ?? {};
    this.#state.size = Math.abs(size);
    this.#state.direction = size < 0 ? -1 : 1;
  }

  #move(x: number, y: number): void {
    const state = this.#state;
    state.lineX += x;
    state.lineY += y;
    state.x = state.lineX;
    state.y = state.lineY;
    this.#isSeparate = true;
  }

  #paintPath(operator: number, extent: unknown): void {
    const { fill, eoFill, fillStroke, eoFillStroke, closeFillStroke, closeEOFillStroke } = this.#ops;
    const fills = [fill, eoFill, fillStroke, eoFillStroke, closeFillStroke, closeEOFillStroke];
    const { color, ctm } = this.#state;
    if (!extent || !fills.includes(operator) || isWhite(color) || color === 'transparent') return;
    const [x0, y0, x1, y1] = extent as [number, number, number, number];
    if (this.#backgrounds.length < MAX_BACKGROUNDS) this.#backgrounds.push(boxOf(ctm, x0, y0, x1, y1));
  }

  #show(shown: ShownGlyph[]): void {
    const state = this.#state;
    const { font, size, direction, charSpacing, wordSpacing } = state;
    const unit = size * (font.fontMatrix?.[0] ?? 0.001);
    const toPage = multiply(state.ctm, state.text);
    const along = state.scale * direction;
    // Vertical text runs down from its origin; its boxes are one glyph wide.
    const down = font.vertical === true;
    let at = 0;
    for (const glyph of shown) {
      if (typeof glyph === 'number') {
        at += ((down ? 1 : -1) * glyph * size) / 1000;
        continue;
      }
      const spacing = (glyph.isSpace ? wordSpacing : 0) + charSpacing;
      const width = down ? -(glyph.vmetric?.[0] ?? 1000) * unit : glyph.width * unit;
      this.#add(glyph.unicode, toPage, { at, width, along, down });
      at += down ? width - spacing * direction : width + spacing * direction;
      if (charSpacing > 0 && this.glyphs.length > 0 && !this.#isSeparate) {
        const last = this.glyphs[this.glyphs.length - 1]!;
        last.to = down
          ? transform(toPage, state.x, state.y + state.rise - at)
          : transform(toPage, state.x + at * along, state.y + state.rise);
      }
    }
    if (down) state.y -= at;
    else state.x += at * along;
  }

  #add(text: string, m: Matrix, position: { at: number; width: number; along: number; down: boolean }): void {
    if (text.trim() === '') {
      this.#isSeparate = true;
      return;
    }
    const { font, size, rise, x, y } = this.#state;
    const { at, width, along, down } = position;
    const base = y + rise;
    const high = clamp(finite(font.ascent, 0) || 0.8, 0.6, 1) * size;
    const low = clamp(finite(font.descent, 0) || -0.2, -0.35, -0.1) * size;
    const box = down
      ? boxOf(m, x - size / 2, base - at - width, x + size / 2, base - at)
      : boxOf(m, x + at * along, base + low, x + (at + width) * along, base + high);
    if (![box.x0, box.y0, box.x1, box.y1].every(Number.isFinite)) return;
    const from = down ? transform(m, x, base - at) : transform(m, x + at * along, base);
    const to = down ? transform(m, x, base - at - width) : transform(m, x + (at + width) * along, base);
    const shownSize = size * Math.hypot(m[2]!, m[3]!);
    this.glyphs.push({
      text,
      ...box,
      from,
      to,
      size: shownSize,
      hidden: this.#isHidden(box, shownSize),
      isSeparate: this.#isSeparate,
    });
    this.#isSeparate = false;
  }

  #isHidden(box: Box, size: number): boolean {
    const { mode, color, alpha } = this.#state;
    const page = this.#page;
    if (mode === 3 || mode === 7 || alpha === 0 || color === 'transparent' || size < MIN_SIZE) return true;
    if (box.x1 <= 0 || box.y1 <= 0 || box.x0 >= page.x1 || box.y0 >= page.y1) return true;
    if (!isWhite(color) || this.#images) return false;
    const [x, y] = [(box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2];
    return !this.#backgrounds.some(
      (background) => x >= background.x0 && x <= background.x1 && y >= background.y0 && y <= background.y1,
    );
  }
}

async function loadFonts(page: Pdfjs.PDFPageProxy, names: Set<string>): Promise<Map<string, Font>> {
  const found = new Map<string, Font>();
  for (const name of names) {
    const font = await new Promise((done) => page.commonObjs.get(name, done));
    found.set(name, (font ?? {}) as Font);
  }
  return found;
}

/**
 * Returns glyphs in painting order, or null when there are more than `maxGlyphs`. `images` counts the pictures so far:
 * on a page with pictures, white glyphs count as visible, because their background is unknown.
 */
export async function readGlyphs(
  pdfjs: typeof Pdfjs,
  page: Pdfjs.PDFPageProxy,
  { images, maxGlyphs }: { images: () => number; maxGlyphs: number },
): Promise<{ glyphs: Glyph[]; images: boolean } | null> {
  const before = images();
  const list = await page.getOperatorList({ annotationMode: pdfjs.AnnotationMode.DISABLE });
  const hasImages = images() > before;
  const names = new Set<string>();
  for (const [index, op] of list.fnArray.entries()) {
    if (op === pdfjs.OPS.setFont) names.add(String(list.argsArray[index][0]));
    if (op === pdfjs.OPS.setGState)
      for (const [key, value] of list.argsArray[index][0] ?? [])
        if (key === 'Font') names.add(String(value[0]));
  }
  const fonts = await loadFonts(page, names);
  const painter = new Painter(pdfjs.OPS, page.getViewport({ scale: 1 }), hasImages, maxGlyphs);
  for (const [index, op] of list.fnArray.entries()) {
    if (!painter.step(op, (list.argsArray[index] ?? []) as unknown[], fonts)) return null;
  }
  return { glyphs: painter.glyphs, images: hasImages };
}
