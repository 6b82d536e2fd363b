import type { Paper } from '#shared/paper.ts';

export interface TextFileTask {
  kind: 'text';
  format: 'txt' | 'docx' | 'pdf';
  markdown: string;
  title: string;
  /** For a PDF. */
  paper: Paper;
}

export type FileRefusal = { signs: string[] } | { pages: number; most: number };

export class TooManyPages extends Error {
  readonly pages: number;
  readonly most: number;

  constructor(pages: number, most: number) {
    super(`${pages} pages`);
    this.pages = pages;
    this.most = most;
    this.name = 'TooManyPages';
  }
}

/** Exit code of a process that refuses; its standard output then contains the refusal instead of the file. */
export const EXIT_REFUSED = 3;
