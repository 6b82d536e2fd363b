/** A Markdown text that is to be a file. */
export interface TextJob {
  kind: 'text';
  format: 'txt' | 'docx' | 'pdf';
  markdown: string;
  title: string;
}

/** Why a file cannot be made, as the process that makes it says: the signs that no font prints, or a text to show. */
export type Refusal = { signs: string[] } | { text: string };

/** Exit code of a process that refuses; the refusal stands on its standard output, where the file would be. */
export const REFUSED = 3;
