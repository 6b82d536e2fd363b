import type { Database } from '#platform/database/database.server.ts';
import { sql } from '#platform/database/sql.server.ts';
import type { ContactMessage } from './contact-contract.ts';

export async function lockDigest(tx: Database, digest: Buffer): Promise<void> {
  await tx.run(
    sql`select pg_advisory_xact_lock(hashtextextended(${`contact:${digest.toString('hex')}`}, 0))`,
  );
}

/** A message may be stored later than this transaction began, whose beginning is its time. */
export async function findDuplicate(tx: Database, digest: Buffer, minutes: number): Promise<string | null> {
  const row = await tx.row<{ reference: string }>(sql`
    select reference from contact_messages
     where digest = ${digest} and created_at > app_now() - ${minutes}::int * interval '1 minute'
     order by created_at desc limit 1`);
  return row?.reference ?? null;
}

export interface NewMessage extends ContactMessage {
  reference: string;
  userId: string | null;
  digest: Buffer;
}

/** With its two mails. @returns false when the reference is taken. */
export async function insertMessage(tx: Database, message: NewMessage): Promise<boolean> {
  const { reference, userId, kind, name, email, digest } = message;
  const stored = await tx.run(sql`
    with stored as (
      insert into contact_messages (reference, user_id, kind, name, email, message, digest)
      values (${reference}, ${userId}, ${kind}, ${name}, ${email}, ${message.message}, ${digest})
      on conflict (reference) do nothing returning id)
    insert into contact_mails (message_id, kind)
    select id, mail from stored cross join unnest(array['support', 'receipt']) as mail`);
  return stored > 0;
}

export function purgeDone(db: Database, months: number): Promise<number> {
  return db.run(
    sql`delete from contact_messages where done_at < app_now() - ${months}::int * interval '1 month'`,
  );
}
