import type { Database } from '#platform/database/database.server.ts';
import { sql } from '#platform/database/sql.server.ts';
import { type ItemKind, itemKinds } from './contract.ts';

/** Attachments are recorded as well, but import reports don't count them. */
export const recordedKinds = [...itemKinds, 'file'] as const;
export type RecordedKind = (typeof recordedKinds)[number];

export interface ItemKey {
  userId: string;
  kind: ItemKind;
  sourceId: string;
}

/** Finds the item that an earlier import created from this source item. */
export const knownItem = (db: Database, { userId, kind, sourceId }: ItemKey) =>
  db.row<{ item_id: string; import_id: string | null }>(sql`
    select item_id, import_id from imported_items
     where user_id = ${userId} and kind = ${kind} and source_id = ${sourceId}`);

/** Records where an item came from; replaces the record of a deleted item. */
export const recordItem = (
  tx: Database,
  { userId, kind, sourceId }: ItemKey,
  { itemId, importId }: { itemId: string; importId: string },
) =>
  tx.run(sql`
    insert into imported_items (user_id, kind, source_id, item_id, import_id)
    values (${userId}, ${kind}, ${sourceId}, ${itemId}, ${importId})
    on conflict (user_id, kind, source_id) do update set
      item_id = excluded.item_id, import_id = excluded.import_id, created_at = app_now()`);

/** Maps ids in the file to the items that were created from them. */
export async function knownItems(
  db: Database,
  userId: string,
  kind: RecordedKind,
  sourceIds: string[],
): Promise<Map<string, string>> {
  const rows = await db.rows<{ source_id: string; item_id: string }>(sql`
    select source_id, item_id from imported_items
     where user_id = ${userId} and kind = ${kind} and source_id = any(${sourceIds}::text[])`);
  return new Map(rows.map(({ source_id, item_id }) => [source_id, item_id]));
}

/** Like `recordItem`, for all files of one chat or item. */
export async function recordFiles(
  tx: Database,
  { userId, importId }: { userId: string; importId: string },
  stored: ReadonlyMap<string, { id: string }>,
): Promise<void> {
  if (stored.size === 0) return;
  await tx.run(sql`
    insert into imported_items (user_id, kind, source_id, item_id, import_id)
    select ${userId}, 'file', f.source_id, f.item_id, ${importId}
      from unnest(${[...stored.keys()]}::text[], ${[...stored.values()].map(({ id }) => id)}::uuid[]) as f(source_id, item_id)
    on conflict (user_id, kind, source_id) do update set
      item_id = excluded.item_id, import_id = excluded.import_id, created_at = app_now()`);
}

export interface ImportedItemExportRow {
  kind: RecordedKind;
  source_id: string;
  item_id: string;
  created_at: Date;
}

export const importedItemsAfter = (
  db: Database,
  userId: string,
  after: ImportedItemExportRow | null,
  limit: number,
) =>
  db.rows<ImportedItemExportRow>(sql`
    select kind, source_id, item_id, created_at from imported_items
     where user_id = ${userId}
       and (${after?.kind ?? null}::text is null
            or (kind, source_id) > (${after?.kind ?? null}::text, ${after?.source_id ?? null}::text))
     order by kind, source_id limit ${limit}`);
