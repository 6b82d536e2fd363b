import type { BookText } from './book-text.server.ts';
import type { WorkbookText } from './workbook-text.server.ts';

/** What a document is that has no pages. */
export type Unpaged = 'docx' | 'xlsx' | 'epub';

/** `ready` once the program is loaded, `pages`, each page in order, `end`; or `failed` at any time after `ready`. */
export type ReaderLine =
  | { ready: true }
  | { pages: number; scans: boolean }
  | { page: number; text: string; layout?: Layout }
  /** `more` where its text is longer, `images` that it has. */
  | { document: { text: string; more: boolean; images: number } }
  | { workbook: WorkbookText }
  | { book: BookText }
  | { page: number; broken: true }
  | { end: true }
  | { failed: 'encrypted' | 'wrong_password' | 'damaged' | 'too_complex' };

/** Units of the page as it is shown, from its upper left corner. */
export interface Layout {
  width: number;
  height: number;
  /** For each piece of the text between blanks and line ends: x, y, width, height in tenths of a unit. */
  boxes: number[];
  /** Words that nobody sees who looks at the page; they are not in the text. */
  hidden: string;
  /** All text lies unseen over a picture, as programs put it that read scans. */
  overPicture: boolean;
}

export interface ReaderTask {
  library: string;
  pages: number;
  characters: number;
  layout?: boolean;
  /** Undefined: PDF. */
  format?: Unpaged | undefined;
  /** The password stands in the pipe of this file descriptor: arguments can be read by other programs. */
  passwordFrom?: number;
}

/** Before the pixels, four bytes each, where they follow; the size alone where it is more than it may be. */
export type HeicLine = { width: number; height: number; decoded: boolean } | { failed: true };

export interface HeicTask {
  library: string;
  heic: true;
}

/** A book's page has 3,000 UTF-16 units, a newspaper's 30,000. */
export const PAGE_CHARACTERS = 250_000;

export interface PageText {
  page: number;
  text: string;
}

export interface LinesOfPage {
  page: number;
  lines: Array<[first: number, last: number]>;
}

export interface TextMatch {
  text: string;
  places: LinesOfPage[];
}

export interface Occurrences {
  count: number;
  places: LinesOfPage[];
}

export interface SearchTask {
  search: true;
}

export interface SearchRequest {
  pages: PageText[];
  find?: Array<{ words: string; page: number }>;
  count?: string[];
  rank?: { question: string; bytes: number };
}

export interface SearchAnswer {
  found: Array<TextMatch | null>;
  counted: Occurrences[];
  passages: PageText[];
}
