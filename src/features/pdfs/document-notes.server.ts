import { m } from '#messages';
import type { PdfText } from '#platform/document-reader/document-text.server.ts';
import { joinSentences } from '#shared/join-sentences.ts';
import { describePages } from './contract.ts';

export interface DocumentNote {
  kind: 'unread' | 'empty' | 'broken' | 'hidden' | 'scanned';
  pages: number[];
}

const texts = {
  unread: m.pdfs_note_unread,
  empty: m.pdfs_note_empty,
  broken: m.pdfs_note_broken,
  hidden: m.pdfs_note_hidden,
  scanned: m.pdfs_note_scanned,
};

export function notesOfPages(pdf: PdfText, lastPage = pdf.pagesRead): DocumentNote[] {
  const withLayout = (kind: 'hidden' | 'overPicture') =>
    pdf.text.filter(({ layout }) => layout?.[kind]).map(({ page }) => page);
  const notes: DocumentNote[] = [
    { kind: 'empty', pages: pdf.emptyPages },
    { kind: 'broken', pages: pdf.brokenPages },
    { kind: 'hidden', pages: withLayout('hidden') },
    { kind: 'scanned', pages: withLayout('overPicture') },
  ];
  return notes
    .map(({ kind, pages }) => ({ kind, pages: pages.filter((page) => page <= lastPage) }))
    .filter(({ pages }) => pages.length > 0);
}

export const storedNotes = (notes: DocumentNote[]): string | null =>
  notes.length > 0 ? JSON.stringify(notes) : null;

export const describePageNotes = (notes: readonly DocumentNote[]): string =>
  joinSentences(...notes.map(({ kind, pages }) => texts[kind]({ pages: describePages(pages) })));

/** Old documents store sentences instead of codes. */
export const describeNotes = (stored: string | null): string | null =>
  stored?.startsWith('[') ? describePageNotes(JSON.parse(stored) as DocumentNote[]) : stored;
