import { open } from 'node:fs/promises';
import { m } from '#messages';
import type { ReadFailure } from '#platform/document-reader/document-text.server.ts';
import { decodeText } from '#platform/files/decode-text.server.ts';
import { Problem } from '#platform/http/problem.server.ts';
import { BYTES_PER_TOKEN } from '#shared/token-estimate.ts';
import { attachmentLimits } from '../contract.ts';
import { type SentDocument, truncateText } from './fit-document.server.ts';
import { type Reading, readWithoutPages } from './read-attached.server.ts';

/** Four times what can be sent, because some encodings and blank lines take more. */
const READ_BYTES = attachmentLimits.tokens * 16;

async function startOfFile(path: string): Promise<Buffer> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(READ_BYTES), 0, READ_BYTES, 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Removes what PostgreSQL or a terminal cannot handle, but no spaces, which matter in code and tables. */
export const printableText = (text: string) =>
  text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(/(?![\n\t])\p{Cc}/gu, '')
    .replace(/\n{4,}/g, '\n\n\n')
    .trim();

/** Treats a text as one page, which is sent whole or in part. */
export function fitText(fullText: string, hasMore: boolean): SentDocument {
  const text = printableText(fullText);
  if (text === '') throw new Problem('bad_request', m.chat_error_file_empty());
  const bytes = Math.floor(attachmentLimits.tokens * BYTES_PER_TOKEN);
  const fits = Buffer.byteLength(text) <= bytes;
  const cut = fits && !hasMore ? null : { pages: 1, whole: 0, begun: true };
  return {
    pages: 1,
    pagesRead: 1,
    text: fits ? text : truncateText(text, bytes),
    leftOut: cut && { cut, notes: [] },
  };
}

const failureTexts: Record<ReadFailure, () => string> = {
  not_pdf: m.chat_error_docx_damaged,
  encrypted: m.chat_error_docx_damaged,
  wrong_password: m.chat_error_docx_damaged,
  no_text: m.chat_error_docx_no_text,
  scanned: m.chat_error_docx_no_text,
  damaged: m.chat_error_docx_damaged,
  too_complex: m.chat_error_docx_complex,
  timeout: m.chat_error_docx_complex,
};

/** @throws Problem if it is not a DOCX */
export const readDocx = (path: string, reading: Reading): Promise<SentDocument> =>
  readWithoutPages(path, reading, {
    format: 'docx',
    failureTexts,
    toDocument(lines) {
      const document = lines.find((line) => 'document' in line)?.document;
      if (!document?.text.trim()) return null;
      const sent = fitText(document.text, document.more);
      const { images } = document;
      if (images === 0) return sent;
      return { ...sent, leftOut: { ...(sent.leftOut ?? { cut: null, notes: [] }), images } };
    },
  });

/** @throws Problem if it is not text */
export async function readText(path: string, size: number): Promise<SentDocument> {
  const hasMore = size > READ_BYTES;
  const text = decodeText(await startOfFile(path), hasMore);
  if (text === null) throw new Problem('bad_request', m.chat_error_not_text());
  return fitText(text, hasMore);
}
