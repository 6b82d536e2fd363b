import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import PDFDocument from 'pdfkit';
import { projectRoot } from '#platform/config/project-root.server.ts';
import { TooManyPages } from '#platform/file-formats/file-maker-protocol.ts';
import { UnprintableText } from '#platform/file-formats/font-set.server.ts';
import { hanFonts } from '#platform/file-formats/han-font.server.ts';
import { type Run, unstyledText } from '#shared/fountain/inline-styles.ts';
import { LINES_PER_PAGE, paginate } from '#shared/fountain/paginate.ts';
import type { Cell } from '#shared/fountain/print-rows.ts';
import type { Screenplay } from '#shared/fountain/screenplay.ts';
import { titleValue } from '#shared/fountain/title-page.ts';
import { columnsOf } from '#shared/fountain/wrap-text.ts';
import { type Paper, paperSizes } from '#shared/paper.ts';

/** A letter of two columns. The gap is small, because PDF readers take a larger one for a space. */
const WIDE_CHARACTER = { size: 12.6, stretch: 107, spacing: 14.4 / 1.07 - 12.6 };

/** Points: the industry's margins on any paper, 1.5 inches left, 1 inch above. */
const PAGE = { left: 108, top: 66, line: 12, column: 7.2, number: 36 };

/** Points from the top of a line to its baseline. */
const ASCENT = 9;
/** Left out, because a script is readable without. */
const EMOJI = /\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}|\u200d|\ufe0f/u;
/** Letters that need bidirectional layout and shaping, which this renderer lacks. */
const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u;

const MAX_PAGES = 400;

interface Face {
  name: string;
  /** Path of the font in node_modules, or its bytes. */
  font: string | Buffer;
  /** Point size at which the face has the column width of 12 point Courier. */
  size: number;
  /** Horizontal scaling in per cent. */
  stretch: number;
  /** Points after each letter, before scaling. */
  spacing: number;
}

const courier = (style: string, subset: string): Face => ({
  name: `courier-${subset}-${style}`,
  font: `@fontsource/courier-prime/files/courier-prime-${subset}-${style}.woff`,
  size: 12,
  stretch: 100,
  spacing: 0,
});
/** Its advance is 1233 of 2048 units, a little wider than Courier's. */
const dejaVu = (style: string): Face => ({
  name: `dejavu${style}`,
  font: `dejavu-fonts-ttf/ttf/DejaVuSansMono${style}.ttf`,
  size: 11.959,
  stretch: 100,
  spacing: 0,
});

const faces: Record<string, Face[]> = Object.fromEntries(
  [
    ['', '400-normal', ''],
    ['b', '700-normal', '-Bold'],
    ['i', '400-italic', '-Oblique'],
    ['bi', '700-italic', '-BoldOblique'],
  ].map(([style = '', prime = '', vera = '']) => [
    style,
    [courier(prime, 'latin'), courier(prime, 'latin-ext'), dejaVu(vera)],
  ]),
);

interface Glyphs {
  hasGlyphForCodePoint(point: number): boolean;
}
interface WithFont {
  _font: { font: Glyphs };
}

const files = new Map<string, Buffer>();

function loadFont({ font }: Face): Buffer {
  if (typeof font !== 'string') return font;
  const bytes = files.get(font) ?? readFileSync(join(projectRoot, 'node_modules', font));
  files.set(font, bytes);
  return bytes;
}

class ScriptPdf {
  readonly document: PDFKit.PDFDocument;
  readonly width: number;
  readonly height: number;
  readonly #glyphs = new Map<string, Glyphs>();
  readonly #han = new Map<string, Face>();
  readonly unknownCharacters = new Set<string>();

  constructor(info: { Title: string; Author: string }, paper: Paper) {
    [this.width, this.height] = paperSizes[paper];
    this.document = new PDFDocument({
      size: [this.width, this.height],
      margin: 0,
      autoFirstPage: false,
      // Prevents PDFKit from reading its default font from files next to its package.
      font: '',
      info,
      lang: 'en',
    });
  }

  async addHan(text: string): Promise<void> {
    for (const [weight, style] of [
      [400, ''],
      [700, 'b'],
    ] as const)
      for (const { part, letters, font } of await hanFonts(text, weight)) {
        const face = { name: `han-${part}-${weight}`, font, ...WIDE_CHARACTER };
        for (const letter of letters) this.#han.set(letter + style, face);
      }
  }

