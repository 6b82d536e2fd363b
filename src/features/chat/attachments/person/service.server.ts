import type { Readable } from 'node:stream';
import { type Database, database } from '../../../../platform/database/database.server.ts';
import { fileKey, openFile } from '../../../../platform/files/files.server.ts';
import type { UserActor } from '../../../../platform/http/actor.server.ts';
import { type AttachmentRow, attachmentsAfter, deleteOf } from '../store.server.ts';

const BATCH = 50;

/** Erases the rows of a person whose chats are gone. @returns the keys of the files to be removed once that holds. */
export function erasePerson(tx: Database, userId: string): Promise<string[]> {
  return deleteOf(tx, userId);
}

/** A file of the actor; its bytes are opened as they are asked for, null when they are missing. */
export interface WholeAttachment extends AttachmentRow {
  open(): Promise<Readable | null>;
}

/** Every file of the actor, oldest first, those not sent yet too. */
export async function* everyAttachment({ actor }: { actor: UserActor }): AsyncGenerator<WholeAttachment> {
  for (let after: string | null = null; ; ) {
    const page: AttachmentRow[] = await attachmentsAfter(database(), {
      userId: actor.userId,
      after,
      limit: BATCH,
    });
    for (const row of page)
      yield { ...row, open: async () => (await openFile(fileKey(row.file_key)))?.stream ?? null };
    if (page.length < BATCH) return;
    after = page.at(-1)?.id ?? null;
  }
}
