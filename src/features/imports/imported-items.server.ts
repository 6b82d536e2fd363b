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
  ParsedAssistant,
  ParsedDocument,
  ParsedFile,
  ParsedImages,
  ParsedItem,
  ParsedProject,
  ParsedTag,
  ParsedText,
} from './reading/import-protocol.ts';
import { readSettings } from './text-settings.server.ts';

interface ImportContext {
  userId: string;
  now: Date;
  files: readonly ParsedFile[];
}

/** The part of the work that happens in the transaction that records the item. */
interface PreparedItem {
  /** @returns the item's id; null if a limit leaves no room for it */
  write(tx: Database): Promise<string | null>;
  /** Call it if nothing was written. After an exception that is unknown; then the sweep removes unreferenced files. */
  undo?(): Promise<void>;
  leftOut: LeftOut;
  /** Recorded together with the item. */
  files?: AddedFiles['stored'];
}

/** Replaces a missing time, or one in the future, with `now`. */
export const clampToNow = (at: number | null, now: Date): Date =>
  at === null ? now : new Date(Math.min(at, now.getTime()));

/** An item cannot have been updated before it was created; such an update gets the creation time. */
function timesOf({ createdAt, updatedAt }: Pick<ParsedText, 'createdAt' | 'updatedAt'>, now: Date) {
  const created = clampToNow(createdAt ?? updatedAt, now);
  const updated = clampToNow(updatedAt ?? createdAt, now);
  return { createdAt: created, updatedAt: new Date(Math.max(created.getTime(), updated.getTime())) };
}

const kinds: readonly VersionKind[] = ['generated', 'edited', 'refined', 'restored'];

function prepareText(item: ParsedText, { userId, now }: ImportContext): PreparedItem | null {
  const feature = textFeatures.find((known) => known === item.tool);
  if (!feature) return null;
  let cut = 0;
  const versions = item.versions.map(({ kind, settings, content: fullContent, note, at }) => {
    const { content, cut: isCut } = cutContent(fullContent);
    if (isCut) cut++;
    return {
      ...{ content, note, settings: readSettings(feature, settings), createdAt: clampToNow(at, now) },
      kind: kinds.find((known) => known === kind) ?? 'edited',
    };
  });
  const text = { feature, title: item.title, author: item.author, ...timesOf(item, now), versions };
  return { write: (tx) => addImportedText(tx, userId, text), leftOut: { cut } };
}

async function prepareKeeper(
  item: ParsedProject | ParsedAssistant,
  { userId, now, files }: ImportContext,
): Promise<PreparedItem> {
  const { stored, unreadable } = await addFiles(userId, files);
  const times = timesOf(item, now);
  const attached = item.attachments.flatMap((id) => {
    const file = stored.get(id);
    return file ? [{ id: file.id, createdAt: clampToNow(file.at ?? item.createdAt, now) }] : [];
  });
  return {
    write: (tx) =>
      item.kind === 'project'
        ? addImportedProject(tx, userId, { ...item, ...times, files: attached })
        : addImportedAssistant(tx, userId, { ...item, ...times, files: attached }),
    leftOut: { files: unreadable.size },
    files: stored,
  };
}

async function prepareImages(
  item: ParsedImages,
  { userId, now, files }: ImportContext,
): Promise<PreparedItem | null> {
  const createdAt = clampToNow(item.createdAt, now);
  const pictures = files.map(({ content, createdAt: at }) => ({
    bytes: Buffer.from(content, 'base64'),
    createdAt: clampToNow(at ?? item.createdAt, now),
  }));
  const prepared = await readImportedImages(userId, { ...item, createdAt, pictures });
  if (!prepared) return null;
  return {
    write: (tx) => addImportedImages(tx, userId, prepared),
    undo: () => removePictureFiles(prepared.keys),
    leftOut: { images: item.pictures.length - prepared.pictures.length },
  };
}

async function prepareDocument(
  item: ParsedDocument,
  { userId, now, files }: ImportContext,
): Promise<PreparedItem | null> {
  const [file] = files;
  if (!file) return null;
  const runs = item.runs.map(({ at, ...run }) => ({
    ...run,
    createdAt: clampToNow(at ?? item.createdAt, now),
  }));
  const details = { name: item.name, createdAt: clampToNow(item.createdAt, now), runs };
  const prepared = await withFile(file, (upload) => readImportedDocument(userId, { ...details, upload }));
  if (!prepared) return null;
  return {
    write: (tx) => addImportedDocument(tx, userId, prepared),
    undo: () => removeDocumentFile(prepared),
    leftOut: { findings: runs.length - prepared.runs.length },
  };
}

/** Reads the item's files and prepares its write. Returns null if the item breaks the rules of its kind. */
export async function prepareItem(
  item: Exclude<ParsedItem, ParsedTag>,
  context: ImportContext,
): Promise<PreparedItem | null> {
  const { userId, now } = context;
  const nothing = {};
  switch (item.kind) {
    case 'text':
      return prepareText(item, context);
    case 'project':
    case 'assistant':
      return prepareKeeper(item, context);
    case 'image':
      return prepareImages(item, context);
    case 'document':
      return prepareDocument(item, context);
    case 'prompt':
      return {
        write: (tx) => addImportedPrompt(tx, userId, { ...item, ...timesOf(item, now) }),
        leftOut: nothing,
      };
    case 'note':
      return {
        write: (tx) => addImportedNote(tx, userId, { ...item, createdAt: clampToNow(item.createdAt, now) }),
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
export function leftOutOf(item: ParsedItem): LeftOut {
  if (item.kind === 'image') return { images: item.pictures.length };
  // The person already has instructions, which are kept.
  if (item.kind === 'instructions') return {};
  return { [`${item.kind}s`]: 1 };
}
