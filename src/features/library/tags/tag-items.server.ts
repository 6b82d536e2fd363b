import { m } from '#messages';
import { type Database, transaction } from '#platform/database/database.server.ts';
import type { ItemQuery } from '#platform/database/item-list.server.ts';
import type { ActorInput } from '#platform/http/actor.server.ts';
import { notFound, Problem } from '#platform/http/problem.server.ts';
import { itemSources, readItems } from '../item-rows.server.ts';
import { type TaggingOutcome, type TagItems, tagLimits } from './tags-contract.ts';
import {
  deleteTaggings,
  insertTaggings,
  lockTags,
  ownTags,
  type TaggedItem,
  type Tagging,
  tagIdsOf,
} from './tags-store.server.ts';

/** Returns the ids of those items that belong to the person and are not deleted. */
export async function existingItems(tx: Database, userId: string, items: TaggedItem[]): Promise<Set<string>> {
  const ids = new Map(
    [...Map.groupBy(items, ({ kind }) => kind)].map(([kind, group]) => [kind, group.map(({ id }) => id)]),
  );
  const query: ItemQuery = { userId, order: 'newest', after: null, limit: items.length, words: [] };
  const rows = await readItems(tx, query, itemSources(null), ids);
  return new Set(rows.map(({ id }) => id));
}

interface Tags {
  add: string[];
  remove: string[];
}

async function requireTags(tx: Database, userId: string, { add, remove }: Tags) {
  const ids = [...new Set([...add, ...remove])];
  const tags = await ownTags(tx, userId, ids);
  if (tags.length < ids.length) throw notFound();
  return new Map(tags.map((tag) => [tag.id, tag]));
}

/** Returns what changes for an item that has the tags `current`. */
const changeOf = (current: string[], { add, remove }: Tags) => ({
  added: add.filter((tag) => !current.includes(tag)),
  removed: remove.filter((tag) => current.includes(tag)),
});

const taggings = (items: TaggedItem[], tagsOf: (id: string) => string[]): Tagging[] =>
  items.flatMap((item) => tagsOf(item.id).map((tagId) => ({ ...item, tagId })));

/**
 * Adds tags to items and removes others.
 * @throws Problem not_found for an unknown tag, conflict if a tag would have too many items; then nothing changes.
 */
export async function tagItems({ actor: { userId }, input }: ActorInput<TagItems>): Promise<TaggingOutcome> {
  const add = [...new Set(input.add.map((id) => id.toLowerCase()))];
  const remove = [...new Set(input.remove.map((id) => id.toLowerCase()))].filter((id) => !add.includes(id));
  const kinds = new Map(input.items.map(({ kind, id }) => [id.toLowerCase(), kind]));
  const items = [...kinds].map(([id, kind]) => ({ kind, id }));
  return transaction(async (tx) => {
    if (!(await lockTags(tx, userId))) throw notFound();
    const tags = await requireTags(tx, userId, { add, remove });
    const existing = await existingItems(tx, userId, items);
    const tagged = await tagIdsOf(tx, items);
    const outcome: TaggingOutcome = { done: [], refused: [] };
    for (const { id } of items) {
      const current = tagged.get(id) ?? [];
      const change = changeOf(current, { add, remove });
      if (!existing.has(id)) outcome.refused.push({ id, error: m.common_not_found() });
      else if (current.length + change.added.length - change.removed.length > tagLimits.ofItem)
        outcome.refused.push({ id, error: m.tag_item_full({ most: tagLimits.ofItem }) });
      else outcome.done.push({ id, ...change });
    }
    const changes = new Map(outcome.done.map((change) => [change.id, change]));
    const added = taggings(items, (id) => changes.get(id)?.added ?? []);
    for (const [tagId, group] of Map.groupBy(added, (row) => row.tagId))
      if ((tags.get(tagId)?.items ?? 0) + group.length > tagLimits.items)
        throw new Problem(
          'conflict',
          m.tag_items_full({ name: tags.get(tagId)?.name ?? '', most: tagLimits.items }),
        );
    await insertTaggings(tx, userId, added);
    await deleteTaggings(
      tx,
      taggings(items, (id) => changes.get(id)?.removed ?? []),
    );
    return outcome;
  });
}
