import type { Database } from '#platform/database/database.server.ts';
import { sql } from '#platform/database/sql.server.ts';
import { type ContactKind, maxMailAttempts } from './contact-contract.ts';

export interface DueMail {
  message_id: string;
  mail: 'support' | 'receipt';
  attempts: number;
  reference: string;
  kind: ContactKind;
  name: string;
  email: string;
  message: string;
  created_at: Date;
  user_id: string | null;
  account_email: string | null;
  /** Of the sender's mails. */
  language: string | null;
}

/**
 * Oldest first. The next try is put off by 2, 8, 32, 128 min, then 4 h, so that one that fails, or whose process ends,
 * waits for that, and no two processes send the same.
 */
export function claimDueMails(db: Database, limit: number): Promise<DueMail[]> {
  return db.rows<DueMail>(sql`
    with due as (
      select message_id, kind from contact_mails
       where sent_at is null and attempts < ${maxMailAttempts}::int and next_try_at <= app_now()
       order by next_try_at, message_id, kind limit ${limit} for update skip locked)
    update contact_mails m set attempts = m.attempts + 1,
           next_try_at = app_now() + least(2 * 4 ^ m.attempts, 240) * interval '1 minute'
      from due join contact_messages c on c.id = due.message_id left join users u on u.id = c.user_id
     where m.message_id = due.message_id and m.kind = due.kind
    returning m.message_id, m.kind as mail, m.attempts, c.reference, c.kind, c.name, c.email, c.message, c.created_at,
              c.user_id, u.email as account_email, coalesce(c.language, u.language) as language`);
}

export async function markSent(db: Database, { message_id, mail }: DueMail): Promise<void> {
  await db.run(
    sql`update contact_mails set sent_at = app_now() where message_id = ${message_id} and kind = ${mail}`,
  );
}
