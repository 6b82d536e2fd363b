import type { Database } from '#platform/database/database.server.ts';
import { sql } from '#platform/database/sql.server.ts';
import type { ImportSource } from './contract.ts';

export interface ChatKey {
  userId: string;
  source: ImportSource;
  sourceId: string;
}

/** The chat that was made of it. */
export const knownChat = (db: Database, { userId, source, sourceId }: ChatKey) =>
  db.row<{ chat_id: string; import_id: string | null }>(sql`
    select chat_id, import_id from imported_chats
     where user_id = ${userId} and source = ${source} and source_id = ${sourceId}`);

/** In place of one whose chat was deleted. */
export const noteChat = (
  tx: Database,
  { userId, source, sourceId }: ChatKey,
  { chatId, importId, bytes }: { chatId: string; importId: string; bytes: number },
) =>
  tx.run(sql`
    insert into imported_chats (user_id, source, source_id, chat_id, import_id, bytes)
    values (${userId}, ${source}, ${sourceId}, ${chatId}, ${importId}, ${bytes})
    on conflict (user_id, source, source_id) do update set
      chat_id = excluded.chat_id, import_id = excluded.import_id, bytes = excluded.bytes, created_at = app_now()`);

export async function importedOf(db: Database, userId: string): Promise<{ chats: number; bytes: number }> {
  const row = await db.row<{ chats: number; bytes: number }>(sql`
    select count(*)::int as chats, coalesce(sum(bytes), 0)::float8 as bytes from imported_chats where user_id = ${userId}`);
  return row ?? { chats: 0, bytes: 0 };
}

export interface ImportedChatExportRow {
  source: ImportSource;
  source_id: string;
  chat_id: string;
  created_at: Date;
}

export const importedChatsAfter = (
  db: Database,
  userId: string,
  after: ImportedChatExportRow | null,
  limit: number,
) =>
  db.rows<ImportedChatExportRow>(sql`
    select source, source_id, chat_id, created_at from imported_chats
     where user_id = ${userId}
       and (${after?.source ?? null}::text is null
            or (source, source_id) > (${after?.source ?? null}::text, ${after?.source_id ?? null}::text))
     order by source, source_id limit ${limit}`);
