import { type Statement, sql } from './sql.server.ts';

/** Its transaction is committed without waiting for the disk: a power cut may lose the last moment of it, and nothing else does. */
export const asyncCommit = (statement: Statement): Statement => sql`
    select w.* from (${statement}) w cross join set_config('synchronous_commit', 'off', true)`;
