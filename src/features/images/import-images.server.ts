import { v7 as uuid } from 'uuid';
import { type Database, database } from '#platform/database/database.server.ts';
import { Problem } from '#platform/http/problem.server.ts';
import { cleanLine, cleanText, cutText } from '#shared/clean-text.ts';
import { imageLimits, isImageSize } from './contract.ts';
import { insertImportedJob, setPictureTime } from './import-images-store.server.ts';
import { insertPicture, type NewJob, ownJob, PICTURE_QUOTA, storageUsed } from './store.server.ts';
import {
  pictureFileKeys,
  removePictureFiles,
  type StoredPicture,
  storePictureFiles,
} from './stored-picture.server.ts';

export interface ImportedImages {
  prompt: string;
  size: string;
  count: number;
  model: string;
  createdAt: Date;
  pictures: readonly { bytes: Buffer; createdAt: Date }[];
}

/** An image set whose files are stored, but which has no row yet. */
export interface PreparedImages {
  job: Omit<NewJob, 'userId'>;
  createdAt: Date;
  pictures: (StoredPicture & { created_at: Date })[];
  keys: string[];
}

/** UTF-16 units of a model name. */
const MAX_MODEL_LENGTH = 200;

const rejectedCodes = new Set(['bad_request', 'too_large', 'unsupported_type']);

export async function hasImages(db: Database, userId: string, id: string): Promise<boolean> {
  const job = await ownJob(db, userId, id);
  return job !== null && job.deleted_at === null;
}

/**
 * Decodes and re-encodes each image in the size of its set, like those of the Image Generator. Leaves out invalid
 * files, images with too many pixels, and what exceeds the quota. Call `removePictureFiles(keys)` if you don't insert
 * the row.
 * @returns null if no image is left
 */
export async function readImportedImages(
  userId: string,
  images: ImportedImages,
): Promise<PreparedImages | null> {
  const { size, createdAt } = images;
  const prompt = cutText(cleanText(images.prompt).trim(), imageLimits.prompt);
  if (!isImageSize(size) || prompt === '') return null;
  const pictures = images.pictures.slice(0, imageLimits.count);
  const count = Math.min(imageLimits.count, Math.max(pictures.length, Math.floor(images.count) || 0));
  const job = { prompt, size, count, model: cleanLine(images.model, MAX_MODEL_LENGTH) };
  let remainingBytes = PICTURE_QUOTA - (await storageUsed(database(), userId));
  const stored: PreparedImages['pictures'] = [];
  for (const { bytes, createdAt: madeAt } of pictures) {
    if (remainingBytes < bytes.length) continue;
    try {
      const picture = await storePictureFiles(bytes, job, { madeAt, imported: true });
      remainingBytes -= picture.bytes + picture.preview_bytes;
      stored.push({ ...picture, created_at: madeAt });
    } catch (error) {
      if (error instanceof Problem && rejectedCodes.has(error.code)) continue;
      await removePictureFiles(stored.flatMap(pictureFileKeys));
      throw error;
    }
  }
  if (stored.length === 0) return null;
  return { job, createdAt, pictures: stored, keys: stored.flatMap(pictureFileKeys) };
}

/**
 * Inserts the set. It costs no credits and counts towards no daily limit. The caller prevents duplicates.
 * @returns its id; null if the account was deleted meanwhile
 */
export async function addImportedImages(
  tx: Database,
  userId: string,
  { job, createdAt, pictures }: PreparedImages,
): Promise<string | null> {
  // The gallery sorts by id.
  const id = uuid({ msecs: createdAt.getTime() });
  if (!(await insertImportedJob(tx, { ...job, id, userId, createdAt }))) return null;
  for (const [position, { created_at, ...picture }] of pictures.entries()) {
    await insertPicture(tx, { ...picture, job_id: id, position });
    await setPictureTime(tx, { id: picture.id, created_at });
  }
  return id;
}
