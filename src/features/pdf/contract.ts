import { z } from 'zod/mini';
import type { GenerationState, StartedRun } from '../generations/contract.ts';

export const documentLimits = {
  /** Bytes of one file. */
  size: 10_485_760,
  /** Pages that are read, from the first on. */
  pages: 300,
  /** Words of a document that can be analysed. */
  leastWords: 10,
  /** UTF-16 units of a password. */
  password: 200,
  /** UTF-16 units of a question. */
  question: 1_000,
} as const;

/** Header of an upload with the password of a protected file, percent-encoded. It is not stored. */
export const passwordHeader = 'X-Document-Password';

export const documentTexts = {
  tooLarge: { title: 'File too large', text: 'Please select a smaller file than 10MB' },
  wrongType: { title: 'Invalid file type', text: 'Please select a PDF file.' },
  locked: 'This PDF is password-protected. Enter its password to open it. We don’t store the password.',
  wrongPassword: 'That password didn’t work. Please try again.',
  none: { title: 'No file selected', text: 'Please upload a PDF file first.' },
} as const;

/** Part of a page as it is shown: x, y, width, height in page units from its upper left corner. */
export type PageBox = [number, number, number, number];

/** A page and what is marked on it, a box a line. */
export interface Place {
  page: number;
  boxes: PageBox[];
}

/** Words of the document, found in it by the server. */
export interface Quote {
  text: string;
  /** Two where the words run over the end of a page. */
  places: Place[];
}

/** Something said of the document that its own words hold. */
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
  /** How often it stands in the text that was read. */
  count: number;
  /** The first of them. */
  places: Place[];
}

/** What an analysis has found; fills while it runs. */
export interface Findings {
  summary: Statement[];
  questions: QuestionAndAnswer[];
  keywords: Keyword[];
  /** Pages from 1 on that were worked through. */
  pagesUsed: number;
  /** Statements and answers that were left out: the document has no words that hold them. */
  unsupported: number;
}

/** An answer to a question of the person; without statements the document does not answer it. */
export interface Answer {
  statements: Statement[];
  /** As in `Findings`. */
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

/** A row of the list of files. */
export interface DocumentRow {
  id: string;
  name: string;
  bytes: number;
  pages: number;
  createdAt: string;
  /** An analysis of it is whole. */
  analysed: boolean;
  /** An analysis of it is at work. */
  running: boolean;
}

export interface AnalysisView extends RunView {
  /** Null until the first part is there, and after an analysis that did not end well. */
  findings: Findings | null;
}

/** What `GET /api/documents/:id` answers. */
export interface DocumentView extends DocumentRow {
  pagesRead: number;
  /** Numbers of the pages without a text of their own: empty or scanned, broken, or behind the last one that was read. */
  unread: number[];
  /** What could not be read or is left out, in words; null when nothing is. */
  note: string | null;
  /** The analysis that is at work, else the one that was begun last. */
  analysis: AnalysisView | null;
  /** The whole analysis that still holds while a later one is at work or did not end well. */
  kept: AnalysisView | null;
  /** Oldest first. */
  questions: AskedQuestion[];
}

/** What was found in a document: of the newest analysis that is whole; null before there is one. */
export function wholeFindings({ analysis, kept }: DocumentView): Findings | null {
  return kept?.findings ?? (analysis?.state === 'done' ? analysis.findings : null);
}

/** How many of the pages the findings are made from, in words. */
export function extentOf({ pages, unread }: Pick<DocumentView, 'pages' | 'unread'>, used: number): string {
  const missing = new Set(unread.filter((page) => page <= used)).size + pages - used;
  if (missing > 0) return `${pages - missing} of ${pages} pages were read.`;
  return pages === 1 ? 'The page was read.' : `All ${pages} pages were read.`;
}

/** Pages that the analysis had no time for; '' where it came to the end of the text. */
export function notReached({ pages, unread }: Pick<DocumentView, 'pages' | 'unread'>, used: number): string {
  const left = Array.from({ length: pages - used }, (_, at) => used + 1 + at).filter(
    (page) => !unread.includes(page),
  );
  const [first, last] = [left[0], left.at(-1)];
  if (first === undefined) return '';
  return first === last
    ? `There was no time for page ${first}.`
    : `There was no time for pages ${first} to ${last}.`;
}

/** A line of the answer to an upload that accepts `application/x-ndjson`. */
export type ReadingLine =
  | { page: number; of: number }
  | { document: DocumentView }
  | { error: string; code: string };

/** A line of the text of a run: what it is at. */
export type ProgressLine =
  | { page: number; of: number }
  /** So many parts have been stored. */
  | { parts: number; of: number }
  | { step: 'summary' | 'searching' | 'answering' };

export interface StartedDocumentRun extends StartedRun {
  credits: number | null;
}

export const askQuestion = z.object({
  question: z.string().check(z.trim(), z.minLength(1), z.maxLength(documentLimits.question)),
});

/** What the tool makes, from a text of ours. */
export interface DocumentSample {
  name: string;
  pages: number;
  findings: Findings;
}