  #use(face: Face): Glyphs {
    const cached = this.#glyphs.get(face.name);
    if (!cached) this.document.registerFont(face.name, loadFont(face));
    this.document.font(face.name).fontSize(face.size);
    const glyphs = cached ?? (this.document as unknown as WithFont)._font.font;
    this.#glyphs.set(face.name, glyphs);
    return glyphs;
  }

  #faceFor(character: string, style: string, previous: Face | null): Face | null {
    if (EMOJI.test(character)) return null;
    const point = character.codePointAt(0)!;
    const hasGlyph = (face: Face) => this.#use(face).hasGlyphForCodePoint(point);
    if (previous && hasGlyph(previous)) return previous;
    const han = this.#han.get(character + (style.includes('b') ? 'b' : ''));
    const face = han ?? (RIGHT_TO_LEFT.test(character) ? undefined : faces[style]!.find(hasGlyph));
    if (!face) this.unknownCharacters.add(character);
    return face ?? null;
  }

  /** Draws underlines here, because PDFKit places its own for another baseline. */
  #line(x: number, y: number, width: number): void {
    this.document
      .moveTo(x, y)
      .lineTo(x + width, y)
      .lineWidth(0.6)
      .stroke();
  }

  drawRuns(runs: Run[], x: number, y: number): void {
    let left = x;
    for (const run of runs) {
      const style = (run.bold ? 'b' : '') + (run.italic ? 'i' : '');
      let face: Face | null = null;
      let text = '';
      const flush = () => {
        if (face === null || text === '') return;
        this.#use(face);
        const width = columnsOf([{ ...run, text }]) * PAGE.column;
        // Align at the baseline, because the faces of one line differ in their ascent.
        const { spacing: characterSpacing, stretch: horizontalScaling } = face;
        const options = { characterSpacing, horizontalScaling };
        this.document.text(text, left, y + ASCENT, { lineBreak: false, baseline: 'alphabetic', ...options });
        if (run.underline) this.#line(left, y + ASCENT + 1.5, width);
        left += width;
        text = '';
      };
      for (const character of run.text) {
        const next = this.#faceFor(character, style, face);
        if (next === null) continue;
        if (next !== face) flush();
        face = next;
        text += character;
      }
      flush();
    }
  }

  drawCentered(text: string, y: number, bold = false): void {
    const run = { text, bold, italic: false, underline: false };
    this.drawRuns([run], (this.width - columnsOf([run]) * PAGE.column) / 2, y);
  }
}

function drawTitlePage(sheet: ScriptPdf, { title }: Screenplay): void {
  sheet.document.addPage();
  let y = 250;
  for (const [key, gap] of [
    ['Title', 24],
    ['Credit', 24],
    ['Author', 24],
    ['Source', 24],
  ] as const)
    for (const value of titleValue(title, key).split('\n').filter(Boolean)) {
      sheet.drawCentered(unstyledText(value).slice(0, 60), y, key === 'Title');
      y += gap;
    }
  const rest = title.filter(({ key }) => !/^(?:title|credit|authors?|source)$/i.test(key));
  const lines = rest.flatMap(({ values }) => values).slice(0, 12);
  for (const [at, value] of lines.entries()) {
    const text = unstyledText(value).slice(0, 60);
    sheet.drawRuns(
      [{ text, bold: false, italic: false, underline: false }],
      PAGE.left,
      sheet.height - 84 - (lines.length - at) * PAGE.line,
    );
  }
}

const drawCells = (sheet: ScriptPdf, cells: Cell[], y: number): void => {
  for (const { at, runs } of cells) sheet.drawRuns(runs, PAGE.left + at * PAGE.column, y);
};

function collectBytes(document: PDFKit.PDFDocument): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    document.on('data', (part: Buffer) => parts.push(part));
    document.on('end', () => resolve(Buffer.concat(parts)));
    document.on('error', reject);
    document.end();
  });
}

const textOf = ({ title }: Screenplay, pages: ReturnType<typeof paginate>): string =>
  [
    ...title.flatMap(({ values }) => values),
    ...pages.flat().flatMap((row) => row?.cells.flatMap(({ runs }) => runs.map(({ text }) => text)) ?? []),
  ].join('');

/**
 * Puts the same number of lines on any paper, so that pages and minutes match those that the tool's page shows.
 * @throws UnprintableText for a text that none of our fonts can show; TooManyPages.
 */
export async function renderScriptPdf(screenplay: Screenplay, paper: Paper): Promise<Buffer> {
  const pages = paginate(screenplay);
  if (pages.length > MAX_PAGES) throw new TooManyPages(pages.length, MAX_PAGES);
  const info = {
    Title: titleValue(screenplay.title, 'Title') || 'Script',
    Author: titleValue(screenplay.title, 'Author'),
  };
  const sheet = new ScriptPdf(info, paper);
  await sheet.addHan(textOf(screenplay, pages));
  if (screenplay.title.length > 0) drawTitlePage(sheet, screenplay);
  for (const [index, page] of pages.entries()) {
    sheet.document.addPage();
    if (index > 0) {
      const run = { text: `${index + 1}.`, bold: false, italic: false, underline: false };
      sheet.drawRuns([run], sheet.width - 72 - run.text.length * PAGE.column, PAGE.number);
    }
    for (const [line, row] of page.slice(0, LINES_PER_PAGE).entries())
      if (row) drawCells(sheet, row.cells, PAGE.top + line * PAGE.line);
  }
  if (sheet.unknownCharacters.size > 0) throw new UnprintableText([...sheet.unknownCharacters].slice(0, 5));
  return collectBytes(sheet.document);
}
