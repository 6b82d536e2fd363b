import type { ImportFailure, ImportSource, ItemKind, LeftOut } from '../contract.ts';

export interface ImportTask {
  /** Size of the file, which is the process's standard input. */
  bytes: number;
}

export interface ParsedMessage {
  /** Index of an earlier message of the chat. */
  parent: number | null;
  role: 'user' | 'assistant';
  text: string;
  /** Milliseconds; null if the file has no time. */
  at: number | null;
  images: number;
  /** Names of files, and kinds of content, that came with the message and are not in its text. */
  files: string[];
  other: string[];
  /** Ids of files that were sent in lines before the chat. */
  attachments: string[];
  ofArchive?: {
    /** Ids of the images that the message shows; `drawn` is the id of their set, if the message shows a set. */
    pictures: string[];
    drawn: string | null;
    assistantName: string | null;
    rating: { good: boolean; reason: string } | null;
  };
}

/** A file of the next chat or item; `content` is base64. */
export interface ParsedFile {
  id: string;
  name: string;
  createdAt: number | null;
  content: string;
}

export interface ParsedChat {
  source: ImportSource;
  sourceId: string;
  title: string;
  assistant: string | null;
  createdAt: number | null;
  updatedAt: number | null;
  archivedAt: number | null;
  messages: ParsedMessage[];
  shown: number | null;
  /**
   * Files whose text is in the chat itself, as plain text rather than base64. They are sent as lines like all others.
   */
  texts?: ParsedFile[];
  ofArchive?: {
    pinnedAt: number | null;
    /** Ids in the file, like `ownAssistant`. */
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

export interface ParsedText extends Item<'text'> {
  tool: string;
  title: string;
  author: string | null;
  createdAt: number | null;
  updatedAt: number | null;
  /** Oldest first. */
  versions: {
    kind: string;
    settings: Readonly<Record<string, unknown>>;
    content: string;
    note: string | null;
    at: number | null;
  }[];
}

export interface ParsedProject extends Item<'project'> {
  name: string;
  instructions: string;
  createdAt: number | null;
  updatedAt: number | null;
  /** Ids of files that were sent in lines before it. */
  attachments: string[];
}

export interface ParsedAssistant extends Item<'assistant'> {
  name: string;
  about: string;
  instruction: string;
  model: string | null;
  createdAt: number | null;
  updatedAt: number | null;
  attachments: string[];
}

/** The images are sent in earlier lines with these ids; an image without a line could not be read. */
export interface ParsedImages extends Item<'image'> {
  prompt: string;
  size: string;
  count: number;
  model: string;
  createdAt: number | null;
  pictures: { id: string; path: string; at: number | null }[];
}

/** The PDF is sent in an earlier line with the document's id; without it, nothing is imported. */
export interface ParsedDocument extends Item<'document'> {
  name: string;
  path: string;
  createdAt: number | null;
  /** Oldest first. */
  runs: { kind: string; question: string | null; result: unknown; at: number | null }[];
}

export interface ParsedPrompt extends Item<'prompt'> {
  title: string;
  description: string;
  content: string;
  category: string;
  createdAt: number | null;
  updatedAt: number | null;
}

export interface ParsedNote extends Item<'note'> {
  text: string;
  createdAt: number | null;
  /** Whether memory was switched on. */
  enabled: boolean;
}

export interface ParsedInstructions extends Item<'instructions'> {
  about: string;
  answers: string;
  enabled: boolean;
}

export interface ParsedTag extends Item<'tag'> {
  name: string;
  createdAt: number | null;
  /** The tagged items. `kind` is the library's; for a text it is the name of its tool. */
  items: { kind: string; id: string }[];
  /** How many tagged items were left out of `items`. */
  more: number;
}

export type ParsedItem =
  | ParsedText
  | ParsedProject
  | ParsedAssistant
  | ParsedImages
  | ParsedDocument
  | ParsedPrompt
  | ParsedTag
  | ParsedNote
  | ParsedInstructions;

/**
 * Lines in their order: `ready` once the program is loaded; `total` once everything is counted; files before the item
 * or chat they belong to; items that chats refer to before the chats; tags after everything they are on; `end` with the
 * number of files that were not imported. `failed` may follow `ready` at any time.
 */
export type ImportLine =
  | { ready: true }
  | { total: number; source: ImportSource; leftOut: LeftOut }
  | { file: ParsedFile }
  | { item: ParsedItem }
  | { chat: ParsedChat }
  | { end: true; filesNotTaken: number }
  | { failed: ImportFailure };
