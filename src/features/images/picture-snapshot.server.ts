import { buffer } from 'node:stream/consumers';
import { m } from '#messages';
import { type Database, database } from '#platform/database/database.server.ts';
import { fileKey, openFile } from '#platform/files/file-store.server.ts';
import type { ActorInput } from '#platform/http/actor.server.ts';
import { found, notFound, Problem } from '#platform/http/problem.server.ts';
import { withoutPngTexts, withPngMetadata } from '#platform/images/png-metadata.server.ts';
import { sharedMetadata } from './provenance.server.ts';
import { ownPictures, type PictureRow, previewKey } from './store.server.ts';

interface SharedPicture extends Pick<PictureRow, 'id' | 'width' | 'height'> {
  prompt: string;
}

const shared = ({ id, width, height, prompt }: PictureRow & { prompt: string }): SharedPicture => ({
  id,
  width,
  height,
  prompt,
});

/**
 * Own pictures, each once, in the order in which they were made. @throws Problem not_found where one is not there;
 * conflict for an imported one: its prompt was never checked, and that a model made it is the word of an archive.
 */
export async function readPictures(
  db: Database,
  { actor, input: { ids } }: ActorInput<{ ids: string[] }>,
): Promise<SharedPicture[]> {
  const rows = await ownPictures(db, actor.userId, ids);
  if (rows.length !== new Set(ids.map((id) => id.toLowerCase())).size) throw notFound();
  if (rows.some(({ imported }) => imported)) throw new Problem('conflict', m.share_imported_images());
  return rows.map(shared);
}

/** Those of a shared page that are left. The caller has proven the page. */
export const picturesLeft = async (userId: string, ids: string[]): Promise<SharedPicture[]> =>
  (await ownPictures(database(), userId, ids)).map(shared);

/** As others get it: in its file stands that a model made it, and neither the prompt nor the model. */
export async function readSharedPicture(
  userId: string,
  { id, width }: { id: string; width: number | null },
): Promise<{ type: string; bytes: Buffer }> {
  const [row] = await ownPictures(database(), userId, [id]);
  const { key, type } = previewKey(found(row ?? null), width);
  const bytes = await buffer(found(await openFile(fileKey(key))).stream);
  if (type !== 'image/png') return { type, bytes };
  return { type, bytes: withPngMetadata(withoutPngTexts(bytes), sharedMetadata()) };
}
