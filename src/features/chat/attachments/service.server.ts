import { validate as isUuid, v7 as uuid } from 'uuid';
import { database, transaction } from '../../../platform/database/database.server.ts';
import { fileKey, keepFile, openFile, removeFile, storeFile } from '../../../platform/files/files.server.ts';
import type { Upload } from '../../../platform/files/upload.server.ts';
import type { UserActor } from '../../../platform/http/actor.server.ts';
import { notFound, Problem, signInFirst } from '../../../platform/http/problem.server.ts';
import { enforceLimit } from '../../../platform/http/rate-limit.server.ts';
import { fitted } from '../../../platform/images/fitted.server.ts';
import { isPdf } from '../../../platform/pdf/pdf-text.server.ts';
import { cleanFileName } from '../../../shared/file-name.ts';
import { pictureTypeOf } from '../../../shared/picture-type.ts';
import { type Attachment, attachmentLimits, attachmentTexts } from './contract.ts';
import { readDocument } from './document/service.server.ts';
import {
  type AttachmentRow,
  bytesOf,
  deleteUnreferred,
  insertAttachment,
  lockOwn,
  visibleAttachment,
} from './store.server.ts';

/** Kind of the stored files. */
const KIND = 'attachment';
const UPLOADS = { max: 30, seconds: 3600 };
/** Bytes of all files that a person keeps in chats. */
const QUOTA = 1024 ** 3;
/** Of a picture as it goes to the model, four of which may go at once. */
const PICTURE_BYTES = 1024 * 1024;
/** Files of one person that come in at once in this process; they are read one by one. */
const AT_ONCE = 2;

const texts = {
  tooOften: 'You have attached many files in the last hour. Please wait a while.',
  quota: 'Your chats hold 1 GB of files, which is the most. Please delete chats with files first.',
  busy: 'Your other files are still being read. Please wait a moment.',
  empty: 'This file is empty.',
  sent: 'This file belongs to a message.',
};

function viewOf(row: AttachmentRow): Attachment {
  const { id, kind, name, bytes, width, height, pages, pages_read: pagesRead, note } = row;
  return { id, kind, name, bytes, width, height, pages, pagesRead, note };
}

const uploading = new Map<string, number>();

/**
 * Counts an upload and runs it; what comes beside two others of the same person is refused and not counted.
 * @throws Problem rate_limited; too_large when the person's files take all their room.
 */
export async function inUpload<T>({ actor }: { actor: UserActor }, upload: () => Promise<T>): Promise<T> {
  const { userId } = actor;
  const others = uploading.get(userId) ?? 0;
  if (others >= AT_ONCE) throw new Problem('rate_limited', texts.busy, { retryAfter: 5 });
  uploading.set(userId, others + 1);
  try {
    await enforceLimit(`files:${userId}`, UPLOADS, texts.tooOften);
    if ((await bytesOf(database(), userId)) >= QUOTA) throw new Problem('too_large', texts.quota);
    return await upload();
  } finally {
    const left = (uploading.get(userId) ?? 1) - 1;
    if (left > 0) uploading.set(userId, left);
    else uploading.delete(userId);
  }
}

type Content = Pick<
  AttachmentRow,
  'kind' | 'type' | 'bytes' | 'file_key' | 'width' | 'height' | 'pages' | 'pages_read' | 'text' | 'note'
>;

interface Reading {
  /** Id of the person. */
  key: string;
  signal: AbortSignal;
}

async function pictureContent(path: string, reading: Reading): Promise<Content> {
  const { bytes, type, width, height } = await fitted(path, {
    side: attachmentLimits.side,
    maxBytes: PICTURE_BYTES,
    ...reading,
  });
  const file_key = await storeFile(KIND, bytes);
  const about = { type, bytes: bytes.length, file_key, width, height };
  return { kind: 'image', ...about, pages: null, pages_read: null, text: null, note: null };
}

async function documentContent({ path, bytes }: Upload, reading: Reading): Promise<Content> {
  const { pages, pagesRead, text, note } = await readDocument(path, reading);
  const file_key = await keepFile(KIND, path);
  const about = { type: 'application/pdf', bytes, file_key, width: null, height: null };
  return { kind: 'pdf', ...about, pages, pages_read: pagesRead, text, note };
}

/** Decided by the bytes alone. */
function contentOf(upload: Upload, reading: Reading): Promise<Content> {
  if (upload.bytes === 0) throw new Problem('bad_request', texts.empty);
  if (pictureTypeOf(upload.head)) return pictureContent(upload.path, reading);
  if (isPdf(upload.head)) return documentContent(upload, reading);
  throw new Problem('unsupported_type', attachmentTexts.wrongType);
}

/**
 * Reads a file and keeps what goes to the model: a picture made anew from its pixels, or a document and its text. The
 * file is written before its row, so that a crash leaves a file only, which is swept.
 * @throws Problem unsupported_type, too_large, bad_request that says why it cannot be read, rate_limited while another
 * file of the person is read, unavailable.
 */
export async function addAttachment({
  actor,
  input,
}: {
  actor: UserActor;
  input: { name: string; upload: Upload; signal: AbortSignal };
}): Promise<Attachment> {
  const { upload, signal } = input;
  const content = await contentOf(upload, { key: actor.userId, signal });
  const row = { id: uuid(), user_id: actor.userId, name: cleanFileName(input.name), ...content };
  try {
    const written = await insertAttachment(database(), row);
    if (!written) throw signInFirst();
    return viewOf(written);
  } catch (error) {
    await removeFile(fileKey(content.file_key));
    throw error;
  }
}

async function own(actor: UserActor, id: string): Promise<AttachmentRow> {
  const row = isUuid(id) ? await visibleAttachment(database(), actor.userId, id) : null;
  if (!row) throw notFound();
  return row;
}

/** The bytes of a file that the actor can see. The stream must be read or destroyed. @throws Problem not_found. */
export async function openAttachment({ actor, input }: { actor: UserActor; input: { id: string } }) {
  const row = await own(actor, input.id);
  const file = await openFile(fileKey(row.file_key));
  if (!file) throw notFound();
  return { kind: row.kind, name: row.name, type: row.type, ...file };
}

/** Removes a file that was not sent. @throws Problem not_found; conflict when a message refers to it. */
export async function removeAttachment({
  actor,
  input,
}: {
  actor: UserActor;
  input: { id: string };
}): Promise<void> {
  const { id } = await own(actor, input.id);
  const keys = await transaction(async (tx) => deleteUnreferred(tx, await lockOwn(tx, actor.userId, id)));
  if (keys.length === 0) throw new Problem('conflict', texts.sent);
  for (const key of keys) await removeFile(fileKey(key));
}
