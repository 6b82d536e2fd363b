import type { Database } from '#platform/database/database.server.ts';
import { raw, type Statement, sql } from '#platform/database/sql.server.ts';
import type { Instructions } from './instructions-contract.ts';

/** Condition on table `i`: its instructions are sent. */
const applies = `i.enabled and i.about || i.answers <> ''`;

/** Condition: anything is sent with the chat messages of user `u`. */
export const isInstructed = raw(`(
  exists (select 1 from instructions i where i.user_id = u.id and ${applies})
  or u.memory_on and exists (select 1 from memory_notes n where n.user_id = u.id))`);

export const findInstructions = (db: Database, userId: string) =>
  db.row<Instructions>(sql`select about, answers, enabled from instructions where user_id = ${userId}`);

export const upsertInstructions = (db: Database, userId: string, { about, answers, enabled }: Instructions) =>
  db.run(sql`
    insert into instructions (user_id, about, answers, enabled)
    select id, ${about}, ${answers}, ${enabled} from users where id = ${userId} and deleted_at is null
    on conflict (user_id) do update
       set about = excluded.about, answers = excluded.answers, enabled = excluded.enabled, updated_at = app_now()`);

/** Writes instructions for a user who has none. @returns whether they were written. */
export async function insertInstructions(
  tx: Database,
  userId: string,
  { about, answers, enabled }: Instructions,
): Promise<boolean> {
  const written = await tx.run(sql`
    insert into instructions as i (user_id, about, answers, enabled)
    select id, ${about}, ${answers}, ${enabled} from users where id = ${userId} and deleted_at is null
    on conflict (user_id) do update
       set about = excluded.about, answers = excluded.answers, enabled = excluded.enabled, updated_at = app_now()
     where i.about = '' and i.answers = ''`);
  return written > 0;
}

export const deleteInstructions = (tx: Database, userId: string) =>
  tx.run(sql`delete from instructions where user_id = ${userId}`);

/**
 * Expression for the statement that starts a chat reply: `AppliedInstructions`, or null if none apply. `project`: query
 * for the instructions of the chat's project, or null.
 */
export const appliedInstructions = (userId: string, project: Statement): Statement => sql`
  (select json_build_object('about', coalesce(i.about, ''), 'answers', coalesce(i.answers, ''),
                            'notes', coalesce(n.texts, '[]'), 'project', coalesce(p.text, ''))
     from users u left join instructions i on i.user_id = u.id and ${raw(applies)}
     left join lateral (select json_agg(o.text order by o.created_at desc, o.id desc) as texts from memory_notes o
                         where o.user_id = u.id and u.memory_on) n on true
     left join lateral (select (${project}) as text) p on true
    where u.id = ${userId} and (i.user_id is not null or n.texts is not null or p.text is not null))`;
