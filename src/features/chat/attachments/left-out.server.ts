import { type DocumentNote, describePageNotes, notesOfPages } from '#features/pdfs/service.server.ts';
import { locale, m } from '#messages';
import type { PdfText } from '#platform/document-reader/document-text.server.ts';
import { joinSentences } from '#shared/join-sentences.ts';

export interface LeftOut {
  /** Where the text was cut for lack of space: after `whole` of all pages or, if `begun`, within the next one. */
  cut: { pages: number; whole: number; begun: boolean } | null;
  notes: DocumentNote[];
  /** Of a document from which only the text is read. */
  images?: number;
  workbook?: LeftOutOfWorkbook;
  /** Of a book: the last section that is sent, if the rest is left out. */
  sections?: { section: number; title: string; all: number };
}

interface LeftOutOfWorkbook {
  /** The last row that is sent of each cut sheet. */
  cut: Array<{ sheet: string; row: number }>;
  lastColumn: string | null;
  sheets: number;
  hiddenSheets: number;
  hiddenCells: boolean;
  drawings: number;
}

/** The most cut sheets that are named. */
const MAX_NAMED_SHEETS = 5;

export function findLeftOut(
  pdf: PdfText,
  { wholePages, hasPartialPage }: { wholePages: number; hasPartialPage: boolean },
): LeftOut | null {
  const cut = wholePages < pdf.pages ? { pages: pdf.pages, whole: wholePages, begun: hasPartialPage } : null;
  const notes = notesOfPages(pdf, wholePages + (hasPartialPage ? 1 : 0));
  return cut || notes.length > 0 ? { cut, notes } : null;
}

function describeCut({ pages, whole, begun }: NonNullable<LeftOut['cut']>): string {
  if (whole === 0) return m.chat_document_start({ pages });
  return begun ? m.chat_document_begun({ whole, pages }) : m.chat_document_part({ whole, pages });
}

function describeWorkbook(leftOut: LeftOutOfWorkbook): string {
  const { cut, lastColumn, sheets, hiddenSheets, hiddenCells, drawings } = leftOut;
  const named = cut.slice(0, MAX_NAMED_SHEETS).map((each) => m.chat_xlsx_cut_sheet(each));
  const list = new Intl.ListFormat(locale()).format(cut.length > MAX_NAMED_SHEETS ? [...named, '…'] : named);
  return joinSentences(
    cut.length > 0 && m.chat_xlsx_cut({ sheets: list }),
    lastColumn !== null && m.chat_xlsx_columns({ column: lastColumn }),
    sheets > 0 && m.chat_xlsx_more_sheets({ count: sheets }),
    hiddenSheets > 0 && m.chat_xlsx_hidden_sheets({ count: hiddenSheets }),
    hiddenCells && m.chat_xlsx_hidden_cells(),
    drawings > 0 && m.chat_xlsx_drawings({ count: drawings }),
  );
}

function describeSections({ section, title, all }: NonNullable<LeftOut['sections']>): string {
  if (section === 0) return m.chat_document_start({ pages: 1 });
  return title === '' ? m.chat_epub_cut_untitled({ section, all }) : m.chat_epub_cut({ section, all, title });
}

/** Describes it in the reader's language; older attachments have a stored sentence, `note`, instead. */
export function describeLeftOut(row: { left_out: LeftOut | null; note: string | null }): string | null {
  if (!row.left_out) return row.note;
  const { cut, notes, images = 0, workbook, sections } = row.left_out;
  return joinSentences(
    cut && describeCut(cut),
    workbook && describeWorkbook(workbook),
    sections && describeSections(sections),
    describePageNotes(notes),
    images > 0 ? m.chat_docx_images({ count: images }) : null,
  );
}
