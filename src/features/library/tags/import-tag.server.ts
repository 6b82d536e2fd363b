import { v7 as uuid } from 'uuid';
import type { Database } from '#platform/database/database.server.ts';
import { codePointLength } from '#shared/input-text.ts';
import { existingItems } from './tag-items.server.ts';
import { cleanTagName, tagKey, tagLimits } from './tags-contract.ts';
import {
  countTags,
  insertTag,
  insertTaggings,
  lockTags,
  ownTags,
  type TaggedItem,
  tagIdsOf,
  tagWithKey,
} from './tags-store.server.ts';

/** Items per SQL statement. */
const AT_ONCE = 500;

/** One tagged item. The first of the ids that is the person's own gets the tag. */
export interface ImportedTagging {
  kind: string;
  ids: string[];
}

export interface ImportedTag {
  /** The id of the tag if it was imported before. */
  importedId: string | null;
  name: string;
  createdAt: Date;
  items: readonly ImportedTagging[];
}

export const hasTag = async (db: Database, userId: string, id: string): Promise<boolean> =>
  (await ownTags(db, userId, [id])).length > 0;

interface TagWithCapacity {
  id: string;
  isNew: boolean;
  capacity: number;
}

/** Finds or creates the tag. Returns null for an invalid name, or if the person has the maximum number of tags. */
async function tagOf(
  tx: Database,
  userId: string,
  { importedId, name: text, createdAt }: ImportedTag,
): Promise<TagWithCapacity | null> {
  const findTag = async (id: string | undefined | null): Promise<TagWithCapacity | null> => {
    const [tag] = id ? await ownTags(tx, userId, [id]) : [];
    return tag ? { id: tag.id, isNew: false, capacity: tagLimits.items - tag.items } : null;
  };
  const imported = await findTag(importedId);
  if (imported) return imported;
  const name = cleanTagName(text);
  if (name === '' || codePointLength(name) > tagLimits.name) return null;
  const key = tagKey(name);
  const sameName = await findTag((await tagWithKey(tx, userId, key))?.id);
  if (sameName) return sameName;
  if ((await countTags(tx, userId)) >= tagLimits.tags) return null;
  const id = uuid();
  await insertTag(tx, userId, { id, name, key, createdAt });
  return { id, isNew: true, capacity: tagLimits.items };
}

/** Puts the tag on items of one kind. @returns how many items didn't get it because of a limit */
async function tagItemsOfKind(
  tx: Database,
  userId: string,
  { tag, kind, taggings }: { tag: TagWithCapacity; kind: string; taggings: readonly ImportedTagging[] },
): Promise<number> {
  const existing = await existingItems(
    tx,
    userId,
    taggings.flatMap(({ ids }) => ids.map((id) => ({ kind, id }))),
  );
  const own = new Set(taggings.flatMap(({ ids }) => ids.find((id) => existing.has(id)) ?? []));
  if (own.size === 0) return 0;
  const items: TaggedItem[] = [...own].map((id) => ({ kind, id }));
  const tagged = await tagIdsOf(tx, items);
  const untagged = items.filter(({ id }) => !tagged.get(id)?.includes(tag.id));
  const withSpace = untagged.filter(({ id }) => (tagged.get(id)?.length ?? 0) < tagLimits.ofItem);
  const added = withSpace.slice(0, tag.capacity);
  await insertTaggings(
    tx,
    userId,
    added.map((item) => ({ ...item, tagId: tag.id })),
  );
  tag.capacity -= added.length;
  return untagged.length - added.length;
}

/**
 * Creates a tag of an archive, or uses an existing one with that name, and puts it on the person's items.
 * @returns `refused`: how many items didn't get it because of a limit; null if the tag cannot be created
 */
export async function addImportedTag(
  tx: Database,
  userId: string,
  imported: ImportedTag,
): Promise<{ id: string; isNew: boolean; refused: number } | null> {
  const tag = (await lockTags(tx, userId)) ? await tagOf(tx, userId, imported) : null;
  if (!tag) return null;
  let refused = 0;
  for (const [kind, taggings] of Map.groupBy(imported.items, (item) => item.kind))
    for (let at = 0; at < taggings.length; at += AT_ONCE)
      refused += await tagItemsOfKind(tx, userId, { tag, kind, taggings: taggings.slice(at, at + AT_ONCE) });
  return { id: tag.id, isNew: tag.isNew, refused };
}
