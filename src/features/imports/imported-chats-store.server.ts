import type { Database } from '#platform/database/database.server.ts';
import { sql } from '#platform/database/sql.server.ts';
import type { ImportSource } from './contract.ts';

export interface ChatKey {
  userId: string;
  source: ImportSource;
  sourceId: string;
}

/** Finds the chat that an earlier import created from this source chat. */
export const knownChat = (db: Database, { userId, source, sourceId }: ChatKey) =>
  db.row<{ chat_id: string; import_id: string | null }>(sql`
    select chat_id, import_id from imported_chats
     where user_id = ${userId} and source = ${source} and source_id = ${sourceId}`);

/** Maps ids of chats in an archive of this kind of site to the chats that were created from them. */
export async function knownArchiveChats(
  db: Database,
  userId: string,
  sourceIds: string[],
): Promise<Map<string, string>> {
  const rows = await db.rows<{ source_id: string; chat_id: string }>(sql`
    select source_id, chat_id from imported_chats
     where user_id = ${userId} and source = 'archive' and source_id = any(${sourceIds}::text[])`);
  return new Map(rows.map(({ source_id, chat_id }) => [source_id, chat_id]));
}

/**
 * Records where a chat came from. Replaces the record of a deleted chat and adds to its bytes, because deleted texts
 * are still stored.
 */
export const recordChat = (
  tx: Database,
  { userId, source, sourceId }: ChatKey,
  { chatId, importId, bytes }: { chatId: string; importId: string; bytes: number },
) =>
  tx.run(sql`
    insert into imported_chats (user_id, source, source_id, chat_id, import_id, bytes)
    values (${userId}, ${source}, ${sourceId}, ${chatId}, ${importId}, ${bytes})
    on conflict (user_id, source, source_id) do update set
      chat_id = excluded.chat_id, import_id = excluded.import_id, bytes = imported_chats.bytes + excluded.bytes,
      created_at = app_now()`);

/** Includes deleted chats until they are erased. */
export async function importedTotals(
  db: Database,
  userId: string,
): Promise<{ chats: number; bytes: number }> {
  const row = await db.row<{ chats: number; bytes: number }>(sql`
    select (select count(*)::int from chat_sessions where user_id = ${userId} and imported) as chats,
           (select coalesce(sum(bytes), 0)::float8 from imported_chats where user_id = ${userId}) as bytes`);
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
