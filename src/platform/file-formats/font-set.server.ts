import type PDFDocument from 'pdfkit';
import type { RichRun } from '#shared/rich-text.ts';
import { type HanWeight, hanFonts, isHan } from './han-font.server.ts';
import { packageFile } from './package-file.server.ts';
import { PdfFont } from './pdf-font.server.ts';

const dejaVu = (file: string) => packageFile('dejavu-fonts-ttf', `ttf/DejaVu${file}.ttf`);
const naskh = (weight: number) =>
  packageFile('@fontsource/noto-naskh-arabic', `files/noto-naskh-arabic-arabic-${weight}-normal.woff`);
const nagari = (weight: number) =>
  packageFile(
    '@fontsource/noto-sans-devanagari',
    `files/noto-sans-devanagari-devanagari-${weight}-normal.woff`,
  );

const files: Record<string, () => string> = {
  serif: () => dejaVu('Serif'),
  'serif-bold': () => dejaVu('Serif-Bold'),
  'serif-italic': () => dejaVu('Serif-Italic'),
  'serif-bold-italic': () => dejaVu('Serif-BoldItalic'),
  mono: () => dejaVu('SansMono'),
  sans: () => dejaVu('Sans'),
  'sans-bold': () => dejaVu('Sans-Bold'),
  arabic: () => naskh(400),
  'arabic-bold': () => naskh(700),
  devanagari: () => nagari(400),
  'devanagari-bold': () => nagari(700),
};

const arabic = /[\p{scx=Arabic}--[\p{sc=Common}\p{sc=Inherited}]]|[\u060c\u061b\u061f\u0640\u0660-\u0669]/v;
const devanagari = /[\p{sc=Devanagari}\u0964\u0965]/u;
/** Scripts that need reordering or letter forms which our fonts lack. */
const needsShaping =
  /[\p{sc=Syriac}\p{sc=Thaana}\p{sc=Nko}\p{sc=Bengali}\p{sc=Gurmukhi}\p{sc=Gujarati}\p{sc=Tamil}\p{sc=Telugu}\p{sc=Kannada}\p{sc=Malayalam}\p{sc=Sinhala}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\p{sc=Tibetan}\p{sc=Mongolian}]/u;
/** Emoji and the characters that join or color them: a text is readable without them. */
const emoji = /\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}|\p{M}/u;

export class UnprintableText extends Error {
  readonly signs: string[];
  constructor(signs: string[]) {
    super(`No font knows ${signs.join(' ')}.`);
    this.name = 'UnprintableText';
    this.signs = signs;
  }
}

export class FontSet {
  readonly unknown = new Set<string>();
  picturesLeftOut = 0;
  private readonly doc: typeof PDFDocument.prototype;
  private readonly faces = new Map<string, PdfFont>();
  private readonly han = new Map<string, string>();
  private readonly chosen = new Map<string, PdfFont | null>();

  private constructor(doc: typeof PDFDocument.prototype) {
    this.doc = doc;
  }

  static async create(doc: typeof PDFDocument.prototype, text: string, bold: string): Promise<FontSet> {
    const fonts = new FontSet(doc);
    await fonts.addHan(text, 400, '');
    await fonts.addHan(bold, 700, '-bold');
    return fonts;
  }

  private async addHan(text: string, weight: HanWeight, suffix: string): Promise<void> {
    for (const { part, letters, font } of await hanFonts(text, weight)) {
      const name = `han-${part}${suffix}`;
      this.faces.set(name, new PdfFont(this.doc, font, name));
      for (const letter of letters) this.han.set(letter + suffix, name);
    }
  }

  private face(name: string): PdfFont {
    let face = this.faces.get(name);
    if (!face) {
      face = new PdfFont(this.doc, files[name]!(), name);
      this.faces.set(name, face);
    }
    return face;
  }

  private namesFor(character: string, { bold, italic, code }: Omit<RichRun, 'text'>): string[] {
    const weight = bold ? '-bold' : '';
    const serif = `serif${weight}${italic ? '-italic' : ''}`;
    const latin = [...(code ? ['mono'] : []), serif, `sans${weight}`, 'sans', 'serif', 'mono'];
    if (isHan(character))
      return [this.han.get(character + weight), this.han.get(character), ...latin].filter(
        (name) => name !== undefined,
      );
    if (arabic.test(character)) return [`arabic${weight}`, ...latin];
    if (devanagari.test(character)) return [`devanagari${weight}`, ...latin];
    return needsShaping.test(character) ? [] : latin;
  }

  /** Returns null, and records it, for a character that no font has. Joiners and marks use the font before them. */
  faceFor(character: string, style: Omit<RichRun, 'text'>, previous: PdfFont | null): PdfFont | null {
    if (/\p{M}|\u200c|\u200d| /u.test(character) && previous?.knows(character)) return previous;
    if (/\p{C}/u.test(character)) return null;
    const key = `${character}${style.bold ? 'b' : ''}${style.italic ? 'i' : ''}${style.code ? 'c' : ''}`;
    let face = this.chosen.get(key);
    if (face === undefined) {
      face =
        this.namesFor(character, style)
          .map((name) => this.face(name))
          .find((each) => each.knows(character)) ?? null;
      this.chosen.set(key, face);
    }
    if (face) return face;
    if (emoji.test(character)) this.picturesLeftOut += /\p{Extended_Pictographic}/u.test(character) ? 1 : 0;
    else if (this.unknown.size < 12) this.unknown.add(character);
    return null;
  }
}
