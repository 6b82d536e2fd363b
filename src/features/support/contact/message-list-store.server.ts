import type { Database } from '#platform/database/database.server.ts';
import { raw, type Statement, sql } from '#platform/database/sql.server.ts';
import type { ContactKind } from './contact-contract.ts';

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
  /** Kinds of its mails: support, receipt. */
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

export type ListName = keyof typeof lists;

export function messagesOf(db: Database, name: ListName, limit: number): Promise<MessageRow[]> {
  return db.rows(sql`
    select ${columns} from contact_messages c left join users u on u.id = c.user_id
     where ${lists[name]} order by c.created_at desc, c.reference limit ${limit}`);
}

export async function countOf(db: Database, name: ListName): Promise<number> {
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

export function messageOf(db: Database, reference: string): Promise<MessageRow | null> {
  return db.row(sql`
    select ${columns} from contact_messages c left join users u on u.id = c.user_id where c.reference = ${reference}`);
}

/** @returns false when somebody has before. */
export async function markDone(db: Database, reference: string, operator: string): Promise<boolean> {
  const rows = await db.run(sql`
    update contact_messages set done_at = app_now(), done_by = ${operator}
     where reference = ${reference} and done_at is null`);
  return rows > 0;
}
