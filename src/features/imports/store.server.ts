import type { Database } from '#platform/database/database.server.ts';
import { raw, type Statement, sql } from '#platform/database/sql.server.ts';
import type { ImportFailure, ImportSource, ImportState, ItemCounts, ItemKind, LeftOut } from './contract.ts';

export interface ImportRow {
  id: string;
  user_id: string;
  name: string;
  bytes: number;
  language: string;
  state: ImportState;
  source: ImportSource | null;
  total: number | null;
  handled: number;
  added: number;
  present: number;
  items: ItemCounts;
  left_out: LeftOut;
  failure: ImportFailure | null;
  epoch: number;
  stalled: boolean;
  created_at: Date;
  finished_at: Date | null;
}

/** A running import counts as stalled after this time; it normally reports every few seconds. */
const STALLED_AFTER = raw(`interval '30 seconds'`);
const ABANDONED_AFTER = raw(`interval '6 hours'`);

const columns =
  raw(`i.id, i.user_id, i.name, i.bytes, i.language, i.state, i.source, i.total, i.handled, i.added, i.present, i.items, i.left_out,
  i.failure, i.epoch, i.state = 'running' and i.touched_at < app_now() - ${STALLED_AFTER.text} as stalled, i.created_at, i.finished_at`);

export const importsOf = (db: Database, userId: string, limit: number) =>
  db.rows<ImportRow>(sql`
    select ${columns} from imports i where i.user_id = ${userId} order by i.created_at desc, i.id desc limit ${limit}`);

export const ownImport = (db: Database, userId: string, id: string) =>
  db.row<ImportRow>(sql`select ${columns} from imports i where i.id = ${id} and i.user_id = ${userId}`);

export const lockImport = (tx: Database, userId: string, id: string) =>
  tx.row<ImportRow>(sql`
    select ${columns} from imports i where i.id = ${id} and i.user_id = ${userId} for update of i`);

/** Returns null if another import of the person is open, or the account was deleted meanwhile. */
export const insertImport = (
  tx: Database,
  row: Pick<ImportRow, 'id' | 'name' | 'bytes' | 'language'> & { userId: string },
) =>
  tx.row<ImportRow>(sql`
    insert into imports as i (id, user_id, name, bytes, language)
    select ${row.id}, u.id, ${row.name}, ${row.bytes}, ${row.language} from users u
     where u.id = ${row.userId} and u.deleted_at is null
    on conflict (user_id) where state in ('uploading', 'queued', 'running') do nothing
    returning ${columns}`);

/** @returns false if this part was already stored */
export async function insertPart(
  tx: Database,
  part: { importId: string; position: number; userId: string; bytes: number; key: string },
): Promise<boolean> {
  const added = await tx.run(sql`
    insert into import_parts (import_id, position, user_id, bytes, file_key)
    values (${part.importId}, ${part.position}, ${part.userId}, ${part.bytes}, ${part.key})
    on conflict (import_id, position) do nothing`);
  return added > 0;
}

export const partsOf = (db: Database, importId: string) =>
  db.rows<{ position: number; bytes: number; file_key: string }>(sql`
    select position, bytes, file_key from import_parts where import_id = ${importId} order by position`);

/** @returns the file keys of the deleted rows */
async function keysOf(tx: Database, deletion: Statement): Promise<string[]> {
  return (await tx.rows<{ file_key: string }>(deletion)).map(({ file_key }) => file_key);
}

export const deleteParts = (tx: Database, importId: string): Promise<string[]> =>
  keysOf(tx, sql`delete from import_parts where import_id = ${importId} returning file_key`);

export const queueImport = (tx: Database, id: string) =>
  tx.run(sql`
    update imports set state = 'queued', touched_at = app_now() where id = ${id} and state in ('uploading', 'running')`);

/** Claims the oldest queued or stalled import for this process. Skips deleted accounts. */
export const claimImport = (db: Database) =>
  db.row<ImportRow & { now: Date }>(sql`
    update imports i set state = 'running', epoch = i.epoch + 1, touched_at = app_now(), handled = 0
     where i.id = (select w.id from imports w
                    where (w.state = 'queued' or (w.state = 'running' and w.touched_at < app_now() - ${STALLED_AFTER}))
                      and exists (select 1 from users u where u.id = w.user_id and u.deleted_at is null)
                    order by w.created_at limit 1 for update skip locked)
    returning ${columns}, app_now() as now`);

/** True while the import runs and no other process has claimed it since. */
const stillClaimed = ({ id, epoch }: Pick<ImportRow, 'id' | 'epoch'>) =>
  sql`id = ${id} and epoch = ${epoch} and state = 'running'`;

/** Locks the import until the transaction ends. @returns whether this process still owns it */
export async function lockClaimedImport(
  tx: Database,
  row: Pick<ImportRow, 'id' | 'epoch'>,
): Promise<boolean> {
  return (await tx.row(sql`select 1 from imports where ${stillClaimed(row)} for update`)) !== null;
}

