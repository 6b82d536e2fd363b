import { v7 as uuid } from 'uuid';
import type { Feature } from '#features/credits/contract.ts';
import { m } from '#messages';
import type { Database } from '#platform/database/database.server.ts';
import { cleanLine, cleanText, cutText } from '#shared/clean-text.ts';
import { textLength } from '#shared/text-length.ts';
import { textLimits, type VersionKind } from './contract.ts';
import {
  type ImportedVersionRow,
  insertImportedText,
  insertImportedVersions,
} from './import-text-store.server.ts';
import { ownText, storageUsed } from './store.server.ts';

export interface ImportedText {
  feature: Feature;
  title: string;
  author: string | null;
  createdAt: Date;
  updatedAt: Date;
  /** Oldest first, none of them empty. */
  versions: readonly {
    kind: VersionKind;
    /** In the tool's format; the caller has validated them. */
    settings: object;
    content: string;
    note: string | null;
    createdAt: Date;
  }[];
}

/** Bytes of all versions of one person. */
export const TEXT_QUOTA = 200 * 1024 ** 2;

/** UTF-16 units of a note, which is a code or a sentence. */
const NOTE_LENGTH = 300;
/** Versions per statement. */
const BATCH_SIZE = 20;

export const hasText = async (db: Database, userId: string, id: string): Promise<boolean> =>
  (await ownText(db, userId, id)) !== null;

const countBytes = ({ versions }: ImportedText) =>
  versions.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0);

/**
 * Creates a text with these versions, which no run made. The caller ensures that it is created only once.
 * @returns its id; null if the quota is exceeded or the account is gone.
 */
export async function addImportedText(
  tx: Database,
  userId: string,
  text: ImportedText,
): Promise<string | null> {
  if ((await storageUsed(tx, userId)) + countBytes(text) > TEXT_QUOTA) return null;
  const id = uuid();
  const { feature, createdAt, updatedAt } = text;
  const title = cleanLine(text.title, textLimits.titleLength) || m.texts_untitled();
  const author = text.author === null ? null : cleanLine(text.author, textLimits.authorLength);
  if (!(await insertImportedText(tx, { id, userId, feature, title, author, createdAt, updatedAt })))
    return null;
  const rows = text.versions.slice(-textLimits.versions).map(
    ({ kind, settings, content, note, createdAt: at }): ImportedVersionRow => ({
      ...{ id: uuid(), kind, settings, content, createdAt: at, ...textLength(content) },
      note: note === null ? null : cleanLine(note, NOTE_LENGTH),
    }),
  );
  for (let at = 0; at < rows.length; at += BATCH_SIZE)
    await insertImportedVersions(tx, id, rows.slice(at, at + BATCH_SIZE));
  return id;
}

/** Cuts the content to the maximum length. @returns also whether it was cut. */
export function cutContent(content: string): { content: string; cut: boolean } {
  const clean = cleanText(content);
  if (clean.length <= textLimits.textLength) return { content: clean, cut: false };
  return { content: cutText(clean, textLimits.textLength), cut: true };
}
