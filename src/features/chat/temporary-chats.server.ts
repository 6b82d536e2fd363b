import { database, transaction } from '#platform/database/database.server.ts';
import { removeFiles } from '#platform/files/orphan-files.server.ts';
import { temporaryHours } from './contract.ts';
import { eraseContent, leaveOldChats, lockLeftChats } from './temporary-chats-store.server.ts';

const BATCH = 100;

/**
 * Of the temporary chats that were left, or of this one: messages, files and what the runs hold of their text. The
 * row alone stays as long as a deleted chat's, so that the chat counts for its day.
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

/** An hour early, as the job that calls this runs each hour. */
export async function eraseOldTemporaryChats(): Promise<number> {
  await leaveOldChats(database(), temporaryHours - 1);
  return eraseTemporaryChats();
}