export const recordContents = (
  db: Database,
  row: Pick<ImportRow, 'id' | 'epoch'>,
  { total, source, leftOut }: { total: number; source: ImportSource; leftOut: LeftOut },
) =>
  db.run(sql`
    update imports set total = ${total}, source = ${source}, left_out = ${JSON.stringify(leftOut)}::jsonb,
           touched_at = app_now() where ${stillClaimed(row)}`);

export const recordProgress = (db: Database, row: Pick<ImportRow, 'id' | 'epoch'>, handled: number) =>
  db.run(sql`update imports set handled = ${handled}, touched_at = app_now() where ${stillClaimed(row)}`);

/** Adds to the counts from reading the file. */
export const recordLeftOut = (db: Database, row: Pick<ImportRow, 'id' | 'epoch'>, leftOut: LeftOut) =>
  db.run(sql`
    update imports set left_out = (
      select coalesce(jsonb_object_agg(kind, total), '{}')
        from (select kind, sum(count::int) as total
                from (select * from jsonb_each_text(left_out)
                      union all select * from jsonb_each_text(${JSON.stringify(leftOut)}::jsonb)) as each (kind, count)
               group by kind) as sums)
     where ${stillClaimed(row)}`);

/** Counts the items of import `i`: those it created, over all attempts, and those that already existed. */
const itemCounts = (present: Partial<Record<ItemKind, number>>) => sql`
  (select coalesce(jsonb_object_agg(kind, jsonb_build_object('added', added, 'present', present)), '{}')
     from (select coalesce(made.kind, there.kind) as kind, coalesce(made.count, 0) as added, coalesce(there.count::int, 0) as present
             from (select m.kind, count(*)::int as count from imported_items m
                     where m.import_id = i.id and m.kind <> 'file' group by m.kind) made
             full join jsonb_each_text(${JSON.stringify(present)}::jsonb) as there (kind, count) using (kind)) as counted)`;

/** @param ended `chats` is how many chats of the file were processed */
export const finishImport = (
  tx: Database,
  row: Pick<ImportRow, 'id' | 'epoch'>,
  ended: {
    failure: ImportFailure | null;
    chats: number;
    present: Partial<Record<ItemKind, number>>;
  },
) =>
  tx.run(sql`
    update imports i set state = ${ended.failure === null ? 'done' : 'failed'}, failure = ${ended.failure}, finished_at = app_now(),
           added = n.added, present = greatest(0, ${ended.chats}::int - n.added), items = ${itemCounts(ended.present)}
      from (select count(*)::int as added from imported_chats c where c.import_id = ${row.id}) n
     where ${stillClaimed(row)}`);

/** Stops an open import, whichever process owns it. */
export const stopOpenImport = (tx: Database, id: string) =>
  tx.run(sql`
    update imports i set state = 'failed', failure = 'stopped', finished_at = app_now(), epoch = i.epoch + 1,
           added = (select count(*)::int from imported_chats c where c.import_id = i.id), items = ${itemCounts({})}
     where i.id = ${id} and i.state in ('uploading', 'queued', 'running')`);

export const deleteImport = (tx: Database, id: string) => tx.run(sql`delete from imports where id = ${id}`);

/** Uploads that were started more than 6 hours ago and never finished. */
export const abandonedUploads = (db: Database) =>
  db.rows<{ id: string; user_id: string }>(sql`
    select id, user_id from imports where state = 'uploading' and created_at < app_now() - ${ABANDONED_AFTER} limit 100`);

export async function unknownPartKeys(db: Database, keys: string[]): Promise<string[]> {
  const rows = await db.rows<{ key: string }>(sql`
    select k.key from unnest(${keys}::text[]) as k(key)
     where not exists (select 1 from import_parts p where p.file_key = k.key)`);
  return rows.map(({ key }) => key);
}

export const partKeys: Statement = sql`select file_key as key from import_parts`;

export const partRowsAfter = (db: Database, after: string | null, limit: number) =>
  db.rows<{ file_key: string }>(sql`
    select file_key from import_parts where ${after}::text is null or file_key > ${after} order by file_key limit ${limit}`);

export async function hasPart(db: Database, key: string): Promise<boolean> {
  return (await db.row(sql`select 1 from import_parts where file_key = ${key}`)) !== null;
}

/** @returns the keys of files to remove */
export async function deleteImportsOf(tx: Database, userId: string): Promise<string[]> {
  const keys = await keysOf(tx, sql`delete from import_parts where user_id = ${userId} returning file_key`);
  await tx.run(sql`delete from imported_chats where user_id = ${userId}`);
  await tx.run(sql`delete from imported_items where user_id = ${userId}`);
  await tx.run(sql`delete from imports where user_id = ${userId}`);
  return keys;
}
