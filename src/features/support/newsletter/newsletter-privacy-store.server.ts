import type { Database } from '#platform/database/database.server.ts';
import { sql } from '#platform/database/sql.server.ts';

interface SubscriptionRow {
  email: string;
  wording: number;
  source: string;
  asked_at: Date;
  asked_network: string;
  confirmed_at: Date | null;
  confirmed_network: string | null;
}

export function findSubscriptions(db: Database, userId: string): Promise<SubscriptionRow[]> {
  return db.rows(sql`
    with mine as (select email from users where id = ${userId})
    select s.email, s.wording, s.source, s.asked_at, s.asked_network, s.confirmed_at, s.confirmed_network
      from newsletter_subscribers s join mine on mine.email = s.email
    union all
    select r.email, r.wording, r.source, r.created_at, r.network, null, null
      from newsletter_requests r join mine on mine.email = r.email
     order by asked_at limit 100`);
}

interface IssueRow {
  subject: string;
  sent_at: Date;
}

export function findSentIssues(db: Database, userId: string): Promise<IssueRow[]> {
  return db.rows(sql`
    select i.subject, d.sent_at from users u join newsletter_subscribers s on s.email = u.email
      join newsletter_deliveries d on d.subscriber_id = s.id join newsletter_issues i on i.id = d.issue_id
     where u.id = ${userId} and d.sent_at is not null order by d.sent_at, d.id limit 1000`);
}

export async function addressToErase(
  tx: Database,
  userId: string,
): Promise<{ email: string; deletedAt: string } | null> {
  return tx.row(sql`
    select email, deleted_at::text as "deletedAt" from users
     where id = ${userId} and email is not null and deleted_at is not null`);
}

/** Also deletes hashes of people who have left; keeps requests and consents after `until`, which may be `infinity`. */
export async function eraseAddress(
  tx: Database,
  { email, addressHash, until }: { email: string; addressHash: Buffer; until: string },
): Promise<void> {
  await tx.run(
    sql`delete from newsletter_requests where email = ${email} and created_at <= ${until}::timestamptz`,
  );
  await tx.run(sql`delete from newsletter_deliveries where trial_address = ${email}`);
  await tx.run(sql`
    delete from newsletter_subscribers
     where address_hash = ${addressHash} and (left_at is not null or confirmed_at <= ${until}::timestamptz)`);
}
