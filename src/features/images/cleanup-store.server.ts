import type { Database } from '#platform/database/database.server.ts';
import { erasable } from '#platform/database/soft-delete.server.ts';
import { type Statement, sql } from '#platform/database/sql.server.ts';
import { restoreWindow } from './store.server.ts';

interface Keys {
  file_key: string;
  small_key: string;
  medium_key: string;
}

const keysOf = (rows: Keys[]) => rows.flatMap((row) => [row.file_key, row.small_key, row.medium_key]);

export async function eraseJobs(tx: Database, limit: number): Promise<{ keys: string[]; rows: number }> {
  const due = await tx.rows<{ id: string }>(sql`
    select j.id from image_jobs j left join generations g on g.id = j.generation_id
     where ${erasable('j', restoreWindow)} and (j.imported or g.finished_at is not null)
     order by j.deleted_at limit ${limit} for update of j skip locked`);
  const ids = due.map(({ id }) => id);
  const rows = await tx.rows<Keys>(sql`
    delete from image_pictures where job_id = any(${ids}::uuid[]) returning file_key, small_key, medium_key`);
  await tx.run(sql`delete from image_jobs where id = any(${ids}::uuid[])`);
  return { keys: keysOf(rows), rows: ids.length };
}

export async function erasePictures(tx: Database): Promise<string[]> {
  return keysOf(
    await tx.rows<Keys>(sql`
      delete from image_pictures where ${erasable('image_pictures', restoreWindow)} returning file_key, small_key, medium_key`),
  );
}

/** @returns the keys of the deleted files */
export async function deleteOf(tx: Database, userId: string): Promise<string[]> {
  const rows = await tx.rows<Keys>(sql`
    delete from image_pictures p using image_jobs j where j.id = p.job_id and j.user_id = ${userId}
    returning p.file_key, p.small_key, p.medium_key`);
  await tx.run(sql`delete from image_jobs where user_id = ${userId}`);
  return keysOf(rows);
}

export const pictureKeys: Statement = sql`
  select unnest(array[file_key, small_key, medium_key]) as key from image_pictures`;

export async function unknownKeys(db: Database, keys: string[]): Promise<string[]> {
  const rows = await db.rows<{ key: string }>(sql`
    select k.key from unnest(${keys}::text[]) as k(key)
     where not exists (select 1 from image_pictures p where p.file_key = k.key)
       and not exists (select 1 from image_pictures p where p.small_key = k.key)
       and not exists (select 1 from image_pictures p where p.medium_key = k.key)`);
  return rows.map((row) => row.key);
}

export const picturesAfter = (db: Database, after: string | null, limit: number) =>
  db.rows<Keys & { id: string }>(sql`
    select id, file_key, small_key, medium_key from image_pictures
     where (${after}::uuid is null or id > ${after}::uuid) order by id limit ${limit}`);

export async function hasPicture(db: Database, id: string): Promise<boolean> {
  return (await db.row(sql`select 1 from image_pictures where id = ${id}`)) !== null;
}
