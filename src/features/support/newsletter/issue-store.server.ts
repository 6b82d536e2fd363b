import type { Database } from '#platform/database/database.server.ts';
import { sql } from '#platform/database/sql.server.ts';

interface NewIssue {
  id: string;
  bodyHash: Buffer;
  subject: string;
  body: string;
}

/** Locks the issue until the transaction ends; the subject may change until the issue is sent. */
export async function saveIssue(
  tx: Database,
  issue: NewIssue,
): Promise<{ id: string; released_at: Date | null }> {
  const saved = await tx.row<{ id: string; released_at: Date | null }>(sql`
    insert into newsletter_issues as i (id, body_hash, subject, body)
    values (${issue.id}, ${issue.bodyHash}, ${issue.subject}, ${issue.body})
    on conflict (body_hash) do update
      set subject = case when i.released_at is null then excluded.subject else i.subject end
    returning id, released_at`);
  if (!saved) throw new Error('The issue was not stored.');
  return saved;
}

export async function releaseIssue(tx: Database, issueId: string): Promise<number> {
  await tx.run(sql`update newsletter_issues set released_at = app_now() where id = ${issueId}`);
  return tx.run(sql`
    insert into newsletter_deliveries (issue_id, subscriber_id)
    select ${issueId}, id from newsletter_recipients on conflict (issue_id, subscriber_id) do nothing`);
}

export async function insertTestDelivery(tx: Database, issueId: string, address: string): Promise<void> {
  await tx.run(
    sql`insert into newsletter_deliveries (issue_id, trial_address) values (${issueId}, ${address})`,
  );
}

export interface Delivery {
  id: number;
  subject: string;
  body: string;
  email: string;
  /** Null for a trial to an address without a subscription. */
  leave_token: string | null;
  trial: boolean;
  attempts: number;
}

/** Claims deliveries for good: no later run gets them. Deliveries to people who cannot get mail now keep waiting. */
export function claimDueDeliveries(db: Database, limit: number): Promise<Delivery[]> {
  return db.rows<Delivery>(sql`
    with due as (
      select d.id, i.subject, i.body, r.leave_token, d.trial_address is not null as trial,
             coalesce(d.trial_address, r.email) as email
        from newsletter_deliveries d
        join newsletter_issues i on i.id = d.issue_id
        left join lateral (
          select email, leave_token from newsletter_recipients where id = d.subscriber_id
          union all select email, leave_token from newsletter_recipients where email = d.trial_address) r on true
       where d.state = 'waiting' and d.next_try_at <= app_now() and coalesce(d.trial_address, r.email) is not null
       order by d.trial_address is null, d.id limit ${limit} for update of d skip locked)
    update newsletter_deliveries d set state = 'taken', attempts = d.attempts + 1
      from due where d.id = due.id
    returning d.id, due.subject, due.body, due.email, due.leave_token, due.trial, d.attempts`);
}

export async function markSent(db: Database, id: number): Promise<void> {
  await db.run(sql`update newsletter_deliveries set state = 'sent', sent_at = app_now() where id = ${id}`);
}

/** `minutes` null: gives up. */
export async function requeueDelivery(db: Database, id: number, minutes: number | null): Promise<void> {
  await db.run(sql`
    update newsletter_deliveries set state = ${minutes === null ? 'failed' : 'waiting'},
           next_try_at = app_now() + ${minutes ?? 0}::int * interval '1 minute'
     where id = ${id} and state = 'taken'`);
}

export function issueText(db: Database, id: string): Promise<{ subject: string; body: string } | null> {
  return db.row(sql`select subject, body from newsletter_issues where id = ${id}::uuid`);
}

export interface IssueFigures {
  id: string;
  subject: string;
  released_at: Date | null;
  sent: number;
  waiting: number;
  taken: number;
  failed: number;
}

export function issueFigures(
  db: Database,
  filter: { bodyHash: Buffer } | { limit: number },
): Promise<IssueFigures[]> {
  const condition = 'bodyHash' in filter ? sql`where i.body_hash = ${filter.bodyHash}` : sql``;
  return db.rows(sql`
    select i.id, i.subject, i.released_at,
           count(*) filter (where d.state = 'sent')::int as sent, count(*) filter (where d.state = 'waiting')::int as waiting,
           count(*) filter (where d.state = 'taken')::int as taken, count(*) filter (where d.state = 'failed')::int as failed
      from newsletter_issues i left join newsletter_deliveries d on d.issue_id = i.id and d.subscriber_id is not null
      ${condition} group by i.id order by i.created_at desc, i.id desc limit ${'limit' in filter ? filter.limit : 1}`);
}

export function deleteTestDeliveries(db: Database): Promise<number> {
  return db.run(sql`
    delete from newsletter_deliveries where trial_address is not null and created_at < app_now() - interval '7 days'`);
}
