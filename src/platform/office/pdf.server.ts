import type PDFDocument from 'pdfkit';
import type { RichBlock, RichRun, RichText } from '../../shared/rich-text.ts';
import { type FontName, Fonts, UnprintableText } from './fonts.server.ts';

/** Points. A4 with margins of an inch. */
const PAGE = { size: 'A4', margin: 72 } as const;
const BODY = 10.5;
const HEADINGS = [20, 16, 13.5, 12, 11, 10.5];
const INDENT = 22;

/** What is drawn without a break: the piece of a word, or a blank. */
interface Atom {
  font: FontName;
  text: string;
  width: number;
  blank: boolean;
  look: RichRun;
}

interface Setting {
  size: number;
  /** Points from the left margin. */
  indent: number;
  bold?: boolean;
}

/** Sets one text on pages. It breaks the lines itself, since a line may hold several fonts. */
class Pages {
  private readonly doc: typeof PDFDocument.prototype;
  private readonly fonts: Fonts;
  private readonly widths = new Map<string, number>();

  constructor(doc: typeof PDFDocument.prototype, fonts: Fonts) {
    this.doc = doc;
    this.fonts = fonts;
  }

  private get left() {
    return PAGE.margin;
  }
  private get width() {
    return this.doc.page.width - 2 * PAGE.margin;
  }

  private measured(font: FontName, size: number, text: string): number {
    const key = `${font} ${size} ${text}`;
    const known = this.widths.get(key);
    if (known !== undefined) return known;
    const width: number = this.doc.font(font, size).widthOfString(text);
    if (this.widths.size < 50_000) this.widths.set(key, width);
    return width;
  }

  private atoms(runs: RichRun[], { size, bold }: Setting): (Atom | 'break')[] {
    return runs.flatMap((run): (Atom | 'break')[] => {
      if (run.text === '\n') return ['break'];
      const look = bold ? { ...run, bold } : run;
      const parts = run.text.split(/(\s+)/).filter((part) => part !== '');
      return parts.flatMap((part) => {
        const blank = /^\s/.test(part);
        return this.fonts.split(blank ? ' ' : part, Fonts.of(look)).flatMap(({ font, text }) =>
          this.fitting(size, text).map((piece) => ({
            font,
            text: piece,
            width: this.measured(font, size, piece),
            blank,
            look,
          })),
        );
      });
    });
  }

  /** A word that is wider than half a line, in pieces that are not. */
  private fitting(size: number, text: string): string[] {
    const most = Math.max(4, Math.floor(this.width / 2 / size));
    if (text.length <= most) return [text];
    const signs = [...text];
    const pieces: string[] = [];
    for (let at = 0; at < signs.length; at += most) pieces.push(signs.slice(at, at + most).join(''));
    return pieces;
  }

  /** Lines of atoms, broken between words, or inside one where it is wider than the line. */
  private lines(atoms: (Atom | 'break')[], width: number): Atom[][] {
    const lines: Atom[][] = [[]];
    let room = width;
    const turn = (rest: Atom[] = []) => {
      lines.push(rest);
      room = width - rest.reduce((sum, atom) => sum + atom.width, 0);
    };
    for (const atom of atoms) {
      const line = lines.at(-1) ?? [];
      if (atom === 'break') turn();
      else if (atom.blank && line.length === 0) continue;
      else if (atom.width <= room || line.length === 0 || atom.blank) {
        line.push(atom);
        room -= atom.width;
      } else {
        const blank = line.findLastIndex((each) => each.blank);
        const word = blank < 0 ? [] : line.splice(blank + 1);
        turn(word);
        if (word.length > 0 && atom.width > room) turn();
        lines.at(-1)?.push(atom);
        room -= atom.width;
      }
    }
    for (const line of lines) while (line.at(-1)?.blank) line.pop();
    return lines;
  }

  /** Turns the page unless so many points are free. */
  private need(points: number): void {
    if (this.doc.y + points > this.doc.page.height - PAGE.margin) this.doc.addPage();
  }

  private draw(line: Atom[], x: number, y: number, size: number): void {
    let at = x;
    for (let first = 0; first < line.length; ) {
      const { font, look } = line[first]!;
      let last = first;
      while (line[last + 1]?.font === font && line[last + 1]?.look === look) last++;
      const piece = line.slice(first, last + 1);
      const width = piece.reduce((sum, atom) => sum + atom.width, 0);
      this.doc.font(font, size).fillColor(look.link ? '#334d00' : '#1b1b18');
      const text = piece.map((atom) => atom.text).join('');
      // Shared baselines: fonts of one size differ in their ascent.
      this.doc.text(text, at, y + size, {
        lineBreak: false,
        baseline: 'alphabetic',
        ...(look.link ? { link: look.link, underline: true } : {}),
        ...(look.strike ? { strike: true } : {}),
      });
      at += width;
      first = last + 1;
    }
  }

