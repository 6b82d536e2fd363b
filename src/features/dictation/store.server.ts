import type { Database } from '#platform/database/database.server.ts';
import { sql } from '#platform/database/sql.server.ts';

export const eraseOldTexts = (db: Database, hours: number): Promise<number> =>
  db.run(sql`
    update generations set text = ''
     where feature = 'dictation' and text <> '' and finished_at < app_now() - ${hours}::int * interval '1 hour'`);
