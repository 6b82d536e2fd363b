import { type Cell, columnName, type Row, SheetReader } from './workbook-sheet.ts';
import { CellStyles } from './workbook-styles.ts';
import { resolvePath, XmlArchive } from './xml-archive.server.ts';

const MAX_SHEETS = 50;
/** Limit for all shared texts that are kept, in UTF-16 units. */
const SHARED_UNITS = 8_000_000;

export interface SheetText {
  sheet: string;
  /** The column names, then one CSV line per row that starts with the row's number. */
  lines: string[];
  more: boolean;
  /** The last column that was kept, if others were left out. */
  lastColumn?: string;
}

export interface WorkbookText {
  sheets: SheetText[];
  leftOut: { sheets: number; hiddenSheets: number; hiddenCells: boolean; drawings: number };
}

interface ListedSheet {
  name: string;
  id: string;
  hidden: boolean;
}

interface Part {
  type: string;
  path: string;
}

/** Parts by relationship id, without those outside the archive. */
async function readParts(archive: XmlArchive, name: string): Promise<Map<string, Part>> {
  const parts = new Map<string, Part>();
  const at = name.lastIndexOf('/') + 1;
  await archive.read(`${name.slice(0, at)}_rels/${name.slice(at)}.rels`, {
    open(element, { Id = '', Type = '', Target = '', TargetMode }) {
      if (element !== 'Relationship' || TargetMode === 'External') return;
      const path = resolvePath(name, Target);
      if (path !== null) parts.set(Id, { type: Type.slice(Type.lastIndexOf('/') + 1), path });
    },
    close() {},
  });
  return parts;
}

const findPath = (parts: Map<string, Part>, type: string) =>
  [...parts.values()].find((part) => part.type === type)?.path;

async function listSheets(archive: XmlArchive, name: string) {
  const sheets: ListedSheet[] = [];
  let from1904 = false;
  await archive.read(name, {
    open(element, { name: title = '', id = '', state, date1904 }) {
      if (element === 'sheet')
        sheets.push({ name: title, id, hidden: state === 'hidden' || state === 'veryHidden' });
      if (element === 'workbookPr') from1904 = date1904 === '1' || date1904 === 'true';
    },
    close() {},
  });
  return { sheets, from1904 };
}

/** Reads the texts with these indexes, as far as the limit allows. */
async function sharedTexts(
  archive: XmlArchive,
  name: string,
  indexes: Set<number>,
): Promise<Map<number, string>> {
  const texts = new Map<number, string>();
  const last = [...indexes].reduce((max, each) => Math.max(max, each), -1);
  let [index, text, remaining] = [-1, '', SHARED_UNITS];
  let [inText, phonetic] = [false, false];
  await archive.read(name, {
    open(element) {
      if (element === 'si') {
        index++;
        text = '';
      }
      if (element === 'rPh') phonetic = true;
      inText = element === 't' && !phonetic;
    },
    text(piece) {
      if (inText) text += piece;
    },
    close(element) {
      if (element === 't') inText = false;
      if (element === 'rPh') phonetic = false;
      if (element !== 'si' || !indexes.has(index)) return;
      remaining -= text.length;
      if (remaining >= 0) texts.set(index, text);
    },
    isDone: () => index >= last || remaining < 0,
  });
  return texts;
}

const quoteCsv = (text: string) => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** Formats rows up to `limit` UTF-16 units, and up to the first row whose shared text was not kept. */
function linesOf(
  rows: readonly Row[],
  shared: Map<number, string>,
  limit: number,
): { lines: string[]; all: boolean } {
  const isKnown = (text: Cell['text']) => typeof text === 'string' || shared.has(text);
  const first = rows.findIndex(({ cells }) => !cells.every(({ text }) => isKnown(text)));
  const readable = first < 0 ? rows : rows.slice(0, first);
  const columns = [...new Set(readable.flatMap(({ cells }) => cells.map(({ column }) => column)))].sort(
    (a, b) => a - b,
  );
  const lines: string[] = [];
  let remaining = limit;
  for (const { row, cells } of readable) {
    const texts = new Map(
      cells.map(({ column, text }) => [column, typeof text === 'string' ? text : (shared.get(text) ?? '')]),
    );
    const values = columns.map((column) => quoteCsv(texts.get(column) ?? ''));
    const line = [row, ...values].join(',').replace(/,+$/, '');
    remaining -= line.length;
    if (remaining >= 0 || lines.length === 0) lines.push(line.slice(0, limit));
    if (remaining < 0) break;
  }
  if (lines.length > 0) lines.unshift(['', ...columns.map(columnName)].join(','));
  return { lines, all: first < 0 && remaining >= 0 };
}

/** Reads cells as displayed, formulas by their results; null if the archive is not a workbook. @throws ZipFault */
export async function readWorkbook(bytes: Buffer, limit: number): Promise<WorkbookText | null> {
  const archive = new XmlArchive(bytes);
  const workbook = findPath(await readParts(archive, ''), 'officeDocument');
  if (workbook === undefined) return null;
  const { sheets, from1904 } = await listSheets(archive, workbook);
  if (sheets.length === 0) return null;
  const parts = await readParts(archive, workbook);
  const styles = new CellStyles(from1904);
  const stylesPath = findPath(parts, 'styles');
  if (stylesPath) await styles.read(archive, stylesPath);

  const shown = sheets.filter(({ hidden, id }) => !hidden && parts.get(id)?.type === 'worksheet');
  const readers = [];
  for (const { name, id } of shown.slice(0, MAX_SHEETS)) {
    const reader = new SheetReader(styles, limit);
    await archive.read(parts.get(id)?.path ?? '', reader);
    readers.push({ name, reader });
  }
  const indexes = new Set(
    readers.flatMap(({ reader }) =>
      reader.rows.flatMap(({ cells }) => cells.flatMap(({ text }) => (typeof text === 'number' ? text : []))),
    ),
  );
  const shared = await sharedTexts(archive, findPath(parts, 'sharedStrings') ?? '', indexes);
  return {
    sheets: readers.map(({ name, reader }) => {
      const { lines, all } = linesOf(reader.rows, shared, limit);
      const last = lines[0]?.slice((lines[0]?.lastIndexOf(',') ?? 0) + 1);
      return {
        sheet: name,
        lines,
        more: reader.more || !all,
        ...(reader.wider && last ? { lastColumn: last } : {}),
      };
    }),
    leftOut: {
      sheets: shown.length - readers.length,
      hiddenSheets: sheets.filter(({ hidden }) => hidden).length,
      hiddenCells: readers.some(({ reader }) => reader.hidden),
      drawings: archive.count(/^xl\/(?:charts\/chart|media\/)/),
    },
  };
}
