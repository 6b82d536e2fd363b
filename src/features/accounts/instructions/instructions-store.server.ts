import type { Database } from '#platform/database/database.server.ts';
import { raw, type Statement, sql } from '#platform/database/sql.server.ts';
import type { Instructions } from './instructions-contract.ts';

/** Whether they are sent; the words hold for the table `i`. */
export const apply = raw(`i.enabled and i.about || i.answers <> ''`);

export const instructionsOf = (db: Database, userId: string) =>
  db.row<Instructions>(sql`select about, answers, enabled from instructions where user_id = ${userId}`);

export const putInstructions = (db: Database, userId: string, { about, answers, enabled }: Instructions) =>
  db.run(sql`
    insert into instructions (user_id, about, answers, enabled)
    select id, ${about}, ${answers}, ${enabled} from users where id = ${userId} and deleted_at is null
    on conflict (user_id) do update
       set about = excluded.about, answers = excluded.answers, enabled = excluded.enabled, updated_at = app_now()`);

export const deleteInstructions = (tx: Database, userId: string) =>
  tx.run(sql`delete from instructions where user_id = ${userId}`);

/** An expression for the statement that starts a chat reply: `AppliedInstructions`, or null where none apply. */
export const appliedInstructions = (userId: string): Statement => sql`
  (select json_build_object('about', i.about, 'answers', i.answers) from instructions i
    where i.user_id = ${userId} and ${apply})`;
