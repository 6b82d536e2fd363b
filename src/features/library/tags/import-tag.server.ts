import { v7 as uuid } from 'uuid';
import type { Database } from '#platform/database/database.server.ts';
import { codePointLength } from '#shared/input-text.ts';
import { itemsThere } from './tag-items.server.ts';
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
  known: string | null;
  name: string;
  createdAt: Date;
  items: readonly ImportedTagging[];
}

export const hasTag = async (db: Database, userId: string, id: string): Promise<boolean> =>
  (await ownTags(db, userId, [id])).length > 0;

interface TagWithRoom {
  id: string;
  isNew: boolean;
  room: number;
}

/** Finds or creates the tag. Returns null for an invalid name, or if the person has the maximum number of tags. */
async function tagOf(
  tx: Database,
  userId: string,
  { known, name: text, createdAt }: ImportedTag,
): Promise<TagWithRoom | null> {
  const thereAs = async (id: string | undefined | null): Promise<TagWithRoom | null> => {
    const [tag] = id ? await ownTags(tx, userId, [id]) : [];
    return tag ? { id: tag.id, isNew: false, room: tagLimits.items - tag.items } : null;
  };
  const own = await thereAs(known);
  if (own) return own;
  const name = cleanTagName(text);
  if (name === '' || codePointLength(name) > tagLimits.name) return null;
  const key = tagKey(name);
  const named = await thereAs((await tagWithKey(tx, userId, key))?.id);
  if (named) return named;
  if ((await countTags(tx, userId)) >= tagLimits.tags) return null;
  const id = uuid();
  await insertTag(tx, userId, { id, name, key, createdAt });
  return { id, isNew: true, room: tagLimits.items };
}

/** Puts the tag on items of one kind. @returns how many items didn't get it because of a limit */
async function putOn(
  tx: Database,
  userId: string,
  { tag, kind, asked }: { tag: TagWithRoom; kind: string; asked: readonly ImportedTagging[] },
): Promise<number> {
  const there = await itemsThere(
    tx,
    userId,
    asked.flatMap(({ ids }) => ids.map((id) => ({ kind, id }))),
  );
  const own = new Set(asked.flatMap(({ ids }) => ids.find((id) => there.has(id)) ?? []));
  if (own.size === 0) return 0;
  const items: TaggedItem[] = [...own].map((id) => ({ kind, id }));
  const tagged = await tagIdsOf(tx, items);
  const without = items.filter(({ id }) => !tagged.get(id)?.includes(tag.id));
  const open = without.filter(({ id }) => (tagged.get(id)?.length ?? 0) < tagLimits.ofItem);
  const taken = open.slice(0, tag.room);
  await insertTaggings(
    tx,
    userId,
    taken.map((item) => ({ ...item, tagId: tag.id })),
  );
  tag.room -= taken.length;
  return without.length - taken.length;
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
  for (const [kind, asked] of Map.groupBy(imported.items, (item) => item.kind))
    for (let at = 0; at < asked.length; at += AT_ONCE)
      refused += await putOn(tx, userId, { tag, kind, asked: asked.slice(at, at + AT_ONCE) });
  return { id: tag.id, isNew: tag.isNew, refused };
}
