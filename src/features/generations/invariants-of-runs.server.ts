import { type Statement, sql } from '#platform/database/sql.server.ts';

/** What is wrong with `runs`: with all of them, and with those of the last two days, which an index finds. */
export const ofRuns = (violations: (runs: Statement) => Statement) => ({
  violations: violations(sql`generations`),
  recent: violations(sql`(select * from generations where created_at > app_now() - interval '2 days')`),
});
