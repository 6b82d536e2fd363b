import type { Database } from '#platform/database/database.server.ts';
import { sql } from '#platform/database/sql.server.ts';
import type { NewJob, PictureRow } from './store.server.ts';

/** @returns false if the account was deleted meanwhile */
export async function insertImportedJob(
  tx: Database,
  job: NewJob & { id: string; createdAt: Date },
): Promise<boolean> {
  const added = await tx.run(sql`
    insert into image_jobs (id, user_id, prompt, size, count, model, created_at, imported)
    select ${job.id}, u.id, ${job.prompt}, ${job.size}, ${job.count}, ${job.model}, ${job.createdAt}, true
      from users u where u.id = ${job.userId} and u.deleted_at is null`);
  return added > 0;
}

export const setPictureTime = (tx: Database, { id, created_at }: Pick<PictureRow, 'id' | 'created_at'>) =>
  tx.run(sql`update image_pictures set created_at = ${created_at} where id = ${id}`);
