import { z } from 'zod/mini';

export const importLimits = {
  /** Bytes of a file; it comes in parts, as proxies take 12 MB of a request. */
  size: 200 * 1024 * 1024,
  part: 8 * 1024 * 1024,
  /** Bytes of all chats of an archive, unpacked. */
  unpacked: 512 * 1024 * 1024,
  chats: 20_000,
  messages: 200_000,
  messagesPerChat: 10_000,
  /** Of an archive of a site of this kind, beside its chats. */
  items: 20_000,
  /** Of an archive, and items of one of them: a person has no more. */
  tags: 100,
  taggings: 5_000,
  /** Of one tag with as many items, several times over. */
  tagBytes: 2 * 1024 * 1024,
  /** Files of messages of one import, and their bytes. */
  files: 5_000,
  fileBytes: 500 * 1024 * 1024,
  /** Bytes of all generated images of one import. */
  imageBytes: 1024 ** 3,
  /** Bytes of all PDF documents of one import, and results that were found in them. */
  documentBytes: 1024 ** 3,
  findings: 2_000,
  /** Imported chats of a person, and bytes of their texts. */
  keptChats: 50_000,
  keptBytes: 1024 ** 3,
} as const;

export type ImportSource = 'chatgpt' | 'claude' | 'archive';
export type ImportState = 'uploading' | 'queued' | 'running' | 'done' | 'failed';

/** What an archive of a site of this kind brings beside its chats; `image`: a set of them; `document`: of the PDF Analyzer. */
export const itemKinds = [
  'text',
  'image',
  'document',
  'project',
  'assistant',
  'prompt',
  'tag',
  'note',
  'instructions',
] as const;
export type ItemKind = (typeof itemKinds)[number];
export type ItemCounts = Partial<Record<ItemKind, { added: number; present: number }>>;

/**
 * What of a file is not here, and how often. `chats`: whole ones that are damaged, empty or too long; `taggings`: tags
 * that are here, on one item each.
 */
export const leftOutKinds = [
  'chats',
  'images',
  'files',
  'tools',
  'thinking',
  'hidden',
  'other',
  'cut',
  'texts',
  'projects',
  'assistants',
  'prompts',
  'tags',
  'taggings',
  'notes',
  'documents',
  'findings',
] as const;
export type LeftOutKind = (typeof leftOutKinds)[number];
export type LeftOut = Partial<Record<LeftOutKind, number>>;

/** Why nothing, or nothing more, of a file was imported. */
export const importFailures = [
  'not_json',
  'unknown',
  'damaged',
  'encrypted',
  'unsafe',
  'too_large',
  'too_many',
  'too_complex',
  'full',
  'stopped',
  'internal',
] as const;
export type ImportFailure = (typeof importFailures)[number];

/** Row of `GET /api/imports`. */
export interface ImportView {
  id: string;
  name: string;
  bytes: number;
  state: ImportState;
  source: ImportSource | null;
  /** Chats and items in the file; null until it has been read. */
  total: number | null;
  handled: number;
  /** Chats. */
  added: number;
  /** Chats that were there already, from an earlier import. */
  present: number;
  /** Beside the chats; empty until it is over. */
  items: ItemCounts;
  leftOut: LeftOut;
  failure: ImportFailure | null;
  /** It runs, but its process has not been heard of for a while. */
  stalled: boolean;
  createdAt: string;
  finishedAt: string | null;
}

/** Body of `POST /api/imports`. Answers ImportView; its parts follow, then `POST /api/imports/:id/start`. */
export const beginImport = /* @__PURE__ */ (() =>
  z.object({
    name: z.string().check(z.minLength(1), z.maxLength(1000)),
    bytes: z.int().check(z.minimum(1)),
  }))();
export type BeginImport = z.infer<typeof beginImport>;
