import { createHash } from 'node:crypto';
import { curatedPrompts } from '../../../../content/prompts/all.ts';
import { database, transaction } from '../../../platform/database/database.server.ts';
import { openingOf } from '../contract.ts';
import { type CuratedRow, putCurated, storedDigest } from './store.server.ts';

function rows(): CuratedRow[] {
  return curatedPrompts.map(({ slug, title, description, content, category, pro, rating }, at) => ({
    slug,
    title,
    description,
    content,
    opening: openingOf(content),
    category,
    locked: pro === true,
    editor_rating: Math.round(rating * 10),
    place: at,
  }));
}

/** Puts the curated prompts of this build into the library, where they are not there yet. Likes stay. */
export async function publishCurated(): Promise<void> {
  const curated = rows();
  const digest = createHash('sha256').update(JSON.stringify(curated)).digest('base64url');
  if ((await storedDigest(database())) === digest) return;
  await transaction((tx) => putCurated(tx, curated, digest));
}
