import type PDFDocument from 'pdfkit';
import type { RichBlock, RichRun } from '#shared/rich-text.ts';
import type { FontSet } from './font-set.server.ts';
import {
  isRtl,
  linesOf,
  type Paragraph,
  type Piece,
  piecesOf,
  placesOf,
  widthOf,
} from './line-breaking.server.ts';

type Document = typeof PDFDocument.prototype;
type Element = PDFKit.PDFStructureElement;

/** In points: one inch. */
export const MARGIN = 72;
const BODY = 10.5;
const CODE = 9;
const CELL = 9;
const HEADINGS = [20, 16, 13.5, 12, 11, 10.5];
const INDENT = 22;
const GAP = 10;
const INK = '#1b1b18';
const LINK = '#334d00';

interface Setting {
  size: number;
  indent: number;
  bold?: boolean;
  direction?: 'auto' | 'ltr' | 'rtl';
  verbatim?: boolean;
}

interface Box {
  x: number;
  y: number;
  width: number;
  size: number;
  align: 'start' | 'left' | 'center' | 'right';
}

function groupsOf(line: readonly Piece[]): Piece[][] {
  const groups: Piece[][] = [];
  for (const piece of line) {
    const last = groups.at(-1);
    const before = last?.at(-1);
    const continues =
      before?.face === piece.face &&
      before.style === piece.style &&
      before.level === piece.level &&
      (!isRtl(piece) || (before.text === before.shown && piece.text === piece.shown));
    if (continues) last?.push(piece);
    else groups.push([piece]);
  }
  return groups;
}

export class PdfPages {
  private readonly doc: Document;
  private readonly fonts: FontSet;

  constructor(doc: Document, fonts: FontSet) {
    this.doc = doc;
    this.fonts = fonts;
  }

  private get left() {
    return MARGIN;
  }
  private get width() {
    return this.doc.page.width - 2 * MARGIN;
  }

  private inElement(parent: Element, type: string, fill: (element: Element) => void, options = {}): void {
    const element = this.doc.struct(type, options);
    parent.add(element);
    fill(element);
    element.end();
  }

  private pieces(runs: RichRun[], { size, bold, direction, verbatim }: Setting): Paragraph {
    const styledRuns = runs.map((run) => ({
      ...run,
      ...(bold ? { bold } : {}),
      text: verbatim || run.text === '\n' ? run.text : run.text.replace(/[^\S\u00a0]+/g, ' '),
    }));
    return piecesOf(this.fonts, styledRuns, size, direction);
  }

  private ensureSpace(points: number): void {
    if (this.doc.y + points > this.doc.page.height - MARGIN) this.doc.addPage();
  }

  private stroke(x: number, y: number, width: number, color: string, thickness: number): void {
    this.doc
      .moveTo(x, y)
      .lineTo(x + width, y)
      .lineWidth(thickness)
      .stroke(color);
  }

  private group(group: Piece[], x: number, baseline: number, size: number): void {
    const [{ face, style }] = group as [Piece];
    const color = style.link ? LINK : INK;
    this.doc.fillColor(color);
    const [text, shown] = [
      group.map((piece) => piece.text).join(''),
      group.map((piece) => piece.shown).join(''),
    ];
    face.show(this.doc, text, shown, isRtl(group[0]!), x, baseline, size);
    const width = widthOf(group);
    if (style.link) this.stroke(x, baseline + size * 0.14, width, color, size * 0.05);
    if (style.strike) this.stroke(x, baseline - size * 0.28, width, color, size * 0.06);
  }

