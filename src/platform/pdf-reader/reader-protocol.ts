/**
 * What the reading process writes to its standard output, one line of JSON each: `ready` once its program is loaded,
 * then `pages`, then each page in order, then `end`; or `failed` at any time after `ready`.
 */
export type ReaderLine =
  | { ready: true }
  | { pages: number; scans: boolean }
  | { page: number; text: string; layout?: Layout }
  | { page: number; broken: true }
  | { end: true }
  | { failed: 'encrypted' | 'wrong_password' | 'damaged' | 'too_complex' };

/** Where the text of a page stands, in the units of the page as it is shown, from its upper left corner. */
export interface Layout {
  width: number;
  height: number;
  /** For each word of the text (its pieces between blanks and line ends) x, y, width, height in tenths of a unit. */
  boxes: number[];
  /** Words that nobody sees who looks at the page; they are not in the text. */
  hidden: string;
  /** All text lies unseen over a picture, as programs put it that read scans. */
  overPicture: boolean;
}

export interface ReaderTask {
  library: string;
  pages: number;
  /** UTF-16 units after which no further page is read. */
  characters: number;
  layout?: boolean;
  /** The password stands in the pipe of this file descriptor: arguments can be read by other programs. */
  passwordFrom?: number;
}

/**
 * A page of more UTF-16 units is no page that somebody wrote. (A book's page has 3,000, a newspaper's 30,000.)
 */
export const PAGE_CHARACTERS = 250_000;

export interface PageText {
  page: number;
  text: string;
}

/** Words of a page, a line each: the first and the last of them, numbered as in `Layout.boxes`. */
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
  /** Words to be found, of several places the one nearest to `page`. */
  find?: Array<{ words: string; page: number }>;
  count?: string[];
  /** A question whose passages are wanted, as many as `bytes` hold. */
  rank?: { question: string; bytes: number };
}

export interface SearchAnswer {
  found: Array<TextMatch | null>;
  counted: Occurrences[];
  passages: PageText[];
}
