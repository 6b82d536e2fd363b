import type { Readable } from 'node:stream';
import { type Database, database } from '../../../platform/database/database.server.ts';
import { fileKey, openFile } from '../../../platform/files/files.server.ts';
import type { UserActor } from '../../../platform/http/actor.server.ts';
import { type DocumentRecord, deleteOf, documentsAfter, type RunRecord, runsOf } from '../store.server.ts';

const BATCH = 50;
const RUNS = 1_000;

/** Erases the documents of a person. @returns the keys of the files to be removed once that holds. */
export function erasePerson(tx: Database, userId: string): Promise<string[]> {
  return deleteOf(tx, userId);
}

/** A document of the actor; its file and its runs are read as they are asked for. */
export interface WholeDocument extends DocumentRecord {
  open(): Promise<Readable | null>;
  runs(): Promise<RunRecord[]>;
}

/** Every document of the actor, oldest first, deleted ones as long as they are kept. */
export async function* everyDocument({ actor }: { actor: UserActor }): AsyncGenerator<WholeDocument> {
  for (let after: string | null = null; ; ) {
    const page: DocumentRecord[] = await documentsAfter(database(), {
      userId: actor.userId,
      after,
      limit: BATCH,
    });
    for (const row of page) {
      yield {
        ...row,
        open: async () => (await openFile(fileKey(row.file_key)))?.stream ?? null,
        runs: () => runsOf(database(), row.id, RUNS),
      };
    }
    if (page.length < BATCH) return;
    after = page.at(-1)?.id ?? null;
  }
}
