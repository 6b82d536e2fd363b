import { setTimeout as pause } from 'node:timers/promises';
import { v7 as uuid } from 'uuid';
import { fileKey, removeFile, storeFile } from '#platform/files/file-store.server.ts';
import { Problem } from '#platform/http/problem.server.ts';
import { type CoverImage, coverPng } from '#platform/images/cover.server.ts';
import { withPngMetadata } from '#platform/images/png-metadata.server.ts';
import { PICTURE_KIND } from './cleanup.server.ts';
import { pixelsOf, previewWidths } from './contract.ts';
import { provenanceMetadata } from './provenance.server.ts';
import type { NewJob, PictureRow } from './store.server.ts';

/** A paid image waits for the shared encoder instead of failing. */
const QUEUE_WAIT_MS = 60_000;

async function reencodeInQueue(bytes: Buffer, job: Pick<NewJob, 'size'>, key: string): Promise<CoverImage> {
  for (const until = Date.now() + QUEUE_WAIT_MS; ; ) {
    try {
      return await coverPng(bytes, { key, ...pixelsOf(job.size), previewWidths });
    } catch (error) {
      const busy = error instanceof Problem && error.code === 'unavailable';
      if (!busy || Date.now() > until) throw error;
      await pause(500);
    }
  }
}

export type StoredPicture = Omit<PictureRow, 'created_at' | 'job_id' | 'position'>;

export const pictureFileKeys = ({ file_key, small_key, medium_key }: StoredPicture): string[] => [
  file_key,
  small_key,
  medium_key,
];

/**
 * Stores an image in the size of its job, with its provenance in the metadata. Files are written before their row, so a
 * crash can only leave orphan files, which the sweep removes.
 * @throws Problem if the bytes are not an image, or too large
 */
export async function storePictureFiles(
  bytes: Buffer,
  job: Pick<NewJob, 'prompt' | 'model' | 'size'>,
  { madeAt, imported = false }: { madeAt: Date; imported?: boolean },
): Promise<StoredPicture> {
  const id = uuid();
  const { png, previews } = await reencodeInQueue(bytes, job, id);
  const { prompt, model } = job;
  const image = withPngMetadata(png, provenanceMetadata({ prompt, model, madeAt, imported }));
  const keys: string[] = [];
  try {
    for (const file of [image, ...previews]) keys.push(await storeFile(PICTURE_KIND, file));
  } catch (error) {
    await removePictureFiles(keys);
    throw error;
  }
  const [file_key = '', small_key = '', medium_key = ''] = keys;
  const preview_bytes = previews.reduce((sum, { length }) => sum + length, 0);
  return { id, ...pixelsOf(job.size), bytes: image.length, preview_bytes, file_key, small_key, medium_key };
}

export async function removePictureFiles(keys: readonly string[]): Promise<void> {
  for (const key of keys) await removeFile(fileKey(key)).catch(() => undefined);
}
