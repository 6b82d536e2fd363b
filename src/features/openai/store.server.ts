import type { Database } from '#platform/database/database.server.ts';
import { sql } from '#platform/database/sql.server.ts';

export const eraseText = (db: Database, generationId: string) =>
  db.run(sql`update generations set text = '' where id = ${generationId} and feature = 'completion'`);

/** Of those that may be asked for again after `hours`; of others as soon as it is found. */
export const eraseOldTexts = (db: Database, hours: number) =>
  db.run(sql`
    update generations set text = ''
     where feature = 'completion' and text <> ''
       and (finished_at < app_now() - ${hours}::int * interval '1 hour'
            or not coalesce((input->>'repeatable')::boolean, false))`);
