import { v7 as uuid } from 'uuid';
import { addImportedInstructions, addImportedNote } from '#features/accounts/service.server.ts';
import { addImportedAssistant, addImportedProject } from '#features/chat/service.server.ts';
import {
  addImportedImages,
  readImportedImages,
  removePictureFiles,
} from '#features/images/service.server.ts';
import {
  addImportedDocument,
  readImportedDocument,
  removeDocumentFile,
} from '#features/pdfs/service.server.ts';
import { addImportedPrompt } from '#features/prompts/service.server.ts';
import { textFeatures, type VersionKind } from '#features/texts/contract.ts';
import { addImportedText, cutContent } from '#features/texts/service.server.ts';
import type { Database } from '#platform/database/database.server.ts';
import type { LeftOut } from './contract.ts';
import { type AddedFiles, addFiles, withFile } from './imported-files.server.ts';
import type {
  ReadAssistant,
  ReadDocument,
  ReadFile,
  ReadImages,
  ReadItem,
  ReadProject,
  ReadTag,
  ReadText,
} from './reading/import-protocol.ts';
import { readSettings } from './text-settings.server.ts';

interface Importing {
  userId: string;
  now: Date;
  files: readonly ReadFile[];
}

/** The part of the work that happens in the transaction that records the item. */
interface ReadyItem {
  /** @returns the item's id; null if a limit leaves no room for it */
  write(tx: Database): Promise<string | null>;
  /** Call it if nothing was written. After an exception that is unknown; then the sweep removes unreferenced files. */
  undo?(): Promise<void>;
  leftOut: LeftOut;
  /** Recorded together with the item. */
  files?: AddedFiles['made'];
}

/** Replaces a missing time, or one in the future, with `now`. */
export const within = (at: number | null, now: Date): Date =>
  at === null ? now : new Date(Math.min(at, now.getTime()));

/** An item cannot have been updated before it was created; such an update gets the creation time. */
function timesOf({ createdAt, updatedAt }: Pick<ReadText, 'createdAt' | 'updatedAt'>, now: Date) {
  const created = within(createdAt ?? updatedAt, now);
  const updated = within(updatedAt ?? createdAt, now);
  return { createdAt: created, updatedAt: new Date(Math.max(created.getTime(), updated.getTime())) };
}

const kinds: readonly VersionKind[] = ['generated', 'edited', 'refined', 'restored'];

function readyText(item: ReadText, { userId, now }: Importing): ReadyItem | null {
  const feature = textFeatures.find((known) => known === item.tool);
  if (!feature) return null;
  let cut = 0;
  const versions = item.versions.map(({ kind, settings, content: whole, note, at }) => {
    const { content, cut: isCut } = cutContent(whole);
    if (isCut) cut++;
    return {
      ...{ content, note, settings: readSettings(feature, settings), createdAt: within(at, now) },
      kind: kinds.find((known) => known === kind) ?? 'edited',
    };
  });
  const text = { feature, title: item.title, author: item.author, ...timesOf(item, now), versions };
  return { write: (tx) => addImportedText(tx, userId, text), leftOut: { cut } };
}

async function readyKeeper(
  item: ReadProject | ReadAssistant,
  { userId, now, files }: Importing,
): Promise<ReadyItem> {
  const { made, unread } = await addFiles(userId, files);
  const times = timesOf(item, now);
  const own = item.attachments.flatMap((id) => {
    const file = made.get(id);
    return file ? [{ id: file.id, createdAt: within(file.at ?? item.createdAt, now) }] : [];
  });
  return {
    write: (tx) =>
      item.kind === 'project'
        ? addImportedProject(tx, userId, { ...item, ...times, files: own })
        : addImportedAssistant(tx, userId, { ...item, ...times, files: own }),
    leftOut: { files: unread.size },
    files: made,
  };
}

async function readyImages(item: ReadImages, { userId, now, files }: Importing): Promise<ReadyItem | null> {
  const createdAt = within(item.createdAt, now);
  const pictures = files.map(({ content, createdAt: at }) => ({
    bytes: Buffer.from(content, 'base64'),
    createdAt: within(at ?? item.createdAt, now),
  }));
  const read = await readImportedImages(userId, { ...item, createdAt, pictures });
  if (!read) return null;
  return {
    write: (tx) => addImportedImages(tx, userId, read),
    undo: () => removePictureFiles(read.keys),
    leftOut: { images: item.pictures.length - read.pictures.length },
  };
}

async function readyDocument(
  item: ReadDocument,
  { userId, now, files }: Importing,
): Promise<ReadyItem | null> {
  const [file] = files;
  if (!file) return null;
  const runs = item.runs.map(({ at, ...run }) => ({ ...run, createdAt: within(at ?? item.createdAt, now) }));
  const about = { name: item.name, createdAt: within(item.createdAt, now), runs };
  const read = await withFile(file, (upload) => readImportedDocument(userId, { ...about, upload }));
  if (!read) return null;
  return {
    write: (tx) => addImportedDocument(tx, userId, read),
    undo: () => removeDocumentFile(read),
    leftOut: { findings: runs.length - read.runs.length },
  };
}

/** Reads the item's files and prepares its write. Returns null if the item breaks the rules of its kind. */
export async function readyItem(
  item: Exclude<ReadItem, ReadTag>,
  importing: Importing,
): Promise<ReadyItem | null> {
  const { userId, now } = importing;
  const nothing = {};
  switch (item.kind) {
    case 'text':
      return readyText(item, importing);
    case 'project':
    case 'assistant':
      return readyKeeper(item, importing);
    case 'image':
      return readyImages(item, importing);
    case 'document':
      return readyDocument(item, importing);
    case 'prompt':
      return {
        write: (tx) => addImportedPrompt(tx, userId, { ...item, ...timesOf(item, now) }),
        leftOut: nothing,
      };
    case 'note':
      return {
        write: (tx) => addImportedNote(tx, userId, { ...item, createdAt: within(item.createdAt, now) }),
        leftOut: nothing,
      };
    case 'instructions':
      return {
        write: async (tx) => ((await addImportedInstructions(tx, userId, item)) ? uuid() : null),
        leftOut: nothing,
      };
  }
}

/** What to count if the item was not imported. */
export function leftOutOf(item: ReadItem): LeftOut {
  if (item.kind === 'image') return { images: item.pictures.length };
  // The person already has instructions, which are kept.
  if (item.kind === 'instructions') return {};
  return { [`${item.kind}s`]: 1 };
}
