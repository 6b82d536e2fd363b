import type { ILevelsOptions, INumberingOptions, ParagraphChild, Table } from 'docx';
import { xmlCharacters } from '#shared/escape-xml.ts';
import type { RichBlock, RichRun, RichText } from '#shared/rich-text.ts';

type Docx = typeof import('docx');
type Part = InstanceType<Docx['Paragraph']> | Table;

const LEVELS = 9;
/** Twentieths of a point: the indent per level, and the hanging indent of the list mark. */
const INDENT = 720;
const HANG = 360;

const MAX_NUMBERINGS = 400;

const makeLevels = (docx: Docx, mark: (level: number) => Pick<ILevelsOptions, 'format' | 'text' | 'start'>) =>
  Array.from({ length: LEVELS }, (_, level): ILevelsOptions => {
    const indent = { left: INDENT * (level + 1) - HANG, hanging: HANG };
    return { level, alignment: docx.AlignmentType.LEFT, style: { paragraph: { indent } }, ...mark(level) };
  });

class Writer {
  private readonly docx: Docx;
  private readonly numberings: INumberingOptions['config'][number][] = [];

  constructor(docx: Docx) {
    this.docx = docx;
    const bullets = ['•', '◦', '▪'];
    const marks = makeLevels(docx, (level) => ({
      format: docx.LevelFormat.BULLET,
      text: bullets[level % bullets.length] ?? '•',
    }));
    this.numberings.push({ reference: 'bullets', levels: marks });
  }

  get numbering(): INumberingOptions {
    return { config: this.numberings };
  }

  runs(runs: RichRun[], bold = false): ParagraphChild[] {
    return runs.flatMap((run) => this.run(bold ? { ...run, bold } : run));
  }

  private run({ text, link, ...style }: RichRun): ParagraphChild[] {
    const { TextRun, ExternalHyperlink } = this.docx;
    const lines = xmlCharacters(text).split('\n');
    const children = lines.map(
      (line, at) =>
        new TextRun({
          text: line,
          ...(at > 0 ? { break: 1 } : {}),
          ...(style.bold ? { bold: true } : {}),
          ...(style.italic ? { italics: true } : {}),
          ...(style.strike ? { strike: true } : {}),
          ...(style.code ? { font: 'Courier New' } : {}),
          ...(link ? { style: 'Hyperlink' } : {}),
        }),
    );
    return link ? [new ExternalHyperlink({ link: xmlCharacters(link), children })] : children;
  }

  /** Returns the numbering of one list; undefined above the limit, because each is searched in the whole document. */
  private addNumbering(start: number): string | undefined {
    if (this.numberings.length > MAX_NUMBERINGS) return undefined;
    const reference = `numbers-${this.numberings.length}`;
    const { DECIMAL } = this.docx.LevelFormat;
    const levels = makeLevels(this.docx, (level) => ({ format: DECIMAL, text: `%${level + 1}.`, start }));
    this.numberings.push({ reference, levels });
    return reference;
  }

  private list({ ordered, start, items }: Extract<RichBlock, { kind: 'list' }>, depth: number): Part[] {
    const reference = ordered ? this.addNumbering(Math.max(0, start)) : 'bullets';
    const level = Math.min(depth, LEVELS - 1);
    const indent = { left: INDENT * (level + 1) - HANG, hanging: HANG };
    return items.flatMap(([first, ...rest], at) => {
      const runs = first?.kind === 'paragraph' ? first.runs : [];
      const mark = reference
        ? new this.docx.Paragraph({ numbering: { reference, level }, children: this.runs(runs) })
        : new this.docx.Paragraph({ indent, children: this.runs([{ text: `${start + at}. ` }, ...runs]) });
      const more = first && first.kind !== 'paragraph' ? [first, ...rest] : rest;
      return [mark, ...more.flatMap((block) => this.block(block, depth + 1))];
    });
  }

  private table(rows: RichRun[][][]): Part {
    const { Table, TableRow, TableCell, Paragraph, WidthType } = this.docx;
    const columns = Math.max(1, ...rows.map((row) => row.length));
    return new Table({
      width: { size: 100, type: WidthType.PERCENTAGE },
      rows: rows.map(
        (row, at) =>
          new TableRow({
            tableHeader: at === 0,
            children: Array.from({ length: columns }, (_, column) => {
              const children = this.runs(row[column] ?? [], at === 0);
              const margins = { top: 60, bottom: 60, left: 100, right: 100 };
              return new TableCell({ margins, children: [new Paragraph({ children })] });
            }),
          }),
      ),
    });
  }

  block(block: RichBlock, depth = 0): Part[] {
    const { Paragraph, HeadingLevel, BorderStyle } = this.docx;
    const indent = depth > 0 ? { indent: { left: INDENT * Math.min(depth, LEVELS) - HANG } } : {};
    const levels = [1, 2, 3, 4, 5, 6] as const;
    switch (block.kind) {
      case 'heading': {
        const level = levels[Math.min(Math.max(block.level, 1), 6) - 1] ?? 6;
        return [
          new Paragraph({ heading: HeadingLevel[`HEADING_${level}`], children: this.runs(block.runs) }),
        ];
      }
      case 'paragraph':
        return [new Paragraph({ ...indent, children: this.runs(block.runs) })];
      case 'list':
        return this.list(block, depth);
      case 'quote':
        return block.blocks.flatMap((each) => this.block(each, depth + 1));
      case 'code':
        return block.text.split('\n').map(
          (text) =>
            new Paragraph({
              ...indent,
              spacing: { after: 0 },
              children: this.runs([{ text, code: true }]),
            }),
        );
      case 'table':
        return [this.table(block.rows), new Paragraph({})];
      case 'rule':
        return [
          new Paragraph({
            border: { bottom: { style: BorderStyle.SINGLE, size: 6, space: 1, color: '999999' } },
          }),
        ];
    }
  }
}

export async function renderDocx(text: RichText, title: string): Promise<Uint8Array<ArrayBuffer>> {
  const docx = await import('docx');
  const writer = new Writer(docx);
  const children = text.flatMap((block) => writer.block(block));
  const file = new docx.Document({
    title: xmlCharacters(title),
    creator: '',
    numbering: writer.numbering,
    styles: {
      default: {
        document: { run: { font: 'Georgia', size: 23 }, paragraph: { spacing: { after: 160, line: 300 } } },
      },
    },
    sections: [{ children }],
  });
  return new Uint8Array(await docx.Packer.toArrayBuffer(file));
}
