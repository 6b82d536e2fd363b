import type { Database } from '../../../platform/database/database.server.ts';
import { sql } from '../../../platform/database/sql.server.ts';

/** Writes a mail that is to be sent. @returns 0 when one of that key was written before, or its person is erased. */
export function insertMail(
  tx: Database,
  mail: { key: string; userId: string; kind: string; facts: unknown },
): Promise<number> {
  return tx.run(sql`
    insert into billing_mails (key, user_id, kind, facts)
    select ${mail.key}, id, ${mail.kind}, ${JSON.stringify(mail.facts)}::jsonb
      from users where id = ${mail.userId} and erased_at is null
    on conflict (key) do nothing`);
}

/** Those of the keys under which a mail was written, sent or not. */
export async function writtenKeys(tx: Database, keys: string[]): Promise<string[]> {
  const rows = await tx.rows<{ key: string }>(
    sql`select key from billing_mails where key = any(${keys}::text[])`,
  );
  return rows.map(({ key }) => key);
}

export interface OpenMail {
  key: string;
  user_id: string;
  kind: string;
  facts: unknown;
  email: string;
  /** This try counted. */
  attempts: number;
}

/**
 * Takes mails that are due, the oldest first, and puts their next try off: by 2, 8, 32, 128 min, then 4 h. So one that
 * fails, or whose process ends, waits for that, and no two processes send the same. None to a deleted account.
 */
export function takeDue(
  db: Database,
  { tries, limit }: { tries: number; limit: number },
): Promise<OpenMail[]> {
  return db.rows<OpenMail>(sql`
    with due as (
      select m.key, u.email from billing_mails m join users u on u.id = m.user_id
       where m.sent_at is null and m.attempts < ${tries}::int and m.next_try_at <= app_now() and u.deleted_at is null
       order by m.next_try_at, m.key limit ${limit} for update of m skip locked)
    update billing_mails m set attempts = m.attempts + 1,
           next_try_at = app_now() + least(2 * 4 ^ m.attempts, 240) * interval '1 minute'
      from due where m.key = due.key
    returning m.key, m.user_id, m.kind, m.facts, due.email, m.attempts`);
}

/** Notes that a mail was taken by the mail server. */
export async function markSent(db: Database, key: string): Promise<void> {
  await db.run(sql`update billing_mails set sent_at = app_now() where key = ${key}`);
}
