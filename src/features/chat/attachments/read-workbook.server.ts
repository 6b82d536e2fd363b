import { m } from '#messages';
import { Problem } from '#platform/http/problem.server.ts';
import { PdfError, type PdfFailure, readUnpaged } from '#platform/pdf-reader/pdf-text.server.ts';
import { MAX_READ_CHARACTERS, READ_TIMEOUT_MS, type SentDocument } from './fit-document.server.ts';
import { fitWorkbook } from './fit-workbook.server.ts';

const failureTexts: Record<PdfFailure, () => string> = {
  not_pdf: m.chat_error_xlsx_damaged,
  encrypted: m.chat_error_office_locked,
  wrong_password: m.chat_error_office_locked,
  no_text: m.chat_error_xlsx_empty,
  scanned: m.chat_error_xlsx_empty,
  damaged: m.chat_error_xlsx_damaged,
  too_complex: m.chat_error_xlsx_complex,
  timeout: m.chat_error_xlsx_complex,
};

/** @throws Problem where it is none */
export async function readWorkbook(
  path: string,
  reading: { key: string; signal: AbortSignal },
): Promise<SentDocument> {
  try {
    const lines = await readUnpaged(path, {
      format: 'xlsx',
      characters: MAX_READ_CHARACTERS,
      ms: READ_TIMEOUT_MS,
      ...reading,
    });
    const workbook = lines.find((line) => 'workbook' in line)?.workbook;
    if (!workbook?.sheets.some(({ lines: rows }) => rows.length > 0)) throw new PdfError('no_text');
    return fitWorkbook(workbook);
  } catch (error) {
    if (error instanceof PdfError) throw new Problem('bad_request', failureTexts[error.failure]());
    throw error;
  }
}
