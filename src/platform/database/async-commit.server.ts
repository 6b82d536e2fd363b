import { type Statement, sql } from './sql.server.ts';

/** Lets the statement's transaction commit without waiting for the disk: a power cut may lose the latest of them. */
export const asyncCommit = (statement: Statement): Statement => sql`
    select w.* from (${statement}) w cross join set_config('synchronous_commit', 'off', true)`;
