import { m } from '#messages';
import type { BookText } from '#platform/document-reader/book-text.server.ts';
import type { ReadFailure } from '#platform/document-reader/document-text.server.ts';
import { BYTES_PER_TOKEN } from '#shared/token-estimate.ts';
import { attachmentLimits } from '../contract.ts';
import { MIN_BYTES, type SentDocument, truncateText } from './fit-document.server.ts';
import { printableText } from './fit-text.server.ts';
import { type Reading, readWithoutPages } from './read-attached.server.ts';

/** UTF-8 bytes of the section titles, which show what else is in the book. */
const CONTENTS_BYTES = 1_500;

function describeBook({ title, author, contents }: BookText): string[] {
  const byline = author === '' ? '' : ` by ${JSON.stringify(author)}`;
  const titles = contents.join('; ');
  const shown =
    Buffer.byteLength(titles) > CONTENTS_BYTES ? `${truncateText(titles, CONTENTS_BYTES)} …` : titles;
  return [
    ...(title === '' ? [] : [`Book ${JSON.stringify(title)}${byline}`]),
    ...(contents.length > 1 ? [`Contents: ${shown}`] : []),
  ];
}

export function fitBook(book: BookText): SentDocument {
  const parts = [describeBook(book).join('\n')];
  let left = Math.floor(attachmentLimits.tokens * BYTES_PER_TOKEN) - Buffer.byteLength(parts[0] ?? '') - 2;
  let [last, cut] = [{ section: 0, title: '' }, false];
  for (const { section, title, text, more } of book.sections) {
    const block = `[Section ${section}${title === '' ? '' : `: ${title}`}]\n${printableText(text)}`;
    const bytes = Buffer.byteLength(block) + 2;
    cut = more || bytes > left;
    if (bytes > left && left < MIN_BYTES) break;
    parts.push(bytes > left ? truncateText(block, left) : block);
    last = { section, title };
    left -= bytes;
    if (cut) break;
  }
  const sections = cut ? { ...last, all: book.all } : null;
  const { images } = book;
  return {
    pages: 1,
    pagesRead: 1,
    text: parts.join('\n\n').trim(),
    leftOut: sections || images > 0 ? { cut: null, notes: [], images, ...(sections && { sections }) } : null,
  };
}

const failureTexts: Record<ReadFailure, () => string> = {
  not_pdf: m.chat_error_epub_damaged,
  encrypted: m.chat_error_epub_protected,
  wrong_password: m.chat_error_epub_protected,
  no_text: m.chat_error_epub_no_text,
  scanned: m.chat_error_epub_no_text,
  damaged: m.chat_error_epub_damaged,
  too_complex: m.chat_error_epub_complex,
  timeout: m.chat_error_epub_complex,
};

/** @throws Problem if it is not an EPUB */
export const readBook = (path: string, reading: Reading): Promise<SentDocument> =>
  readWithoutPages(path, reading, {
    format: 'epub',
    failureTexts,
    toDocument(lines) {
      const book = lines.find((line) => 'book' in line)?.book;
      return book && book.sections.length > 0 ? fitBook(book) : null;
    },
  });
