import type { BookText } from './book-text.server.ts';
import type { WorkbookText } from './workbook-text.server.ts';

/** Formats without pages. */
export type Unpaged = 'docx' | 'xlsx' | 'epub';

/** `ready` once the program is loaded, `pages`, each page in order, `end`; or `failed` any time after `ready`. */
export type ReaderLine =
  | { ready: true }
  | { pages: number; scans: boolean }
  | { page: number; text: string; layout?: Layout }
  /** `more` if the text was cut; `images` counts the document's pictures. */
  | { document: { text: string; more: boolean; images: number } }
  | { workbook: WorkbookText }
  | { book: BookText }
  | { page: number; broken: true }
  | { end: true }
  | { failed: 'encrypted' | 'wrong_password' | 'damaged' | 'too_complex' };

/** In units of the page as displayed, from its top left corner. */
export interface Layout {
  width: number;
  height: number;
  /** For each word of the text (split at spaces and line ends): x, y, width, height in tenths of a unit. */
  boxes: number[];
  /** Words that are invisible on the page; they are not part of the text. */
  hidden: string;
  /** All text is invisible and lies over a picture, as OCR programs produce it. */
  overPicture: boolean;
}

export interface ReaderTask {
  library: string;
  pages: number;
  characters: number;
  layout?: boolean;
  /** Undefined means PDF. */
  format?: Unpaged | undefined;
  /** File descriptor of a pipe with the password: other programs could read it in arguments. */
  passwordFrom?: number;
}

/** Precedes the pixels, four bytes each; if the image is too large, only its size is sent (`decoded` is false). */
export type HeicLine = { width: number; height: number; decoded: boolean } | { failed: true };

export interface HeicTask {
  library: string;
  heic: true;
}

/** A page of a book has 3,000 UTF-16 units, one of a newspaper 30,000. */
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
