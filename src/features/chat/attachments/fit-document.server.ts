import { m } from '#messages';
import { Problem } from '#platform/http/problem.server.ts';
import {
  PdfError,
  type PdfFailure,
  type PdfText,
  readPdfText,
} from '#platform/pdf-reader/pdf-text.server.ts';
import { BYTES_PER_TOKEN } from '#shared/token-estimate.ts';
import { attachmentLimits } from '../contract.ts';

export interface SentDocument {
  /** Pages of the document, and how many of them, from the first on, are in the text. */
  pages: number;
  pagesRead: number;
  /** Each page below a line `[Page n]`. */
  text: string;
  note: string | null;
}

/** More cannot be sent; a page is always read whole. */
const CHARACTERS = attachmentLimits.tokens * 5;
/** A person waits for it. */
const TIME_MS = 8_000;
/** A smaller beginning of a page is not worth its mark. */
const LEAST_BYTES = 400;
const NAMED_PAGES = 5;

/** One line a line, nothing that PostgreSQL or a terminal trips over, and no line that could pass for our mark. */
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

function startOf(text: string, bytes: number): string {
  const cut = Buffer.from(text)
    .subarray(0, bytes)
    .toString()
    .replace(/\ufffd$/, '');
  return /^[\s\S]{200,}(?=\s)/.exec(cut)?.[0] ?? cut;
}

function listed(pages: number[], one: string, many: string): string[] {
  if (pages.length === 0) return [];
  if (pages.length === 1) return [`Page ${pages[0]} ${one}.`];
  if (pages.length > NAMED_PAGES) return [`${pages.length} pages ${many}.`];
  return [`Pages ${pages.slice(0, -1).join(', ')} and ${pages.at(-1)} ${many}.`];
}

/** What is not sent for want of room; `whole` pages are, and the beginning of the next where `begun`. */
function restNote(pages: number, whole: number, begun: boolean): string[] {
  if (whole === pages) return [];
  const rest = 'the rest does not fit.';
  if (whole === 0) return [`Only the beginning${pages > 1 ? ' of page 1' : ''} is sent; ${rest}`];
  const sent = whole === 1 ? `Page 1 of ${pages}` : `Pages 1 to ${whole} of ${pages}`;
  if (begun) return [`${sent} and the beginning of page ${whole + 1} are sent; ${rest}`];
  return [`${sent} ${whole === 1 ? 'is' : 'are'} sent; ${rest}`];
}

/** As much of a document's text as goes to the model, page by page, and what is left out, in words. */
export function fitDocument(pdf: PdfText, tokens: number): SentDocument {
  let left = Math.floor((tokens - 4) * BYTES_PER_TOKEN);
  const parts: string[] = [];
  let whole = pdf.pagesRead;
  let begun = false;
  for (const { page, text } of pdf.text) {
    const mark = `[Page ${page}]\n`;
    const block = `${mark}${cleanPage(text)}\n\n`;
    const bytes = Buffer.byteLength(block);
    if (bytes > left) {
      whole = page - 1;
      begun = left > LEAST_BYTES;
      if (begun) parts.push(startOf(block, left));
      break;
    }
    left -= bytes;
    parts.push(block);
  }
  const among = (pages: number[]) => pages.filter((page) => page <= whole);
  const note = [
    ...restNote(pdf.pages, whole, begun),
    ...listed(among(pdf.emptyPages), 'has no text', 'have no text'),
    ...listed(among(pdf.brokenPages), 'cannot be read', 'cannot be read'),
  ].join(' ');
  return {
    pages: pdf.pages,
    pagesRead: begun ? whole + 1 : whole,
    text: parts.join('').trim(),
    note: note || null,
  };
}

const failureTexts: Record<PdfFailure, () => string> = {
  not_pdf: m.chat_error_not_pdf,
  encrypted: m.chat_error_pdf_password,
  wrong_password: m.chat_error_pdf_password,
  no_text: m.chat_error_pdf_no_text,
  scanned: m.chat_error_pdf_scanned,
  damaged: m.common_pdf_damaged,
  too_complex: m.chat_error_pdf_complex,
  timeout: m.chat_error_pdf_slow,
};

/**
 * Reads the PDF at `path` for the person whose id is `key`.
 * @throws Problem bad_request that says what is the matter; rate_limited while another of theirs is read; unavailable
 * when too many wait.
 */
export async function readDocument(
  path: string,
  reading: { key: string; signal: AbortSignal },
): Promise<SentDocument> {
  try {
    const pdf = await readPdfText(path, {
      pages: attachmentLimits.pages,
      characters: CHARACTERS,
      ms: TIME_MS,
      ...reading,
    });
    return fitDocument(pdf, attachmentLimits.tokens);
  } catch (error) {
    if (error instanceof PdfError) throw new Problem('bad_request', failureTexts[error.failure]());
    throw error;
  }
}
