import type { Database } from '#platform/database/database.server.ts';
import { sql } from '#platform/database/sql.server.ts';
import type { NewJob, PictureRow } from './store.server.ts';

export type ExportedJobRow = Omit<NewJob, 'userId'> & {
  id: string;
  created_at: Date;
  deleted_at: Date | null;
  imported: boolean;
};

export const jobsAfter = (db: Database, userId: string, after: string | null, limit: number) =>
  db.rows<ExportedJobRow>(sql`
    select id, prompt, size, count, model, created_at, deleted_at, imported from image_jobs
     where user_id = ${userId} and (${after}::uuid is null or id > ${after}::uuid) order by id limit ${limit}`);

type ExportedPictureRow = Pick<
  PictureRow,
  'id' | 'width' | 'height' | 'bytes' | 'file_key' | 'created_at'
> & {
  deleted_at: Date | null;
};

export const picturesOfJob = (db: Database, jobId: string) =>
  db.rows<ExportedPictureRow>(sql`
    select id, width, height, bytes, file_key, created_at, deleted_at from image_pictures
     where job_id = ${jobId} order by position`);