  private draw(line: Piece[], rtl: boolean, parent: Element, { x, y, width, size, align }: Box): void {
    if (line.length === 0) return;
    const freeWidth = width - widthOf(line);
    const side = align === 'start' ? (rtl ? 'right' : 'left') : align;
    const start = x + { left: 0, center: freeWidth / 2, right: freeWidth }[side];
    const places = placesOf(line);
    const placed = new Map(line.map((piece, at) => [piece, start + (places[at] ?? 0)]));
    // Fonts of the same size differ in ascent, so all share one baseline.
    const baseline = y + size;
    const paint = (pieces: Piece[]) => {
      for (const group of groupsOf(pieces))
        this.group(group, Math.min(...group.map((piece) => placed.get(piece) ?? start)), baseline, size);
    };
    let from = 0;
    while (from < line.length) {
      const { link } = line[from]!.style;
      let to = from;
      while (to < line.length && line[to]!.style.link === link) to++;
      const part = line.slice(from, to);
      from = to;
      if (!link) parent.add(() => paint(part));
      else
        this.inElement(
          parent,
          'Link',
          (element) => {
            element.add(() => {
              paint(part);
              const at = Math.min(...part.map((piece) => placed.get(piece) ?? start));
              const options = { structParent: element, Contents: new String(link) };
              this.doc.link(at, y, widthOf(part), size * 1.4, link, options);
            });
          },
          { alt: part.map(({ text }) => text).join('') },
        );
    }
  }

  private lines(paragraph: Paragraph, parent: Element, { size, indent }: Setting): void {
    const height = size * 1.5;
    const width = this.width - indent;
    const x = this.left + (paragraph.rtl ? 0 : indent);
    for (const line of linesOf(paragraph, width, size)) {
      this.ensureSpace(height);
      const { y } = this.doc;
      this.draw(line, paragraph.rtl, parent, { x, y, width, size, align: 'start' });
      this.doc.y = y + height;
    }
  }

  private paragraph(parent: Element, type: string, runs: RichRun[], setting: Setting, after = 7): void {
    const paragraph = this.pieces(runs, setting);
    this.inElement(parent, type, (element) => this.lines(paragraph, element, setting));
    this.doc.y += after;
  }

  private list(
    parent: Element,
    { ordered, start, items }: Extract<RichBlock, { kind: 'list' }>,
    indent: number,
  ): void {
    this.inElement(parent, 'L', (list) => {
      for (const [at, item] of items.entries()) {
        this.ensureSpace(BODY * 1.5);
        const [first] = item;
        const rtl = first?.kind === 'paragraph' && this.pieces(first.runs, { size: BODY, indent }).rtl;
        const { y } = this.doc;
        this.inElement(list, 'LI', (entry) => {
          const mark = [{ text: ordered ? `${start + at}.` : '•' }];
          const direction = rtl ? ('rtl' as const) : ('ltr' as const);
          this.paragraph(entry, 'Lbl', mark, { size: BODY, indent, direction }, 0);
          // The text starts on the same line as its mark.
          this.doc.y = y;
          this.inElement(entry, 'LBody', (body) => this.blocks(body, item, indent + INDENT));
        });
        if (item.length === 0) this.doc.y = y + BODY * 1.5;
      }
    });
  }

  private columns(rows: Paragraph[][], count: number, available: number): number[] {
    const naturalWidths = Array.from({ length: count }, (_, column) =>
      Math.max(20, ...rows.map((row) => widthOf(row[column]?.pieces ?? []) + GAP)),
    );
    const sum = naturalWidths.reduce((all, width) => all + width, 0);
    if (sum <= available) return naturalWidths.map((width) => width + (available - sum) / count);
    // Wide columns shrink before narrow ones.
    const equalShare = available / count;
    const narrowed = naturalWidths.map((width) => Math.min(width, equalShare));
    const left = available - narrowed.reduce((all, width) => all + width, 0);
    const excess = naturalWidths.map((width, column) => width - narrowed[column]!);
    const totalExcess = excess.reduce((all, width) => all + width, 0);
    return narrowed.map((width, column) => width + (left * excess[column]!) / Math.max(1, totalExcess));
  }

