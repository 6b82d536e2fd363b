import type { Database } from '#platform/database/database.server.ts';
import { raw, type Statement, sql } from '#platform/database/sql.server.ts';
import { countAttempt, dueMails } from '#platform/mail/mail-queue.server.ts';
import type { ContactKind, ContactMessage } from './contact-contract.ts';

export async function lockDigest(tx: Database, digest: Buffer): Promise<void> {
  await tx.run(
    sql`select pg_advisory_xact_lock(hashtextextended(${`contact:${digest.toString('hex')}`}, 0))`,
  );
}

/** No upper bound on the time: a concurrent message may be newer than this transaction's time, which is its start. */
export async function findDuplicate(tx: Database, digest: Buffer, minutes: number): Promise<string | null> {
  const row = await tx.row<{ reference: string }>(sql`
    select reference from contact_messages
     where digest = ${digest} and created_at > app_now() - ${minutes}::int * interval '1 minute'
     order by created_at desc limit 1`);
  return row?.reference ?? null;
}

interface NewMessage extends ContactMessage {
  reference: string;
  userId: string | null;
  digest: Buffer;
  language: string;
}

export async function insertMessage(tx: Database, message: NewMessage): Promise<boolean> {
  const { reference, userId, kind, name, email, digest, language } = message;
  const stored = await tx.run(sql`
    with stored as (
      insert into contact_messages (reference, user_id, kind, name, email, message, digest, language)
      values (${reference}, ${userId}, ${kind}, ${name}, ${email}, ${message.message}, ${digest}, ${language})
      on conflict (reference) do nothing returning id)
    insert into contact_mails (message_id, kind)
    select id, mail from stored cross join unnest(array['support', 'receipt']) as mail`);
  return stored > 0;
}

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
  /** Language of the mails to the sender. */
  language: string | null;
}

/** Oldest first. */
export const claimDueMails = (db: Database, limit: number) =>
  db.rows<DueMail>(sql`
    with due as (
      select m.message_id, m.kind from contact_mails m where ${dueMails}
       order by m.next_try_at, m.message_id, m.kind limit ${limit} for update skip locked)
    update contact_mails m set ${countAttempt}
      from due join contact_messages c on c.id = due.message_id left join users u on u.id = c.user_id
     where m.message_id = due.message_id and m.kind = due.kind
    returning m.message_id, m.kind as mail, m.attempts, c.reference, c.kind, c.name, c.email, c.message, c.created_at,
              c.user_id, u.email as account_email, coalesce(c.language, u.language) as language`);

export const markSent = (db: Database, { message_id, mail }: DueMail) =>
  db.run(
    sql`update contact_mails set sent_at = app_now() where message_id = ${message_id} and kind = ${mail}`,
  );

export function purgeDone(db: Database, months: number): Promise<number> {
  return db.run(
    sql`delete from contact_messages where done_at < app_now() - ${months}::int * interval '1 month'`,
  );
}

export interface MessageRow {
  reference: string;
  kind: ContactKind;
  name: string;
  email: string;
  message: string;
  user_id: string | null;
  account_email: string | null;
  created_at: Date;
  done_at: Date | null;
  done_by: string | null;
  unsent: string[];
}

const columns = raw(`
  c.reference, c.kind, c.name, c.email, c.message, c.user_id, u.email as account_email, c.created_at, c.done_at, c.done_by,
  array(select m.kind from contact_mails m where m.message_id = c.id and m.sent_at is null order by m.kind desc) as unsent`);

const lists: Record<'open' | 'done' | 'all', Statement> = {
  open: sql`c.done_at is null`,
  done: sql`c.done_at is not null`,
  all: sql`true`,
};

type ListName = keyof typeof lists;

export function findMessages(db: Database, name: ListName, limit: number): Promise<MessageRow[]> {
  return db.rows(sql`
    select ${columns} from contact_messages c left join users u on u.id = c.user_id
     where ${lists[name]} order by c.created_at desc, c.reference limit ${limit}`);
}

export async function countMessages(db: Database, name: ListName): Promise<number> {
  const row = await db.row<{ count: number }>(
    sql`select count(*)::int as count from contact_messages c where ${lists[name]}`,
  );
  return row?.count ?? 0;
}

export function messagesAfter(db: Database, after: string, limit: number): Promise<MessageRow[]> {
  return db.rows(sql`
    select ${columns} from contact_messages c left join users u on u.id = c.user_id
     where c.reference > ${after} order by c.reference limit ${limit}`);
}

export function findMessage(db: Database, reference: string): Promise<MessageRow | null> {
  return db.row(sql`
    select ${columns} from contact_messages c left join users u on u.id = c.user_id where c.reference = ${reference}`);
}

export async function markDone(db: Database, reference: string, operator: string): Promise<boolean> {
  const rows = await db.run(sql`
    update contact_messages set done_at = app_now(), done_by = ${operator}
     where reference = ${reference} and done_at is null`);
  return rows > 0;
}

/** Includes messages that guests sent from the account's address; those of other signed-in users stay. */
export async function deleteContactMessages(tx: Database, userId: string): Promise<void> {
  await tx.run(sql`
    delete from contact_messages where user_id = ${userId}
        or (user_id is null and email = (select email from users where id = ${userId}))`);
}

export interface SentRow {
  reference: string;
  kind: ContactKind;
  name: string;
  email: string;
  message: string;
  created_at: Date;
  done_at: Date | null;
}

export function sentAfter(db: Database, userId: string, after: string, limit: number): Promise<SentRow[]> {
  return db.rows(sql`
    select reference, kind, name, email, message, created_at, done_at from contact_messages
     where user_id = ${userId} and reference > ${after} order by reference limit ${limit}`);
}
