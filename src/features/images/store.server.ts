import type { GenerationState } from '#features/generations/contract.ts';
import type { Database } from '#platform/database/database.server.ts';
import { restorable } from '#platform/database/soft-delete.server.ts';
import { raw, type Statement, sql } from '#platform/database/sql.server.ts';
import { type ImageSize, imageLimits, type PictureView, previewWidths } from './contract.ts';

export interface PictureRow extends PictureView {
  job_id: string;
  preview_bytes: number;
  file_key: string;
  small_key: string;
  medium_key: string;
  created_at: Date;
}

export interface NewJob {
  userId: string;
  prompt: string;
  size: ImageSize;
  count: number;
  model: string;
}

export interface JobRow extends Omit<NewJob, 'userId'> {
  id: string;
  made: number;
  created_at: Date;
  deleted_at: Date | null;
  /** Not made by a run of this site, and not charged. */
  imported: boolean;
  state: GenerationState;
  credits_charged: number;
  error_code: string | null;
  error_message: string | null;
}

export const restoreWindow = `${imageLimits.restoreDays} days`;

const jobColumns =
  raw(`j.id, j.prompt, j.size, j.count, j.model, j.created_at, j.deleted_at, j.imported, coalesce(g.state, 'done') as state,
  coalesce(g.credits_charged, 0) as credits_charged, g.error_code, g.error_message, (select count(*)::int from image_pictures p where p.job_id = j.id) as made`);

/** `write` wraps the admission in a larger statement. */
export function jobStatement(
  admission: Statement,
  job: NewJob,
  write: (admission: Statement) => Statement,
): Statement {
  return sql`
    with a as materialized (${admission}), written as (
      insert into image_jobs (id, user_id, prompt, size, count, model)
      select a.generation_id, ${job.userId}::uuid, ${job.prompt}::text, ${job.size}::text, ${job.count}::int, ${job.model}::text
        from a where a.verdict = 'admitted')
    select w.* from (${write(sql`select * from a`)}) w`;
}

/** SQL for `DrawnImages`. The caller has checked access to the run. @param run column with the run's id */
export const drawnImages = (run: string) =>
  raw(`(select json_build_object('jobId', case when j.deleted_at is null then j.id end, 'prompt', coalesce(j.prompt, ''),
      'size', coalesce(j.size, '1024x1024'), 'pictures', (
        select coalesce(json_agg(json_build_object('id', p.id, 'position', p.position, 'width', p.width,
                                                   'height', p.height, 'bytes', p.bytes) order by p.position), '[]')
          from image_pictures p where p.job_id = j.id and p.deleted_at is null and j.deleted_at is null))
     from (select) as asked left join image_jobs j on j.id = ${run})`);

/** For any owner: the caller has checked access to the run. */
export function jobOfRun(db: Database, id: string): Promise<(NewJob & { id: string }) | null> {
  return db.row(sql`
    select id, user_id as "userId", prompt, size, count, model from image_jobs where id = ${id}`);
}

export const ownJob = (db: Database, userId: string, id: string) =>
  db.row<JobRow>(sql`
    select ${jobColumns} from image_jobs j left join generations g on g.id = j.generation_id
     where j.id = ${id} and j.user_id = ${userId}`);

interface JobQuery {
  userId: string;
  like: string[];
  size: ImageSize | null;
  before: string | null;
  limit: number;
}

export function jobsBefore(db: Database, { userId, like, size, before, limit }: JobQuery) {
  return db.rows<JobRow>(sql`
    select ${jobColumns} from image_jobs j left join generations g on g.id = j.generation_id
     where j.user_id = ${userId} and j.deleted_at is null and j.prompt ilike all(${like}::text[])
       and (${size}::text is null or j.size = ${size}) and (${before}::uuid is null or j.id < ${before}::uuid)
     order by j.id desc limit ${limit}`);
}

export function picturesOf(db: Database, jobIds: string[]): Promise<PictureRow[]> {
  return db.rows<PictureRow>(sql`
    select * from image_pictures where job_id = any(${jobIds}::uuid[]) and deleted_at is null order by job_id, position`);
}

export async function insertPicture(db: Database, row: Omit<PictureRow, 'created_at'>): Promise<boolean> {
  const written = await db.run(sql`
    insert into image_pictures (id, job_id, position, width, height, bytes, preview_bytes, file_key, small_key, medium_key)
    select ${row.id}, j.id, ${row.position}, ${row.width}, ${row.height}, ${row.bytes}, ${row.preview_bytes},
           ${row.file_key}, ${row.small_key}, ${row.medium_key}
      from image_jobs j join users u on u.id = j.user_id where j.id = ${row.job_id} and u.deleted_at is null`);
  return written === 1;
}

