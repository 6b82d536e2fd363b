import type { Database } from '#platform/database/database.server.ts';
import { sql } from '#platform/database/sql.server.ts';
import type { ContactKind } from './contact-contract.ts';

/** Also what guests sent from the account's address; what another person sent signed in stays theirs. */
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
