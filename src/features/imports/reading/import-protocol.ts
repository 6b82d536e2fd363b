import type { ImportFailure, ImportSource, ItemKind, LeftOut } from '../contract.ts';

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
  ofArchive?: {
    /** Images that it shows, by their ids; in a line, where they are those of a set, the set's. */
    pictures: string[];
    drawn: string | null;
    assistantName: string | null;
    rating: { good: boolean; reason: string } | null;
  };
}

/** A file of the next chat or item, its bytes in base64. */
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
  ofArchive?: {
    pinnedAt: number | null;
    /** Ids in the file, as those of the assistant. */
    project: string | null;
    ownAssistant: string | null;
    model: string | null;
    comparedModel: string | null;
  };
}

interface Item<Kind extends ItemKind> {
  kind: Kind;
  sourceId: string;
}

export interface ReadText extends Item<'text'> {
  tool: string;
  title: string;
  author: string | null;
  createdAt: number | null;
  updatedAt: number | null;
  /** The oldest first. */
  versions: {
    kind: string;
    settings: Readonly<Record<string, unknown>>;
    content: string;
    note: string | null;
    at: number | null;
  }[];
}

export interface ReadProject extends Item<'project'> {
  name: string;
  instructions: string;
  createdAt: number | null;
  updatedAt: number | null;
  /** Ids of files that came in lines before it. */
  attachments: string[];
}

export interface ReadAssistant extends Item<'assistant'> {
  name: string;
  about: string;
  instruction: string;
  model: string | null;
  createdAt: number | null;
  updatedAt: number | null;
  attachments: string[];
}

/** Its pictures came in lines before it, under these ids; one that did not is not to be had. */
export interface ReadImages extends Item<'image'> {
  prompt: string;
  size: string;
  count: number;
  model: string;
  createdAt: number | null;
  pictures: { id: string; path: string; at: number | null }[];
}

/** Its file came in a line before it, under its own id; without it there is nothing to import. */
export interface ReadDocument extends Item<'document'> {
  name: string;
  path: string;
  createdAt: number | null;
  /** The oldest first. */
  runs: { kind: string; question: string | null; result: unknown; at: number | null }[];
}

export interface ReadPrompt extends Item<'prompt'> {
  title: string;
  description: string;
  content: string;
  category: string;
  createdAt: number | null;
  updatedAt: number | null;
}

export interface ReadNote extends Item<'note'> {
  text: string;
  createdAt: number | null;
  /** Whether the memory was switched on. */
  enabled: boolean;
}

export interface ReadInstructions extends Item<'instructions'> {
  about: string;
  answers: string;
  enabled: boolean;
}

export interface ReadTag extends Item<'tag'> {
  name: string;
  createdAt: number | null;
  /** What it is on, as the library has it: the text of a tool by the tool's name. */
  items: { kind: string; id: string }[];
  /** Items that it is on beside those. */
  more: number;
}

export type ReadItem =
  | ReadText
  | ReadProject
  | ReadAssistant
  | ReadImages
  | ReadDocument
  | ReadPrompt
  | ReadTag
  | ReadNote
  | ReadInstructions;

/**
 * `ready` once the program is loaded, `total` once all is counted, each item and chat with its files before it, items that
 * chats name before the chats and tags after all that they are on, `end` with the number of files that were there and not taken; or `failed` after `ready`.
 */
export type ImportLine =
  | { ready: true }
  | { total: number; source: ImportSource; leftOut: LeftOut }
  | { file: ReadFile }
  | { item: ReadItem }
  | { chat: ReadChat }
  | { end: true; filesNotTaken: number }
  | { failed: ImportFailure };
