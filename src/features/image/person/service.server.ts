import type { Readable } from 'node:stream';
import { type Database, database } from '../../../platform/database/database.server.ts';
import { fileKey, openFile } from '../../../platform/files/files.server.ts';
import type { UserActor } from '../../../platform/http/actor.server.ts';
import { deleteOf } from '../upkeep/store.server.ts';
import { jobsAfter, picturesOfJobs, type WholeJobRow, type WholePictureRow } from './store.server.ts';

const BATCH = 50;

/** Erases a person's pictures. @returns the keys of the files to be removed once that holds. */
export function erasePerson(tx: Database, userId: string): Promise<string[]> {
  return deleteOf(tx, userId);
}

/** A picture; its bytes are opened as they are asked for, null when they are missing. */
export interface WholePicture extends WholePictureRow {
  open(): Promise<Readable | null>;
}

export interface WholeImageJob extends WholeJobRow {
  pictures: WholePicture[];
}

const whole = (row: WholePictureRow): WholePicture => ({
  ...row,
  open: async () => (await openFile(fileKey(row.file_key)))?.stream ?? null,
});

/** Every request of the actor with its pictures, oldest first, deleted ones as long as they are kept. */
export async function* everyImageJob({ actor }: { actor: UserActor }): AsyncGenerator<WholeImageJob> {
  for (let after: string | null = null; ; ) {
    const page: WholeJobRow[] = await jobsAfter(database(), actor.userId, after, BATCH);
    const pictures = await picturesOfJobs(
      database(),
      page.map(({ id }) => id),
    );
    for (const job of page)
      yield { ...job, pictures: pictures.filter(({ job_id }) => job_id === job.id).map(whole) };
    if (page.length < BATCH) return;
    after = page.at(-1)?.id ?? null;
  }
}
