import { raw, type Statement, sql } from './sql.server.ts';

/** Rows of `table` that their owner may restore. `retention` is a PostgreSQL interval such as '7 days'. */
export const restorable = (table: string, retention: string): Statement =>
  sql`${raw(table)}.deleted_at > app_now() - ${retention}::interval`;

/** Rows of `table` that can no longer be restored and are to be erased. */
export const erasable = (table: string, retention: string): Statement =>
  sql`${raw(table)}.deleted_at <= app_now() - ${retention}::interval`;
