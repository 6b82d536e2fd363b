import type PDFDocument from 'pdfkit';

type Document = typeof PDFDocument.prototype;

interface Glyph {
  id: number;
  advanceWidth: number;
  codePoints: number[];
}

interface Position {
  xAdvance: number;
  xOffset: number;
  yOffset: number;
}

interface EmbeddedFont {
  id: string;
  font: {
    unitsPerEm: number;
    hasGlyphForCodePoint(code: number): boolean;
    glyphForCodePoint(code: number): Glyph;
    layout(
      text: string,
      features: string[],
      script: undefined,
      language: undefined,
      direction: 'ltr' | 'rtl',
    ): { glyphs: Glyph[]; positions: Position[] };
  };
  subset: { glyphs: number[]; includeGlyph(id: number): number };
  widths: number[];
  unicode: number[][];
  ref(): unknown;
}

interface Internals {
  _font: EmbeddedFont;
  page: { fonts: Record<string, unknown> };
  addContent(operators: string): unknown;
}

/** Lengths in thousandths of the font size. */
interface Placed {
  id: number;
  codes: number[];
  width: number;
  advance: number;
  x: number;
  y: number;
}

interface Run {
  placed: Placed[];
  width: number;
}

/** U+200D, zero-width joiner: a format character, not a letter. */
const JOINER = 0x200d;

const codesOf = (text: string) => Array.from(text, (character) => character.codePointAt(0) ?? 0);
const hex = (cid: number) => cid.toString(16).padStart(4, '0');
const number = (value: number) => String(Math.round(value * 1000) / 1000);

export class PdfFont {
  private readonly font: EmbeddedFont;
  private readonly scale: number;
  private readonly cids = new Map<string, number>();
  private readonly usedCids = new Set<number>();
  private readonly runs = new Map<string, Run>();

  constructor(doc: Document, source: string | Buffer, name: string) {
    doc.registerFont(name, source);
    this.font = (doc.font(name) as unknown as Internals)._font;
    this.scale = 1000 / this.font.font.unitsPerEm;
  }

  knows(character: string): boolean {
    return this.font.font.hasGlyphForCodePoint(character.codePointAt(0) ?? 0);
  }

  /** Restores reading order: fonts paint some vowels before the letter they follow, so glyphs are in another order. */
  private lettersFor(glyphs: Glyph[], text: string): number[][] {
    const codes = codesOf(text);
    if (glyphs.reduce((sum, glyph) => sum + glyph.codePoints.length, 0) !== codes.length)
      return glyphs.map((glyph) => glyph.codePoints);
    let at = 0;
    return glyphs.map(({ codePoints }) => {
      const from = at;
      at += codePoints.length;
      // The second part of a letter that was decomposed.
      return at === from ? [JOINER] : codes.slice(from, at);
    });
  }

  private shape(shown: string, text: string, rtl: boolean): Run {
    const { glyphs, positions } = this.font.font.layout(shown, [], undefined, undefined, rtl ? 'rtl' : 'ltr');
    const letters = this.lettersFor(rtl ? glyphs.toReversed() : glyphs, text);
    if (rtl) letters.reverse();
    const blank = this.font.font.glyphForCodePoint(0x20);
    const placed = glyphs.flatMap((glyph, at): Placed[] => {
      const { xAdvance, xOffset, yOffset } = positions[at]!;
      const [first, ...more] = letters[at]!;
      const base = {
        id: glyph.id,
        codes: letters[at]!,
        width: glyph.advanceWidth * this.scale,
        advance: xAdvance * this.scale,
        x: xOffset * this.scale,
        y: yOffset * this.scale,
      };
      if (!rtl || more.length === 0 || first === undefined || blank.id === 0) return [base];
      // A right-to-left ligature: programs disagree on the order of its letters, so each letter except the first gets a
      // zero-width space at the ligature's left end.
      const width = blank.advanceWidth * this.scale;
      const rest = more.map(
        (code): Placed => ({ id: blank.id, codes: [code], width, advance: 0, x: 0, y: 0 }),
      );
      return [...rest.reverse(), { ...base, codes: [first] }];
    });
    return { placed, width: placed.reduce((sum, { advance }) => sum + advance, 0) };
  }

  private run(shown: string, text: string, rtl: boolean): Run {
    const key = `${rtl ? '<' : '>'}${shown}\0${text}`;
    const cached = this.runs.get(key);
    if (cached) return cached;
    const run = this.shape(shown, text, rtl);
    if (this.runs.size < 50_000) this.runs.set(key, run);
    return run;
  }

  width(shown: string, rtl: boolean, size: number): number {
    return (this.run(shown, shown, rtl).width * size) / 1000;
  }

  private cid({ id, codes, width }: Placed): number {
    const key = `${id} ${codes.join(' ')}`;
    const cached = this.cids.get(key);
    if (cached !== undefined) return cached;
    const { subset, unicode, widths } = this.font;
    let cid = subset.includeGlyph(id);
    if (this.usedCids.has(cid)) cid = subset.glyphs.push(id) - 1;
    this.usedCids.add(cid);
    this.cids.set(key, cid);
    unicode[cid] = codes;
    widths[cid] = width;
    return cid;
  }

  /** `shown` is `text` with brackets mirrored in right-to-left text. */
  show(doc: Document, text: string, shown: string, rtl: boolean, x: number, y: number, size: number): void {
    const { page, addContent } = doc as unknown as Internals;
    const add = addContent.bind(doc);
    page.fonts[this.font.id] ??= this.font.ref();
    // pdfkit measures y from the top of the page.
    add(`BT /${this.font.id} ${number(size)} Tf 1 0 0 -1 ${number(x)} ${number(y)} Tm`);
    let pending = '';
    let rise = 0;
    // An offset glyph is shifted within the run, so that programs still read one run.
    const shift = (offset: number) => {
      if (Math.abs(offset) > 0.01) pending += number(-offset);
    };
    const riseTo = (newRise: number) => {
      if (newRise === rise) return;
      if (pending !== '') add(`[${pending}] TJ`);
      pending = '';
      rise = newRise;
      add(`${number((newRise * size) / 1000)} Ts`);
    };
    const dots: { glyph: Placed; at: number }[] = [];
    let pen = 0;
    for (const glyph of this.run(shown, text, rtl).placed) {
      const at = pen;
      pen += glyph.advance;
      if (glyph.codes[0] === JOINER && glyph.advance === 0) {
        dots.push({ glyph, at: at + glyph.x });
        continue;
      }
      riseTo(glyph.y);
      shift(glyph.x);
      pending += `<${hex(this.cid(glyph))}>`;
      shift(glyph.advance - glyph.width - glyph.x);
    }
    if (pending !== '') add(`[${pending}] TJ`);
    riseTo(0);
    // Parts without a letter are painted last, so that they do not split words.
    for (const { glyph, at } of dots) {
      const [left, base] = [x + (at * size) / 1000, y - (glyph.y * size) / 1000];
      add(`1 0 0 -1 ${number(left)} ${number(base)} Tm <${hex(this.cid(glyph))}> Tj`);
    }
    add('ET');
  }
}