  private paragraph(runs: RichRun[], setting: Setting, after = 7): void {
    const { size, indent } = setting;
    const height = size * 1.5;
    for (const line of this.lines(this.atoms(runs, setting), this.width - indent)) {
      this.need(height);
      const { y } = this.doc;
      this.draw(line, this.left + indent, y, size);
      this.doc.y = y + height;
    }
    this.doc.y += after;
  }

  private list({ ordered, start, items }: Extract<RichBlock, { kind: 'list' }>, indent: number): void {
    for (const [at, item] of items.entries()) {
      this.need(BODY * 1.5);
      const before = this.doc.y;
      const mark = [{ text: ordered ? `${start + at}.` : '•' }];
      this.paragraph(mark, { size: BODY, indent }, 0);
      // The text stands beside its mark.
      this.doc.y = this.doc.y > before ? this.doc.y - BODY * 1.5 : before;
      this.blocks(item, indent + INDENT);
    }
  }

  private table(rows: RichRun[][][], indent: number): void {
    const columns = Math.max(1, ...rows.map((row) => row.length));
    const each = (this.width - indent) / columns;
    for (const [at, row] of rows.entries()) {
      const setting = { size: 9, indent, bold: at === 0 };
      const cells = row.map((runs) => this.lines(this.atoms(runs, setting), each - 8));
      const tallest = Math.max(1, ...cells.map((lines) => lines.length));
      // A row that is higher than a page goes on over the next one, line by line.
      for (let line = 0; line < tallest; line++) {
        this.need(13.5);
        const { y } = this.doc;
        for (const [column, lines] of cells.entries())
          this.draw(lines[line] ?? [], this.left + indent + column * each, y, 9);
        this.doc.y = y + 13.5;
      }
      this.rule(3);
    }
    this.doc.y += 6;
  }

  private rule(after: number): void {
    const { y } = this.doc;
    this.doc
      .moveTo(this.left, y)
      .lineTo(this.left + this.width, y)
      .lineWidth(0.5)
      .stroke('#bbbbb4');
    this.doc.y = y + after;
  }

  /** @param indent points from the left margin. */
  blocks(blocks: RichBlock[], indent = 0): void {
    // However deep a text nests, a line keeps two thirds of the page.
    const inner = Math.min(indent, this.width / 3);
    for (const block of blocks) this.block(block, inner);
  }

  private block(block: RichBlock, indent: number): void {
    switch (block.kind) {
      case 'heading': {
        const size = HEADINGS[Math.min(Math.max(block.level, 1), 6) - 1] ?? BODY;
        this.doc.y += size * 0.4;
        // Not alone at the end of a page.
        this.need(size * 1.5 + BODY * 3);
        this.paragraph(block.runs, { size, indent, bold: true }, 4);
        break;
      }
      case 'paragraph':
        this.paragraph(block.runs, { size: BODY, indent });
        break;
      case 'list':
        this.list(block, indent);
        break;
      case 'quote':
        this.blocks(block.blocks, indent + INDENT);
        break;
      case 'code': {
        for (const text of block.text.split('\n')) {
          const kept = text.replace(/\t/g, '  ').replace(/^ +/, (blanks) => '\u00a0'.repeat(blanks.length));
          this.paragraph([{ text: kept, code: true }], { size: 9, indent: indent + 8 }, 0);
        }
        this.doc.y += 7;
        break;
      }
      case 'table':
        this.table(block.rows, indent);
        break;
      case 'rule':
        this.need(24);
        this.doc.y += 8;
        this.rule(16);
        break;
    }
  }

  note(text: string): void {
    this.doc.y += 12;
    this.paragraph([{ text, italic: true }], { size: 8.5, indent: 0 });
  }
}

/**
 * A text as PDF, A4, with its fonts inside; a long one keeps the processor busy for seconds. Links lead on. Pictures that the fonts lack are left out, which a last line
 * says.
 * @throws UnprintableText where letters are not known to the fonts (they know Latin, Greek, Cyrillic, Armenian and
 * Georgian), or stand in an order that is not set here.
 */
export async function pdfOf(text: RichText, title: string): Promise<Buffer<ArrayBuffer>> {
  const { default: Document } = await import('pdfkit');
  const doc = new Document({ ...PAGE, info: { Title: title }, font: '', pdfVersion: '1.7', lang: '' });
  const chunks: Buffer[] = [];
  const ended = new Promise<void>((resolve, reject) => {
    doc.on('data', (chunk: Buffer) => chunks.push(chunk));
    doc.on('end', resolve);
    doc.on('error', reject);
  });
  const fonts = new Fonts(doc);
  const pages = new Pages(doc, fonts);
  pages.blocks(text);
  if (fonts.unknown.size > 0) {
    doc.end();
    throw new UnprintableText([...fonts.unknown]);
  }
  if (fonts.picturesLeftOut > 0) {
    const left = fonts.picturesLeftOut === 1 ? 'One pictograph' : `${fonts.picturesLeftOut} pictographs`;
    pages.note(
      `${left} that the fonts of this document do not know ${fonts.picturesLeftOut === 1 ? 'is' : 'are'} left out.`,
    );
  }
  doc.end();
  await ended;
  return Buffer.concat(chunks);
}
