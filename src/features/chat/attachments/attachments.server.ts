import { v7 as uuid } from 'uuid';
import { m } from '#messages';
import { database, transaction } from '#platform/database/database.server.ts';
import { isArchive, isLockedOffice, isPdf } from '#platform/document-reader/document-text.server.ts';
import {
  fileKey,
  openFile,
  removeFile,
  storeFile,
  storeFileFromPath,
} from '#platform/files/file-store.server.ts';
import { removeFiles } from '#platform/files/orphan-files.server.ts';
import type { Upload } from '#platform/files/upload.server.ts';
import { uploadSlots } from '#platform/files/upload-slots.server.ts';
import type { ActorInput, UserActor } from '#platform/http/actor.server.ts';
import { Problem, requireFound, requireUuid, signInRequired } from '#platform/http/problem.server.ts';
import { enforceLimit } from '#platform/http/rate-limit.server.ts';
import { containImage } from '#platform/images/contain.server.ts';
import { readHeic } from '#platform/images/heic.server.ts';
import type { ImageSource } from '#platform/images/reencode.server.ts';
import { cleanFileName } from '#shared/file-name.ts';
import { imageTypeOf, isHeic } from '#shared/image-type.ts';
import { type Attachment, attachmentLimits, docxType, epubType, xlsxType } from '../contract.ts';
import { attachmentTexts, type DocumentFormat, formatOfName, isTextFileName } from './accepted-files.ts';
import {
  type AttachmentRow,
  attachmentKind,
  deleteUnreferenced,
  insertAttachment,
  lockOwn,
  storageUsed,
  textType,
  visibleAttachment,
  visibleAttachments,
} from './attachment-store.server.ts';
import { filterUsed } from './file-items-store.server.ts';
import { readBook } from './fit-book.server.ts';
import { readDocument, type SentDocument } from './fit-document.server.ts';
import { readDocx, readText } from './fit-text.server.ts';
import { describeLeftOut } from './left-out.server.ts';
import type { Reading } from './read-attached.server.ts';
import { readWorkbook } from './read-workbook.server.ts';

const KIND = 'attachment';
const UPLOADS = { max: 100, seconds: 3600 };
/** Bytes of all files that one person may keep. */
export const MAX_STORED_BYTES = 1024 ** 3;
const PICTURE_BYTES = 1024 * 1024;

const texts = {
  tooOften: m.chat_error_too_many_files,
  quota: m.chat_error_file_quota,
  busy: m.chat_error_files_busy,
  empty: m.chat_error_file_empty,
  sent: m.chat_error_file_sent,
  locked: m.chat_error_office_locked,
};

function toView(row: AttachmentRow): Attachment {
  const { id, name, bytes, width, height, text } = row;
  const kind = attachmentKind(row);
  const [pages, pagesRead] = kind === 'pdf' ? [row.pages, row.pages_read] : [null, null];
  const textBytes = text === null ? null : Buffer.byteLength(text);
  return { id, kind, name, bytes, width, height, pages, pagesRead, textBytes, note: describeLeftOut(row) };
}

const withSlot = uploadSlots(2, texts.busy);

/** Allows two uploads per person at a time; one refused for that does not count towards the hourly limit. */
export const withUploadSlot = <T>({ userId }: UserActor, upload: () => Promise<T>): Promise<T> =>
  withSlot(userId, async () => {
    await enforceLimit(`files:${userId}`, UPLOADS, texts.tooOften());
    if ((await storageUsed(database(), userId)) >= MAX_STORED_BYTES)
      throw new Problem('too_large', texts.quota());
    return upload();
  });

type AttachmentContent = Pick<
  AttachmentRow,
  'kind' | 'type' | 'bytes' | 'file_key' | 'width' | 'height' | 'pages' | 'pages_read' | 'text' | 'left_out'
>;

async function pictureContent(source: ImageSource, reading: Reading): Promise<AttachmentContent> {
  const { bytes, type, width, height } = await containImage(source, {
    side: attachmentLimits.side,
    maxBytes: PICTURE_BYTES,
    ...reading,
  });
  const file_key = await storeFile(KIND, bytes);
  const metadata = { type, bytes: bytes.length, file_key, width, height };
  return { kind: 'image', ...metadata, pages: null, pages_read: null, text: null, left_out: null };
}