export const ownPicture = (db: Database, userId: string, id: string) =>
  db.row<PictureRow & { prompt: string }>(sql`
    select p.*, j.prompt from image_pictures p join image_jobs j on j.id = p.job_id
     where p.id = ${id} and j.user_id = ${userId} and p.deleted_at is null and j.deleted_at is null`);

/** Returns images that are not deleted, in the order in which they were made. */
export const ownPictures = (db: Database, userId: string, ids: string[]) =>
  db.rows<PictureRow & { prompt: string; imported: boolean }>(sql`
    select p.*, j.prompt, j.imported from image_pictures p join image_jobs j on j.id = p.job_id
     where p.id = any(${ids}::uuid[]) and j.user_id = ${userId} and p.deleted_at is null and j.deleted_at is null
     order by j.id, p.position`);

/** Returns the file of the smallest preview that is wide enough, or of the full image. */
export function previewKey(
  { small_key, medium_key, file_key }: PictureRow,
  width: number | null,
): { key: string; type: 'image/webp' | 'image/png' } {
  const [small, medium] = previewWidths;
  if (width === null || width > medium) return { key: file_key, type: 'image/png' };
  return { key: width <= small ? small_key : medium_key, type: 'image/webp' };
}

export async function ownerOfPicture(db: Database, id: string): Promise<string | null> {
  const row = await db.row<{ user_id: string }>(sql`
    select j.user_id from image_pictures p join image_jobs j on j.id = p.job_id join users u on u.id = j.user_id
     where p.id = ${id} and u.deleted_at is null and u.banned_at is null`);
  return row?.user_id ?? null;
}

/** Bytes of all images that a person stores, including previews. */
export const PICTURE_QUOTA = 1024 ** 3;

export async function storageUsed(db: Database, userId: string): Promise<number> {
  const row = await db.row<{ bytes: number }>(sql`
    select coalesce(sum(p.bytes + p.preview_bytes), 0)::float8 as bytes
      from image_pictures p join image_jobs j on j.id = p.job_id where j.user_id = ${userId}`);
  return row?.bytes ?? 0;
}

export async function softDeleteJob(db: Database, userId: string, id: string): Promise<boolean> {
  const marked = await db.run(sql`
    update image_jobs set deleted_at = coalesce(deleted_at, app_now())
     where id = ${id} and user_id = ${userId} and (deleted_at is null or ${restorable('image_jobs', restoreWindow)})`);
  return marked === 1;
}

export async function undeleteJob(db: Database, userId: string, id: string): Promise<boolean> {
  const restored = await db.run(sql`
    update image_jobs set deleted_at = null
     where id = ${id} and user_id = ${userId} and (deleted_at is null or ${restorable('image_jobs', restoreWindow)})`);
  return restored === 1;
}

/** If two images are deleted concurrently, the second deletion must see the first. */
const lockJobOf = (tx: Database, userId: string, pictureId: string) =>
  tx.run(sql`
    select 1 from image_jobs j join image_pictures p on p.job_id = j.id
     where p.id = ${pictureId} and j.user_id = ${userId} for update of j`);

/** Deletes the image, and its job if that has ended and has no other images. @returns the job's id */
export async function softDeletePicture(tx: Database, userId: string, id: string): Promise<string | null> {
  await lockJobOf(tx, userId, id);
  const row = await tx.row<{ job_id: string }>(sql`
    update image_pictures p set deleted_at = app_now() from image_jobs j
     where p.id = ${id} and j.id = p.job_id and j.user_id = ${userId} and j.deleted_at is null and p.deleted_at is null
    returning p.job_id`);
  if (!row) return null;
  await tx.run(sql`
    update image_jobs j set deleted_at = app_now()
     where j.id = ${row.job_id} and j.deleted_at is null
       and not exists (select 1 from generations g where g.id = j.generation_id and g.finished_at is null)
       and not exists (select 1 from image_pictures p where p.job_id = j.id and p.deleted_at is null)`);
  return row.job_id;
}

/** Restores the image and its job. @returns the job's id */
export async function undeletePicture(tx: Database, userId: string, id: string): Promise<string | null> {
  await lockJobOf(tx, userId, id);
  const row = await tx.row<{ job_id: string }>(sql`
    update image_pictures p set deleted_at = null from image_jobs j
     where p.id = ${id} and j.id = p.job_id and j.user_id = ${userId}
       and (p.deleted_at is null or ${restorable('p', restoreWindow)})
       and (j.deleted_at is null or ${restorable('j', restoreWindow)})
    returning p.job_id`);
  if (!row) return null;
  await tx.run(sql`update image_jobs set deleted_at = null where id = ${row.job_id}`);
  return row.job_id;
}
