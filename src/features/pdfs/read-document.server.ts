import { v7 as uuid } from 'uuid';
import { m } from '#messages';
import {
  isPdf,
  type PdfText,
  type ReadFailure,
  readPdfText,
  UnreadableDocument,
} from '#platform/document-reader/document-text.server.ts';
import { storeFileFromPath } from '#platform/files/file-store.server.ts';
import type { Upload } from '#platform/files/upload.server.ts';
import { Problem } from '#platform/http/problem.server.ts';
import { cleanText } from '#shared/clean-text.ts';
import { cleanFileName } from '#shared/file-name.ts';
import type { ProblemCode } from '#shared/problem-codes.ts';
import { asLengthOf, formatTextLength, sizeOf, textLength } from '#shared/text-length.ts';
import { documentLimits } from './contract.ts';
import { type DocumentNote, notesOfPages, storedNotes } from './document-notes.server.ts';
import type { NewDocument, PageRecord } from './store.server.ts';

export const DOCUMENT_KIND = 'document';
/** Per person. */
export const DOCUMENT_QUOTA = { bytes: 1024 ** 3, documents: 200 };
const TIME_LIMIT_MS = 20_000;

const failureTexts: Record<ReadFailure, () => string> = {
  not_pdf: m.pdfs_wrong_type,
  encrypted: m.pdfs_locked,
  wrong_password: m.pdfs_wrong_password,
  no_text: m.pdfs_no_text,
  scanned: m.pdfs_scanned,
  damaged: m.common_pdf_damaged,
  too_complex: m.pdfs_too_complex,
  timeout: m.pdfs_timeout,
};

const failureCodes: Partial<Record<ReadFailure, ProblemCode>> = {
  encrypted: 'password_needed',
  wrong_password: 'password_wrong',
};

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => from + at);

function notesOf(pdf: PdfText): DocumentNote[] {
  const unread = range(pdf.pagesRead + 1, pdf.pages);
  return [...(unread.length > 0 ? [{ kind: 'unread' as const, pages: unread }] : []), ...notesOfPages(pdf)];
}

function pagesOf(pdf: PdfText): PageRecord[] {
  return pdf.text.map(({ page, text, layout }) => {
    if (!layout) throw new Error('A page was read without its layout.');
    const { width, height, boxes } = layout;
    return { page, width, height, text: cleanText(text), boxes };
  });
}

export type OnPage = (page: number, of: number) => void;

interface ReadOptions {
  key: string;
  signal: AbortSignal;
  password?: string | undefined;
  onPage?: OnPage;
}

async function readText(upload: Upload, options: ReadOptions): Promise<PdfText> {
  if (upload.bytes === 0 || !isPdf(upload.head)) throw new Problem('unsupported_type', m.pdfs_wrong_type());
  try {
    return await readPdfText(upload.path, {
      pages: documentLimits.pages,
      ms: TIME_LIMIT_MS,
      layout: true,
      ...options,
    });
  } catch (error) {
    if (error instanceof UnreadableDocument)
      throw new Problem(failureCodes[error.failure] ?? 'bad_request', failureTexts[error.failure]());
    throw error;
  }
}

/** A document whose file is stored, but which has no row yet. */
export interface ReadDocument {
  row: Omit<NewDocument, 'user_id' | 'created_at'>;
  pages: PageRecord[];
}

/**
 * Reads the PDF and stores its file. Remove `row.file_key` if you don't insert the row.
 * @throws Problem if it cannot be read or is too short
 */
export async function readDocument(
  name: string,
  upload: Upload,
  options: ReadOptions,
): Promise<ReadDocument> {
  const pdf = await readText(upload, options);
  const length = textLength(pdf.text.map(({ text }) => text).join('\n'));
  const minimum = asLengthOf(length, documentLimits.minWords);
  if (sizeOf(length) < sizeOf(minimum)) {
    const values = { length: formatTextLength(length), least: formatTextLength(minimum) };
    throw new Problem('bad_request', m.pdfs_too_short(values));
  }
  const pages = pagesOf(pdf);
  const row = {
    id: uuid(),
    name: cleanFileName(name),
    bytes: upload.bytes,
    file_key: await storeFileFromPath(DOCUMENT_KIND, upload.path),
    pages: pdf.pages,
    pages_read: pdf.pagesRead,
    note: storedNotes(notesOf(pdf)),
  };
  return { row, pages };
}
