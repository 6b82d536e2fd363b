import { m } from '#messages';
import { startWithin } from '#platform/cut-utf8.server.ts';
import {
  type PdfText,
  type ReadFailure,
  readPdfText,
} from '#platform/document-reader/document-text.server.ts';
import { BYTES_PER_TOKEN } from '#shared/token-estimate.ts';
import { attachmentLimits } from '../contract.ts';
import { findLeftOut, type LeftOut } from './left-out.server.ts';
import { type Reading, readingBounds, readOrProblem } from './read-attached.server.ts';

export interface SentDocument {
  pages: number;
  pagesRead: number;
  text: string;
  leftOut: LeftOut | null;
}

/** The least that is sent of a text that does not fit; less is of no use. */
export const MIN_BYTES = 400;

/** Removes what PostgreSQL or a terminal cannot handle, and rewrites lines that look like our page marks. */
function cleanPage(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^\S\n]+/g, ' ')
    .replace(/(?!\n)\p{Cc}/gu, '')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
    .replace(/^\[ ?(page) ?(\d+) ?\]$/gim, '($1 $2)');
}

export function truncateText(text: string, bytes: number): string {
  const cut = startWithin(text, bytes);
  return /^[\s\S]{200,}(?=\s)/.exec(cut)?.[0] ?? cut;
}

export function fitDocument(pdf: PdfText, tokens: number): SentDocument {
  let left = Math.floor((tokens - 4) * BYTES_PER_TOKEN);
  const parts: string[] = [];
  let wholePages = pdf.pagesRead;
  let hasPartialPage = false;
  for (const { page, text } of pdf.text) {
    const mark = `[Page ${page}]\n`;
    const block = `${mark}${cleanPage(text)}\n\n`;
    const bytes = Buffer.byteLength(block);
    if (bytes > left) {
      wholePages = page - 1;
      hasPartialPage = left > MIN_BYTES;
      if (hasPartialPage) parts.push(truncateText(block, left));
      break;
    }
    left -= bytes;
    parts.push(block);
  }
  return {
    pages: pdf.pages,
    pagesRead: hasPartialPage ? wholePages + 1 : wholePages,
    text: parts.join('').trim(),
    leftOut: findLeftOut(pdf, { wholePages, hasPartialPage }),
  };
}

const failureTexts: Record<ReadFailure, () => string> = {
  not_pdf: m.chat_error_not_pdf,
  encrypted: m.chat_error_pdf_password,
  wrong_password: m.chat_error_pdf_password,
  no_text: m.chat_error_pdf_no_text,
  scanned: m.chat_error_pdf_scanned,
  damaged: m.common_pdf_damaged,
  too_complex: m.chat_error_pdf_complex,
  timeout: m.chat_error_pdf_slow,
};

export const readDocument = (path: string, reading: Reading): Promise<SentDocument> =>
  readOrProblem(failureTexts, async () => {
    const pdf = await readPdfText(path, {
      pages: attachmentLimits.pages,
      // The layout reveals hidden text, which is not sent: it may hold instructions to the model.
      layout: true,
      ...readingBounds,
      ...reading,
    });
    return fitDocument(pdf, attachmentLimits.tokens);
  });
