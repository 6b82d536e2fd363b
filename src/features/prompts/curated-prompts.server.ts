import { createHash } from 'node:crypto';
import { curatedPrompts } from '#content/prompts/all.ts';
import { database, transaction } from '#platform/database/database.server.ts';
import { openingOf } from './contract.ts';
import { type CuratedRow, replaceCurated, storedDigest } from './curated-prompts-store.server.ts';

function curatedRows(): CuratedRow[] {
  return curatedPrompts.map((prompt, at) => ({
    slug: prompt.slug,
    title: prompt.title,
    description: prompt.description,
    content: prompt.content,
    opening: openingOf(prompt.content),
    category: prompt.category,
    locked: prompt.pro === true,
    gives_text: prompt.givesText === true,
    tags: prompt.tags,
    editor_rating: prompt.editorRating ? Math.round(prompt.editorRating.value * 10) : null,
    editor_reason: prompt.editorRating?.reason ?? null,
    place: at,
  }));
}

export async function publishCurated(): Promise<void> {
  const curated = curatedRows();
  const digest = createHash('sha256').update(JSON.stringify(curated)).digest('base64url');
  if ((await storedDigest(database())) === digest) return;
  await transaction((tx) => replaceCurated(tx, curated, digest));
}
