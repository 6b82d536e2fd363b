import { raw, type Statement, sql } from './sql.server.ts';

/** Rows of `table` whose owner may have them back. `kept`: an interval of PostgreSQL, as in '7 days'. */
export const restorable = (table: string, kept: string): Statement =>
  sql`${raw(table)}.deleted_at > app_now() - ${kept}::interval`;

/** Rows of `table` whose time is over, which are to be erased. */
export const erasable = (table: string, kept: string): Statement =>
  sql`${raw(table)}.deleted_at <= app_now() - ${kept}::interval`;
