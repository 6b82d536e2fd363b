import { validate as isUuid } from 'uuid';
import { addImportedTag, type ImportedTagging } from '#features/library/service.server.ts';
import { textFeatures } from '#features/texts/contract.ts';
import { type Database, database, transaction } from '#platform/database/database.server.ts';
import type { LeftOut } from './contract.ts';
import { knownArchiveChats } from './imported-chats-store.server.ts';
import { ImportInterrupted } from './imported-files.server.ts';
import { clampToNow, leftOutOf } from './imported-items.server.ts';
import { knownItems, type RecordedKind, recordItem } from './imported-items-store.server.ts';
import { ownItem } from './own-items.server.ts';
import type { ParsedTag } from './reading/import-protocol.ts';
import { type ImportRow, lockClaimedImport } from './store.server.ts';

type FindImported = (
  db: Database,
  userId: string,
  sourceIds: string[],
) => Promise<ReadonlyMap<string, string>>;

const findItems =
  (kind: RecordedKind): FindImported =>
  (db, userId, sourceIds) =>
    knownItems(db, userId, kind, sourceIds);

/** By item kind, as the library names them. */
const finders: ReadonlyMap<string, FindImported> = new Map([
  ['chat', knownArchiveChats],
  ...textFeatures.map((kind): [string, FindImported] => [kind, findItems('text')]),
  ['image', findItems('image')],
  ['file', findItems('file')],
  ['prompts', findItems('prompt')],
  ['pdf', findItems('document')],
]);

/**
 * Finds candidates for the tagged items: the item that was imported for it, or the person's own item with the same id.
 */
async function taggingsOf(userId: string, { items }: ParsedTag): Promise<ImportedTagging[]> {
  const taggings: ImportedTagging[] = [];
  for (const [kind, group] of Map.groupBy(items, (item) => item.kind)) {
    const importedIds = await finders.get(kind)?.(
      database(),
      userId,
      group.map(({ id }) => id),
    );
    if (!importedIds) continue;
    for (const { id } of group) {
      const ids = [importedIds.get(id) ?? [], isUuid(id) ? id.toLowerCase() : []].flat();
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
  item: ParsedTag,
): Promise<{ leftOut: LeftOut; isPresent: boolean }> {
  const { user_id: userId, now } = row;
  const { name, sourceId, more } = item;
  const key = { userId, kind: 'tag', sourceId } as const;
  const existing = await ownItem(key);
  const items = await taggingsOf(userId, item);
  const createdAt = clampToNow(item.createdAt, now);
  const added = await transaction(async (tx) => {
    if (!(await lockClaimedImport(tx, row))) throw new ImportInterrupted();
    const tag = await addImportedTag(tx, userId, {
      importedId: existing?.id ?? null,
      name,
      createdAt,
      items,
    });
    if (tag?.isNew) await recordItem(tx, key, { itemId: tag.id, importId: row.id });
    return tag;
  });
  if (!added) return { leftOut: leftOutOf(item), isPresent: false };
  return {
    leftOut: { taggings: added.refused + more },
    isPresent: !added.isNew && existing?.importId !== row.id,
  };
}
