import type { Database } from '#platform/database/database.server.ts';
import { raw, sql } from '#platform/database/sql.server.ts';

export interface NoteRow {
  id: string;
  text: string;
  created_at: Date;
}

const columns = raw('id, text, created_at');

export const findNotes = (db: Database, userId: string) =>
  db.rows<NoteRow>(sql`
    select ${columns} from memory_notes where user_id = ${userId} order by created_at desc, id desc`);

export async function memoryIsOn(db: Database, userId: string): Promise<boolean> {
  const row = await db.row<{ memory_on: boolean }>(sql`select memory_on from users where id = ${userId}`);
  return row?.memory_on ?? false;
}

export const setMemoryOn = (db: Database, userId: string, on: boolean) =>
  db.run(sql`update users set memory_on = ${on} where id = ${userId} and deleted_at is null`);

/** Null if there are `most` already. Locks the user's row first, so that concurrent notes are counted. */
export async function insertNote(
  tx: Database,
  note: { id: string; userId: string; text: string; most: number },
): Promise<NoteRow | null> {
  await tx.run(sql`select 1 from users where id = ${note.userId} for update`);
  return tx.row<NoteRow>(sql`
    insert into memory_notes (id, user_id, text)
    select ${note.id}, u.id, ${note.text} from users u
     where u.id = ${note.userId} and u.deleted_at is null
       and (select count(*) from memory_notes n where n.user_id = u.id) < ${note.most}::int
    returning ${columns}`);
}

/** Like `insertNote`. @returns how many notes there are now; null if it was not written. */
export async function insertImportedNote(
  tx: Database,
  note: { id: string; userId: string; text: string; createdAt: Date; most: number },
): Promise<number | null> {
  if (!(await insertNote(tx, note))) return null;
  await tx.run(sql`update memory_notes set created_at = ${note.createdAt} where id = ${note.id}`);
  const row = await tx.row<{ count: number }>(sql`
    select count(*)::int as count from memory_notes where user_id = ${note.userId}`);
  return row?.count ?? null;
}

export async function hasNote(db: Database, userId: string, id: string): Promise<boolean> {
  return (await db.row(sql`select 1 from memory_notes where id = ${id} and user_id = ${userId}`)) !== null;
}

export const updateNote = (db: Database, userId: string, id: string, text: string) =>
  db.row<NoteRow>(sql`
    update memory_notes set text = ${text}, updated_at = app_now() where id = ${id} and user_id = ${userId}
    returning ${columns}`);

export const deleteNote = (db: Database, userId: string, id: string) =>
  db.run(sql`delete from memory_notes where id = ${id} and user_id = ${userId}`);

export const deleteNotesOf = (tx: Database, userId: string) =>
  tx.run(sql`delete from memory_notes where user_id = ${userId}`);
