import { buffer } from 'node:stream/consumers';
import { m } from '#messages';
import { type Database, database } from '#platform/database/database.server.ts';
import { fileKey, openFile } from '#platform/files/file-store.server.ts';
import type { ActorInput } from '#platform/http/actor.server.ts';
import { notFound, Problem, requireFound } from '#platform/http/problem.server.ts';
import { withoutPngTexts, withPngMetadata } from '#platform/images/png-metadata.server.ts';
import { sharedMetadata } from './provenance.server.ts';
import { ownPictures, type PictureRow, previewKey } from './store.server.ts';

interface SharedPicture extends Pick<PictureRow, 'id' | 'width' | 'height'> {
  prompt: string;
}

const sharedPicture = ({ id, width, height, prompt }: PictureRow & { prompt: string }): SharedPicture => ({
  id,
  width,
  height,
  prompt,
});

/**
 * Reads the person's images, without duplicates, in the order in which they were made.
 * @throws Problem not_found if one is missing; conflict for an imported one, because its prompt was never checked and
 * its origin is unverified
 */
export async function readPictures(
  db: Database,
  { actor, input: { ids } }: ActorInput<{ ids: string[] }>,
): Promise<SharedPicture[]> {
  const rows = await ownPictures(db, actor.userId, ids);
  if (rows.length !== new Set(ids.map((id) => id.toLowerCase())).size) throw notFound();
  if (rows.some(({ imported }) => imported)) throw new Problem('conflict', m.share_imported_images());
  return rows.map(sharedPicture);
}

/** Returns those images of a shared page that still exist. The caller has checked access to the page. */
export const remainingPictures = async (userId: string, ids: string[]): Promise<SharedPicture[]> =>
  (await ownPictures(database(), userId, ids)).map(sharedPicture);

/**
 * Returns the file as others receive it: its metadata says that a model made it, but neither the prompt nor the model.
 */
export async function readSharedPicture(
  userId: string,
  { id, width }: { id: string; width: number | null },
): Promise<{ type: string; bytes: Buffer }> {
  const [row] = await ownPictures(database(), userId, [id]);
  const { key, type } = previewKey(requireFound(row ?? null), width);
  const bytes = await buffer(requireFound(await openFile(fileKey(key))).stream);
  if (type !== 'image/png') return { type, bytes };
  return { type, bytes: withPngMetadata(withoutPngTexts(bytes), sharedMetadata()) };
}
