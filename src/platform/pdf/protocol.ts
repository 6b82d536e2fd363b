/**
 * What the reading process writes to its standard output, one line of JSON each: `ready` once its program is loaded,
 * then `pages`, then each page in order, then `end`; or `failed` at any time after `ready`.
 */
export type Line =
  | { ready: true }
  | { pages: number; scans: boolean }
  | { page: number; text: string }
  | { page: number; broken: true }
  | { end: true }
  | { failed: 'encrypted' | 'damaged' | 'too_complex' };

/** What is asked of the reading process, as JSON in its arguments. */
export interface Task {
  /** Folder of the pdfjs-dist package. */
  library: string;
  /** Pages that are read, from the first on. */
  pages: number;
  /** UTF-16 units after which no further page is read. */
  characters: number;
}

/**
 * A page of more UTF-16 units is no page that somebody wrote. (A book's page has 3,000, a newspaper's 30,000.)
 */
export const PAGE_CHARACTERS = 250_000;
