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

/** What is left to do in the transaction that notes the item. */
interface ReadyItem {
  /** @returns its id; null where there is no room for it. */
  write(tx: Database): Promise<string | null>;
  /** Where nothing was written. After a fault it is not known, and files that nothing names are swept. */
  undo?(): Promise<void>;
  leftOut: LeftOut;
  /** To be noted with it. */
  files?: AddedFiles['made'];
}

/** Times that lie ahead, or that the file does not tell, are now. */
export const within = (at: number | null, now: Date): Date =>
  at === null ? now : new Date(Math.min(at, now.getTime()));

/** What was changed before it was made was changed then. */
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

/** Its files are read, and it is ready to be written; null for one that is none by the rules of its kind. */
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

/** What is counted of one that is not here. */
export function leftOutOf(item: ReadItem): LeftOut {
  if (item.kind === 'image') return { images: item.pictures.length };
  // There are others, which stay.
  if (item.kind === 'instructions') return {};
  return { [`${item.kind}s`]: 1 };
}
