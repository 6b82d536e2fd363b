import { type DocumentNote, describePageNotes, notesOfPages } from '#features/pdfs/service.server.ts';
import { m } from '#messages';
import type { PdfText } from '#platform/pdf-reader/pdf-text.server.ts';
import { joinSentences } from '#shared/join-sentences.ts';

export interface LeftOut {
  /** Where the text was cut for want of room: after so many `whole` pages of all, or within the next where `begun`. */
  cut: { pages: number; whole: number; begun: boolean } | null;
  notes: DocumentNote[];
  /** Of a document whose text alone is read. */
  images?: number;
}

export function leftOutOf(pdf: PdfText, { whole, begun }: { whole: number; begun: boolean }): LeftOut | null {
  const cut = whole < pdf.pages ? { pages: pdf.pages, whole, begun } : null;
  const notes = notesOfPages(pdf, whole + (begun ? 1 : 0));
  return cut || notes.length > 0 ? { cut, notes } : null;
}

function describeCut({ pages, whole, begun }: NonNullable<LeftOut['cut']>): string {
  if (whole === 0) return m.chat_document_start({ pages });
  return begun ? m.chat_document_begun({ whole, pages }) : m.chat_document_part({ whole, pages });
}

/** That in the reader's language; attachments from before there were codes have a sentence, `note`. */
export function describeLeftOut(row: { left_out: LeftOut | null; note: string | null }): string | null {
  if (!row.left_out) return row.note;
  const { cut, notes, images = 0 } = row.left_out;
  return joinSentences(
    cut && describeCut(cut),
    describePageNotes(notes),
    images > 0 ? m.chat_docx_images({ count: images }) : null,
  );
}
