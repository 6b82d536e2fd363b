import { z } from 'zod/mini';

export const importLimits = {
  /** Bytes of a file. It is uploaded in parts, because proxies limit a request to 12 MB. */
  size: 200 * 1024 * 1024,
  part: 8 * 1024 * 1024,
  /** Bytes of all chats in an archive after unpacking. */
  unpacked: 512 * 1024 * 1024,
  chats: 20_000,
  messages: 200_000,
  messagesPerChat: 10_000,
  /** Items in an archive from a site of this kind, not counting its chats. */
  items: 20_000,
  /** Tags in an archive, and items per tag. Both equal the limits of people's tags. */
  tags: 100,
  taggings: 5_000,
  /** Bytes of one tag's JSON: several times what a tag with the maximum number of items needs. */
  tagBytes: 2 * 1024 * 1024,
  /** Message attachments per import, and their bytes. */
  files: 5_000,
  fileBytes: 500 * 1024 * 1024,
  /** Bytes of all generated images of one import. */
  imageBytes: 1024 ** 3,
  /** Bytes of all PDF documents of one import, and analysis results stored for them. */
  documentBytes: 1024 ** 3,
  findings: 2_000,
  /** Imported chats per person, and bytes of their texts. */
  importedChats: 50_000,
  importedBytes: 1024 ** 3,
} as const;

export type ImportSource = 'chatgpt' | 'claude' | 'archive';
export type ImportState = 'uploading' | 'queued' | 'running' | 'done' | 'failed';

/**
 * What an archive from a site of this kind contains besides chats. `image` is a set of images, `document` a PDF of the
 * PDF Analyzer.
 */
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
 * What was not imported; LeftOut has a count for each. `chats`: whole chats that are damaged, empty or too long;
 * `taggings`: single items on which an imported tag was not put.
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

/** Why an import stopped with nothing, or only a part, imported. */
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
  /** Chats and items in the file; null until they have been counted. */
  total: number | null;
  handled: number;
  /** Chats. */
  added: number;
  /** Chats that already existed from an earlier import. */
  present: number;
  /** Items besides chats; empty until the import has ended. */
  items: ItemCounts;
  leftOut: LeftOut;
  failure: ImportFailure | null;
  /** Running, but its process has not updated it for 30 seconds. */
  stalled: boolean;
  createdAt: string;
  finishedAt: string | null;
}

/**
 * Body of `POST /api/imports`, which returns an ImportView. Upload the parts next, then call
 * `POST /api/imports/:id/start`.
 */
export const createImport = /* @__PURE__ */ (() =>
  z.object({
    name: z.string().check(z.minLength(1), z.maxLength(1000)),
    bytes: z.int().check(z.minimum(1)),
  }))();
export type CreateImport = z.infer<typeof createImport>;
