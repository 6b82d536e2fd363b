import { database, transaction } from '#platform/database/database.server.ts';
import { removeFiles } from '#platform/files/orphan-files.server.ts';
import { temporaryHours } from './contract.ts';
import { eraseContent, lockLeftChats, markOldChatsLeft } from './temporary-chats-store.server.ts';

const BATCH = 100;

/**
 * Erases the messages, files and run texts of all temporary chats that were left, or of this one. The row stays as
 * long as that of a deleted chat, so that the chat counts for its day. @returns the number of chats
 */
export async function eraseTemporaryChats(id: string | null = null): Promise<number> {
  for (let erased = 0; ; ) {
    const { chats, keys } = await transaction(async (tx) => {
      const found = await lockLeftChats(tx, id, BATCH);
      return { chats: found.length, keys: found.length === 0 ? [] : await eraseContent(tx, found) };
    });
    await removeFiles(keys);
    erased += chats;
    if (chats < BATCH) return erased;
  }
}

/** An hour early, because the job that calls this runs hourly. */
export async function eraseOldTemporaryChats(): Promise<number> {
  await markOldChatsLeft(database(), temporaryHours - 1);
  return eraseTemporaryChats();
}
