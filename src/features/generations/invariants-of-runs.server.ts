import { type Statement, sql } from '#platform/database/sql.server.ts';

/** Builds the queries of an invariant for all runs, and for those of the last two days, which use an index. */
export const ofRuns = (violations: (runs: Statement) => Statement) => ({
  violations: violations(sql`generations`),
  recent: violations(sql`(select * from generations where created_at > app_now() - interval '2 days')`),
});