async function documentContent(
  { path, bytes }: Upload,
  type: string,
  read: SentDocument,
): Promise<AttachmentContent> {
  const { pages, pagesRead, text, leftOut } = read;
  const file_key = await storeFileFromPath(KIND, path);
  const metadata = { type, bytes, file_key, width: null, height: null };
  return { kind: 'pdf', ...metadata, pages, pages_read: pagesRead, text, left_out: leftOut };
}

type ReadFormat = (path: string, reading: Reading) => Promise<SentDocument>;
const formats: Record<DocumentFormat, { type: string; read: ReadFormat }> = {
  docx: { type: docxType, read: readDocx },
  xlsx: { type: xlsxType, read: readWorkbook },
  epub: { type: epubType, read: readBook },
};

/** Determines the type by the bytes, but plain text and the kinds of archives by the file name. */
export async function readContent(
  name: string,
  upload: Upload,
  reading: Reading,
): Promise<AttachmentContent> {
  if (upload.bytes === 0) throw new Problem('bad_request', texts.empty());
  if (imageTypeOf(upload.head)) return pictureContent(upload.path, reading);
  if (isHeic(upload.head)) return readHeic(upload.path, reading, (pixels) => pictureContent(pixels, reading));
  if (isPdf(upload.head))
    return documentContent(upload, 'application/pdf', await readDocument(upload.path, reading));
  const format = formatOfName(name);
  if (format && isArchive(upload.head)) {
    const { type, read } = formats[format];
    return documentContent(upload, type, await read(upload.path, reading));
  }
  if (format && isLockedOffice(upload.head)) throw new Problem('bad_request', texts.locked());
  if (isTextFileName(name))
    return documentContent(upload, textType, await readText(upload.path, upload.bytes));
  throw new Problem('unsupported_type', attachmentTexts.wrongType);
}

/** Writes the file before its row: a crash leaves only a file, which is swept. */
export async function addAttachment({
  actor,
  input,
}: ActorInput<{ name: string; upload: Upload; signal: AbortSignal }>): Promise<Attachment> {
  const { upload, signal } = input;
  const name = cleanFileName(input.name);
  const content = await readContent(name, upload, { key: actor.userId, signal });
  const row = { id: uuid(), user_id: actor.userId, name, ...content };
  try {
    const inserted = await insertAttachment(database(), row);
    if (!inserted) throw signInRequired();
    return toView(inserted);
  } catch (error) {
    await removeFile(fileKey(content.file_key));
    throw error;
  }
}

async function requireOwn(actor: UserActor, id: string): Promise<AttachmentRow> {
  return requireFound(await visibleAttachment(database(), actor.userId, requireUuid(id)));
}

/** Returns those that still exist, in the order of `ids`. */
export async function listAttachments({
  actor,
  input: { ids },
}: ActorInput<{ ids: string[] }>): Promise<Attachment[]> {
  const requestedIds = ids.map((id) => requireUuid(id).toLowerCase());
  if (requestedIds.length > attachmentLimits.perMessage)
    throw new Problem('bad_request', m.request_field({ field: 'ids' }));
  const rows = await visibleAttachments(database(), actor.userId, requestedIds);
  const order = (row: AttachmentRow) => requestedIds.indexOf(row.id);
  return rows.toSorted((one, other) => order(one) - order(other)).map(toView);
}

/** Returns those ids that are files of the person in existing chats, projects or assistants. */
export async function usedFiles({
  actor,
  input: { ids },
}: ActorInput<{ ids: string[] }>): Promise<Set<string>> {
  return new Set(ids.length === 0 ? [] : await filterUsed(database(), actor.userId, ids));
}

/** The caller must read or destroy the stream. */
export async function openAttachment({ actor, input }: ActorInput<{ id: string }>) {
  const row = await requireOwn(actor, input.id);
  const file = requireFound(await openFile(fileKey(row.file_key)));
  return { kind: row.kind, name: row.name, type: row.type, ...file };
}

export async function removeAttachment({ actor, input }: ActorInput<{ id: string }>): Promise<void> {
  const { id } = await requireOwn(actor, input.id);
  const keys = await transaction(async (tx) => deleteUnreferenced(tx, await lockOwn(tx, actor.userId, id)));
  if (keys.length === 0) throw new Problem('conflict', texts.sent());
  await removeFiles(keys);
}
