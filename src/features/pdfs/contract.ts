import { z } from 'zod/mini';
import type { GenerationState, StartedRun } from '#features/generations/contract.ts';
import { locale, m } from '#messages';

export const documentLimits = {
  size: 10_485_760,
  types: ['application/pdf'],
  pages: 300,
  minWords: 10,
  /** UTF-16 units. */
  password: 200,
  /** UTF-16 units. */
  question: 1_000,
} as const;

/** Limits per result. */
export const findingLimits = {
  summary: 12,
  questions: 10,
  keywords: 24,
  /** Per answer. */
  statements: 8,
  /** UTF-16 units. */
  question: 300,
  keyword: 60,
} as const;

export const passwordHeader = 'X-Document-Password';

export const uploadRefusals = () => ({
  tooLarge: { title: m.pdfs_too_large_title(), text: m.pdfs_too_large() },
  wrongType: { title: m.pdfs_wrong_type_title(), text: m.pdfs_wrong_type() },
});

/** x, y, width, height in page units from the upper left corner. */
export type PageBox = [number, number, number, number];

export interface PageMarks {
  page: number;
  boxes: PageBox[];
}

export interface Quote {
  text: string;
  /** Two places if the quote continues on the next page. */
  places: PageMarks[];
}

export interface Statement {
  text: string;
  quotes: Quote[];
}

export interface QuestionAndAnswer {
  question: string;
  answer: string;
  quotes: Quote[];
}

export interface Keyword {
  word: string;
  count: number;
  places: PageMarks[];
}

export interface Findings {
  summary: Statement[];
  questions: QuestionAndAnswer[];
  keywords: Keyword[];
  pagesUsed: number;
  /** How many statements and answers were dropped because no quote proves them. */
  unsupported: number;
}

/** No statements means that the document does not answer the question. */
export interface Answer {
  statements: Statement[];
  unsupported: number;
}

export interface RunView {
  id: string;
  state: GenerationState;
  error: string | null;
  creditsCharged: number;
  createdAt: string;
}

export interface AskedQuestion extends RunView {
  question: string;
  answer: Answer | null;
}

export interface DocumentRow {
  id: string;
  name: string;
  bytes: number;
  pages: number;
  createdAt: string;
  analysed: boolean;
  running: boolean;
}

export interface AnalysisView extends RunView {
  /** Null until the first part is done, and after an analysis that failed or was stopped. */
  findings: Findings | null;
}

export interface DocumentView extends DocumentRow {
  pagesRead: number;
  /** Pages without text: empty, scanned, damaged, or after the last page that was read. */
  unread: number[];
  note: string | null;
  analysis: AnalysisView | null;
  /** The last complete analysis, while a later one is running or did not complete. */
  kept: AnalysisView | null;
  questions: AskedQuestion[];
}

export function completeFindings({ analysis, kept }: DocumentView): Findings | null {
  return kept?.findings ?? (analysis?.state === 'done' ? analysis.findings : null);
}

const NAMED_PAGES = 6;

/** 'page 3', 'pages 3–9', 'pages 1, 4, and 9', '40 pages'. */
export function describePages(pages: readonly number[]): string {
  const [first = 0, last = 0] = [pages[0], pages.at(-1)];
  if (pages.length === 1) return m.pdfs_page({ page: first });
  if (pages.length === last - first + 1) return m.pdfs_pages_range({ first, last });
  if (pages.length > NAMED_PAGES) return m.pdfs_pages_count({ count: pages.length });
  return m.pdfs_pages_list({ pages: new Intl.ListFormat(locale()).format(pages.map(String)) });
}

export function describeExtent({ pages, unread }: Pick<DocumentView, 'pages' | 'unread'>, used: number) {
  const missing = new Set(unread.filter((page) => page <= used)).size + pages - used;
  return m.pdfs_extent({ read: pages - missing, pages });
}

export function describeUnreadPages({ pages, unread }: Pick<DocumentView, 'pages' | 'unread'>, used: number) {
  const remaining = Array.from({ length: pages - used }, (_, at) => used + 1 + at).filter(
    (page) => !unread.includes(page),
  );
  return remaining.length === 0 ? '' : m.pdfs_no_time({ pages: describePages(remaining) });
}

/** One line of the response to an upload that accepts `application/x-ndjson`. */
export type ReadingLine =
  | { page: number; of: number }
  | { document: DocumentView }
  | { error: string; code: string };

export type ProgressLine =
  | { page: number; of: number }
  | { parts: number; of: number }
  | { step: 'summary' | 'searching' | 'answering' };

export interface StartedDocumentRun extends StartedRun {
  credits: number | null;
}

export const askQuestion = /* @__PURE__ */ (() =>
  z.object({
    question: z.string().check(z.trim(), z.minLength(1), z.maxLength(documentLimits.question)),
  }))();

export interface DocumentSample {
  name: string;
  pages: number;
  findings: Findings;
}
