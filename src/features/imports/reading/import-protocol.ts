import type { ImportFailure, ImportSource, LeftOut } from '../contract.ts';

export interface ImportTask {
  /** Of the file, which is its standard input. */
  bytes: number;
}

export interface ReadMessage {
  /** Place of an earlier message of the chat. */
  parent: number | null;
  role: 'user' | 'assistant';
  text: string;
  /** Milliseconds; null where the file does not say. */
  at: number | null;
  images: number;
  /** Names of files and kinds of content that came with it and are not in the text. */
  files: string[];
  other: string[];
  /** Ids of files that came in lines before the chat. */
  attachments: string[];
}

/** A file of the next chat, its bytes in base64. */
export interface ReadFile {
  id: string;
  name: string;
  createdAt: number | null;
  content: string;
}

export interface ReadChat {
  source: ImportSource;
  sourceId: string;
  title: string;
  assistant: string | null;
  createdAt: number | null;
  updatedAt: number | null;
  archivedAt: number | null;
  messages: ReadMessage[];
  shown: number | null;
  /** Files whose words stand in the chat itself, their content as it is; they come in lines like all others. */
  texts?: ReadFile[];
}

/**
 * `ready` once the program is loaded, `total` once all is counted, each chat with its files before it, `end` with the number of
 * files of messages that were there and not taken; or `failed` after `ready`.
 */
export type ImportLine =
  | { ready: true }
  | { total: number; source: ImportSource; leftOut: LeftOut }
  | { file: ReadFile }
  | { chat: ReadChat }
  | { end: true; filesNotTaken: number }
  | { failed: ImportFailure };
