import { m } from '#messages';
import type { ReadFailure } from '#platform/document-reader/document-text.server.ts';
import type { SentDocument } from './fit-document.server.ts';
import { fitWorkbook } from './fit-workbook.server.ts';
import { type Reading, readWithoutPages } from './read-attached.server.ts';

const failureTexts: Record<ReadFailure, () => string> = {
  not_pdf: m.chat_error_xlsx_damaged,
  encrypted: m.chat_error_office_locked,
  wrong_password: m.chat_error_office_locked,
  no_text: m.chat_error_xlsx_empty,
  scanned: m.chat_error_xlsx_empty,
  damaged: m.chat_error_xlsx_damaged,
  too_complex: m.chat_error_xlsx_complex,
  timeout: m.chat_error_xlsx_complex,
};

/** @throws Problem if it is not an XLSX */
export const readWorkbook = (path: string, reading: Reading): Promise<SentDocument> =>
  readWithoutPages(path, reading, {
    format: 'xlsx',
    failureTexts,
    toDocument(lines) {
      const workbook = lines.find((line) => 'workbook' in line)?.workbook;
      return workbook?.sheets.some(({ lines: rows }) => rows.length > 0) ? fitWorkbook(workbook) : null;
    },
  });
