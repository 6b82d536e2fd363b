import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type PDFDocument from 'pdfkit';
import type { RichRun } from '../../shared/rich-text.ts';

const folder = () =>
  join(dirname(createRequire(import.meta.url).resolve('dejavu-fonts-ttf/package.json')), 'ttf');

/** Serif for what is read, monospaced for code, sans for signs that the others lack. */
const files = {
  serif: 'DejaVuSerif.ttf',
  'serif-bold': 'DejaVuSerif-Bold.ttf',
  'serif-italic': 'DejaVuSerif-Italic.ttf',
  'serif-bold-italic': 'DejaVuSerif-BoldItalic.ttf',
  mono: 'DejaVuSansMono.ttf',
  sans: 'DejaVuSans.ttf',
} as const;
export type FontName = keyof typeof files;

/** What pdfkit keeps of its current font; its types leave it out. */
interface OpenFont {
  _font: { font: { hasGlyphForCodePoint(code: number): boolean } };
}

/** Letters that need an order or forms which this page maker does not set. */
const needsShaping =
  /[\p{sc=Arabic}\p{sc=Hebrew}\p{sc=Syriac}\p{sc=Thaana}\p{sc=Nko}\p{sc=Devanagari}\p{sc=Bengali}\p{sc=Gurmukhi}\p{sc=Gujarati}\p{sc=Tamil}\p{sc=Telugu}\p{sc=Kannada}\p{sc=Malayalam}\p{sc=Sinhala}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}\p{sc=Tibetan}\p{sc=Mongolian}]/u;
/** Pictures and what joins or colours them: a text can be read without. */
const picture = /\p{Extended_Pictographic}|\p{Emoji_Modifier}|\p{Regional_Indicator}|\p{M}/u;

/** Letters of a text that no font of ours can print. */
export class UnprintableText extends Error {
  readonly signs: string[];
  constructor(signs: string[]) {
    super(`No font knows ${signs.join(' ')}.`);
    this.name = 'UnprintableText';
    this.signs = signs;
  }
}

/** The fonts of one document, and which of them prints a sign. */
export class Fonts {
  readonly unknown = new Set<string>();
  /** How many pictures were left out, because no font knows them. */
  picturesLeftOut = 0;
  private readonly doc: typeof PDFDocument.prototype;
  private readonly known = new Map<string, boolean>();

  constructor(doc: typeof PDFDocument.prototype) {
    this.doc = doc;
    for (const [name, file] of Object.entries(files)) doc.registerFont(name, join(folder(), file));
  }

  static of({ bold, italic, code }: Omit<RichRun, 'text'>): FontName {
    if (code) return 'mono';
    if (bold) return italic ? 'serif-bold-italic' : 'serif-bold';
    return italic ? 'serif-italic' : 'serif';
  }

  private knows(font: FontName, sign: string): boolean {
    const key = font + sign;
    let known = this.known.get(key);
    if (known === undefined) {
      const { _font } = this.doc.font(font) as unknown as OpenFont;
      known = _font.font.hasGlyphForCodePoint(sign.codePointAt(0) ?? 0);
      this.known.set(key, known);
    }
    return known;
  }

  /** The pieces of a text by the font that prints them; signs that none prints are noted and left out. */
  split(text: string, wished: FontName): { font: FontName; text: string }[] {
    const pieces: { font: FontName; text: string }[] = [];
    for (const sign of text) {
      const font = this.fontFor(sign, wished);
      if (!font) continue;
      const last = pieces.at(-1);
      if (last?.font === font) last.text += sign;
      else pieces.push({ font, text: sign });
    }
    return pieces;
  }

  private fontFor(sign: string, wished: FontName): FontName | undefined {
    if (/\p{C}/u.test(sign)) return undefined;
    const font = needsShaping.test(sign)
      ? undefined
      : ([wished, 'sans', 'serif', 'mono'] as const).find((each) => this.knows(each, sign));
    if (font) return font;
    if (picture.test(sign)) this.picturesLeftOut += /\p{Extended_Pictographic}/u.test(sign) ? 1 : 0;
    else if (this.unknown.size < 12) this.unknown.add(sign);
    return undefined;
  }
}