  private table(
    parent: Element,
    { rows, align = [] }: Extract<RichBlock, { kind: 'table' }>,
    indent: number,
  ): void {
    const count = Math.max(1, ...rows.map((row) => row.length));
    const cells = rows.map((row, at) =>
      row.map((runs) => this.pieces(runs, { size: CELL, indent: 0, bold: at === 0 })),
    );
    const widths = this.columns(cells, count, this.width - indent);
    const rtl = cells[0]?.find(({ pieces }) => pieces.length > 0)?.rtl ?? false;
    const edges = widths.map((_, column) => widths.slice(0, column).reduce((sum, width) => sum + width, 0));
    const xOf = (column: number) =>
      rtl
        ? this.left + this.width - indent - edges[column]! - widths[column]! + GAP
        : this.left + indent + edges[column]!;
    const height = CELL * 1.5;
    this.inElement(parent, 'Table', (table) => {
      for (const [at, row] of cells.entries()) {
        this.inElement(table, 'TR', (element) => {
          const laidOut = row.map((cell, column) => {
            const kind = at === 0 ? this.doc.struct('TH', { scope: 'Column' }) : this.doc.struct('TD');
            element.add(kind);
            return { cell, kind, column, lines: linesOf(cell, widths[column]! - GAP, CELL) };
          });
          // A row that is taller than a page continues on the next page, line by line.
          const tallest = Math.max(1, ...laidOut.map(({ lines }) => lines.length));
          for (let line = 0; line < tallest; line++) {
            this.ensureSpace(height);
            const { y } = this.doc;
            for (const { cell, kind, column, lines } of laidOut) {
              const box = { x: xOf(column), y, width: widths[column]! - GAP, size: CELL };
              this.draw(lines[line] ?? [], cell.rtl, kind, { ...box, align: align[column] ?? 'start' });
            }
            this.doc.y = y + height;
          }
          for (const { kind } of laidOut) kind.end();
        });
        this.rule(3);
      }
    });
    this.doc.y += 6;
  }

  private rule(after: number): void {
    const { y } = this.doc;
    this.doc.markContent('Artifact', { type: 'Layout' });
    this.stroke(this.left, y, this.width, '#bbbbb4', 0.5);
    this.doc.endMarkedContent();
    this.doc.y = y + after;
  }

  private code(parent: Element, text: string, indent: number): void {
    const setting = { size: CODE, indent: indent + 8, verbatim: true, direction: 'ltr' } as const;
    this.inElement(parent, 'P', (element) => {
      this.inElement(element, 'Code', (code) => {
        for (const line of text.split('\n'))
          if (line.trim() === '') {
            this.ensureSpace(CODE * 1.5);
            this.doc.y += CODE * 1.5;
          } else this.lines(this.pieces([{ text: withoutTabs(line), code: true }], setting), code, setting);
      });
    });
    this.doc.y += 7;
  }

  blocks(parent: Element, blocks: RichBlock[], indent = 0): void {
    // However deeply a text is nested, lines keep two thirds of the width.
    const inner = Math.min(indent, this.width / 3);
    for (const block of blocks) this.block(parent, block, inner);
  }

  private block(parent: Element, block: RichBlock, indent: number): void {
    switch (block.kind) {
      case 'heading': {
        const level = Math.min(Math.max(block.level, 1), 6);
        const size = HEADINGS[level - 1] ?? BODY;
        this.doc.y += size * 0.4;
        // Keeps a heading from being the last line of a page.
        this.ensureSpace(size * 1.5 + BODY * 3);
        this.paragraph(parent, `H${level}`, block.runs, { size, indent, bold: true }, 4);
        break;
      }
      case 'paragraph':
        this.paragraph(parent, 'P', block.runs, { size: BODY, indent });
        break;
      case 'list':
        this.list(parent, block, indent);
        break;
      case 'quote':
        this.inElement(parent, 'BlockQuote', (quote) => this.blocks(quote, block.blocks, indent + INDENT));
        break;
      case 'code':
        this.code(parent, block.text, indent);
        break;
      case 'table':
        this.table(parent, block, indent);
        break;
      case 'rule':
        this.ensureSpace(24);
        this.doc.y += 8;
        this.rule(16);
        break;
    }
  }

  note(parent: Element, text: string): void {
    this.doc.y += 12;
    this.paragraph(parent, 'P', [{ text, italic: true }], { size: 8.5, indent: 0 });
  }
}

function withoutTabs(line: string): string {
  let text = '';
  for (const character of line) text += character === '\t' ? ' '.repeat(4 - (text.length % 4)) : character;
  return text;
}
