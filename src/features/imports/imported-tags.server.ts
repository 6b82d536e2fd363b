import { validate as isUuid } from 'uuid';
import { addImportedTag, type ImportedTagging } from '#features/library/service.server.ts';
import { textFeatures } from '#features/texts/contract.ts';
import { type Database, database, transaction } from '#platform/database/database.server.ts';
import type { LeftOut } from './contract.ts';
import { knownArchiveChats } from './imported-chats-store.server.ts';
import { NoLongerOurs } from './imported-files.server.ts';
import { leftOutOf, within } from './imported-items.server.ts';
import { knownItems, type NotedKind, noteItem } from './imported-items-store.server.ts';
import { ownItem } from './own-items.server.ts';
import type { ReadTag } from './reading/import-protocol.ts';
import { holdImport, type ImportRow } from './store.server.ts';

type Notes = (db: Database, userId: string, sourceIds: string[]) => Promise<ReadonlyMap<string, string>>;

const notesOf =
  (kind: NotedKind): Notes =>
  (db, userId, sourceIds) =>
    knownItems(db, userId, kind, sourceIds);

/** By item kind, as the library names them. */
const notes: ReadonlyMap<string, Notes> = new Map([
  ['chat', knownArchiveChats],
  ...textFeatures.map((kind): [string, Notes] => [kind, notesOf('text')]),
  ['image', notesOf('image')],
  ['file', notesOf('file')],
  ['prompts', notesOf('prompt')],
  ['pdf', notesOf('document')],
]);

/**
 * Finds candidates for the tagged items: the item that was imported for it, or the person's own item with the same id.
 */
async function taggingsOf(userId: string, { items }: ReadTag): Promise<ImportedTagging[]> {
  const taggings: ImportedTagging[] = [];
  for (const [kind, some] of Map.groupBy(items, (item) => item.kind)) {
    const made = await notes.get(kind)?.(
      database(),
      userId,
      some.map(({ id }) => id),
    );
    if (!made) continue;
    for (const { id } of some) {
      const ids = [made.get(id) ?? [], isUuid(id) ? id.toLowerCase() : []].flat();
      if (ids.length > 0) taggings.push({ kind, ids });
    }
  }
  return taggings;
}

/**
 * Creates the tag, or puts an existing one on those of its items that lack it. Returns the same as `addItem`; a tag
 * counts as present if one with its name exists, even if the person created it.
 */
export async function addTag(
  row: Pick<ImportRow, 'id' | 'user_id' | 'epoch'> & { now: Date },
  item: ReadTag,
): Promise<{ leftOut: LeftOut; isPresent: boolean }> {
  const { user_id: userId, now } = row;
  const { name, sourceId, more } = item;
  const key = { userId, kind: 'tag', sourceId } as const;
  const there = await ownItem(key);
  const items = await taggingsOf(userId, item);
  const createdAt = within(item.createdAt, now);
  const added = await transaction(async (tx) => {
    if (!(await holdImport(tx, row))) throw new NoLongerOurs();
    const tag = await addImportedTag(tx, userId, { known: there?.id ?? null, name, createdAt, items });
    if (tag?.isNew) await noteItem(tx, key, { itemId: tag.id, importId: row.id });
    return tag;
  });
  if (!added) return { leftOut: leftOutOf(item), isPresent: false };
  return {
    leftOut: { taggings: added.refused + more },
    isPresent: !added.isNew && there?.importId !== row.id,
  };
}
