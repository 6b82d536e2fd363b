import type { Database } from '#platform/database/database.server.ts';
import { sql } from '#platform/database/sql.server.ts';

export interface WholeJobRow {
  id: string;
  prompt: string;
  size: string;
  count: number;
  model: string;
  created_at: Date;
  deleted_at: Date | null;
}

export interface WholePictureRow {
  id: string;
  job_id: string;
  width: number;
  height: number;
  bytes: number;
  file_key: string;
  created_at: Date;
  deleted_at: Date | null;
}

export function jobsAfter(
  db: Database,
  userId: string,
  after: string | null,
  limit: number,
): Promise<WholeJobRow[]> {
  return db.rows<WholeJobRow>(sql`
    select id, prompt, size, count, model, created_at, deleted_at from image_jobs
     where user_id = ${userId} and (${after}::uuid is null or id > ${after}::uuid) order by id limit ${limit}`);
}

export function picturesOfJobs(db: Database, jobIds: string[]): Promise<WholePictureRow[]> {
  return db.rows<WholePictureRow>(sql`
    select id, job_id, width, height, bytes, file_key, created_at, deleted_at from image_pictures
     where job_id = any(${jobIds}::uuid[]) order by job_id, position`);
}
