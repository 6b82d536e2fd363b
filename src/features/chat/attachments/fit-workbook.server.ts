import type { SheetText, WorkbookText } from '#platform/document-reader/workbook-text.server.ts';
import { BYTES_PER_TOKEN } from '#shared/token-estimate.ts';
import { attachmentLimits } from '../contract.ts';
import { allocateShares } from './allocate-shares.ts';
import { type SentDocument, truncateText } from './fit-document.server.ts';
import { printableText } from './fit-text.server.ts';

/** UTF-8 bytes of the line above a sheet, without the sheet's name. */
const HEADING_BYTES = 80;

const lineBytes = (text: string) => Buffer.byteLength(text) + 1;
const sheetBytes = ({ sheet, lines }: SheetText) =>
  lines.reduce((sum, line) => sum + lineBytes(line), HEADING_BYTES + lineBytes(sheet));

interface FittedSheet {
  text: string;
  /** The last row that is sent; null if all are. */
  cutAfter: number | null;
}

function fitSheet({ sheet, lines, more }: SheetText, capacity: number): FittedSheet {
  const [columns = '', ...rows] = lines;
  let left = capacity - HEADING_BYTES - lineBytes(sheet) - lineBytes(columns);
  const sent: string[] = [];
  for (const row of rows) {
    left -= lineBytes(row);
    if (left < 0) break;
    sent.push(row);
  }
  if (sent.length === 0 && rows[0] && left + lineBytes(rows[0]) > 0)
    sent.push(truncateText(rows[0], left + lineBytes(rows[0])));
  const last = Number.parseInt(sent.at(-1) ?? '0', 10);
  const cut = more || sent.length < rows.length;
  const name = JSON.stringify(sheet);
  const heading = cut
    ? `Sheet ${name}, up to row ${last}; the rest is left out:`
    : `Sheet ${name}${rows.length === 0 ? ', which is empty' : ':'}`;
  return {
    text: [heading, ...(columns === '' ? [] : [columns]), ...sent].join('\n'),
    cutAfter: cut ? last : null,
  };
}

export function fitWorkbook({ sheets, leftOut }: WorkbookText): SentDocument {
  const shares = allocateShares(
    sheets.map(sheetBytes),
    Math.floor(attachmentLimits.tokens * BYTES_PER_TOKEN),
  );
  const fitted = sheets.map((sheet, index) => ({ ...sheet, ...fitSheet(sheet, shares[index] ?? 0) }));
  const wide = sheets.find(({ lastColumn }) => lastColumn !== undefined);
  const workbook = {
    ...leftOut,
    cut: fitted.flatMap(({ sheet, cutAfter }) => (cutAfter === null ? [] : { sheet, row: cutAfter })),
    lastColumn: wide?.lastColumn ?? null,
  };
  const { cut, lastColumn, ...counts } = workbook;
  const all = cut.length === 0 && lastColumn === null && Object.values(counts).every((count) => !count);
  return {
    pages: 1,
    pagesRead: 1,
    text: printableText(fitted.map(({ text }) => text).join('\n\n')),
    leftOut: all ? null : { cut: null, notes: [], workbook },
  };
}
