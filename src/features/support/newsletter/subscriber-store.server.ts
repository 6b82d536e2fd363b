import type { Database } from '#platform/database/database.server.ts';
import { sql } from '#platform/database/sql.server.ts';

interface NewRequest {
  id: string;
  email: string;
  wording: number;
  source: string;
  network: string;
  days: number;
}

export async function insertRequest(tx: Database, row: NewRequest): Promise<void> {
  await tx.run(sql`
    insert into newsletter_requests (id, email, wording, source, network, expires_at)
    values (${row.id}, ${row.email}, ${row.wording}, ${row.source}, ${row.network},
            app_now() + ${row.days}::int * interval '1 day')`);
}

export function findOpenRequest(db: Database, id: string): Promise<{ email: string } | null> {
  return db.row(sql`select email from newsletter_requests where id = ${id} and expires_at > app_now()`);
}

/**
 * Stores a new link for each attempt to mail it. People who have left get at most one mail in the week for which
 * requests are kept, whoever enters their address, with whatever tag. @returns null if no mail may be sent.
 */
export function issueRequestToken(
  db: Database,
  row: { id: string; tokenHash: Buffer; addressHash: Buffer; mailboxHash: Buffer },
): Promise<{ email: string; created_at: Date } | null> {
  return db.row(sql`
    update newsletter_requests r set token_hash = ${row.tokenHash}, mailed_at = app_now(), mailbox_hash = ${row.mailboxHash}
     where r.id = ${row.id} and r.expires_at > app_now() and not (
       exists (select 1 from newsletter_subscribers s where s.left_at is not null
         and (s.address_hash = ${row.addressHash} or s.mailbox_hash = ${row.mailboxHash}))
       and exists (select 1 from newsletter_requests o where o.id <> r.id and o.mailed_at is not null
         and (o.email = r.email or o.mailbox_hash = ${row.mailboxHash})))
    returning r.email, r.created_at`);
}

export async function deleteRequest(db: Database, id: string): Promise<void> {
  await db.run(sql`delete from newsletter_requests where id = ${id}`);
}

export function findRequestByLink(db: Database, tokenHash: Buffer): Promise<{ email: string } | null> {
  return db.row(
    sql`select email from newsletter_requests where token_hash = ${tokenHash} and expires_at > app_now()`,
  );
}

interface TakenRequest {
  email: string;
  wording: number;
  source: string;
  network: string;
  created_at: Date;
}

/** Takes a request and deletes all others of its address; only one of concurrent calls gets it. */
export async function takeRequest(tx: Database, tokenHash: Buffer): Promise<TakenRequest | null> {
  // In a fixed order, so that two links of one address cannot deadlock.
  const taken = await tx.rows<TakenRequest & { matches: boolean }>(sql`
    with mine as materialized (
      select id from newsletter_requests where email =
        (select email from newsletter_requests where token_hash = ${tokenHash} and expires_at > app_now())
       order by id for update)
    delete from newsletter_requests r using mine where r.id = mine.id
    returning r.email, r.wording, r.source, r.network, r.created_at, r.token_hash is not distinct from ${tokenHash} as matches`);
  return taken.find(({ matches }) => matches) ?? null;
}

interface NewSubscriber extends TakenRequest {
  id: string;
  addressHash: Buffer;
  mailboxHash: Buffer;
  leaveToken: string;
  confirmedNetwork: string;
}

/**
 * Renews the subscription of people who have left or deleted their account since. @returns null if the address is
 * already subscribed; its proof of consent stays.
 */
export async function insertSubscriber(tx: Database, row: NewSubscriber): Promise<string | null> {
  const saved = await tx.row<{ id: string }>(sql`
    insert into newsletter_subscribers as s
      (id, address_hash, mailbox_hash, email, leave_token, wording, source, asked_at, asked_network, confirmed_at, confirmed_network)
    values (${row.id}, ${row.addressHash}, ${row.mailboxHash}, ${row.email}, ${row.leaveToken}, ${row.wording},
            ${row.source}, ${row.created_at}, ${row.network}, app_now(), ${row.confirmedNetwork})
    on conflict (address_hash) do update set email = excluded.email, mailbox_hash = excluded.mailbox_hash,
      wording = excluded.wording, source = excluded.source, asked_at = excluded.asked_at, asked_network = excluded.asked_network,
      confirmed_at = excluded.confirmed_at, confirmed_network = excluded.confirmed_network, left_at = null
      where s.left_at is not null
         or exists (select 1 from users u where u.email = s.email and u.deleted_at > s.confirmed_at)
    returning s.id`);
  return saved?.id ?? null;
}

export interface Subscriber {
  id: string;
  email: string;
  leave_token: string;
  confirmed_at: Date;
}

/** Excludes users who deleted their account after their consent. */
export function findSubscriber(
  db: Database,
  filter: { id: string } | { email: string },
): Promise<Subscriber | null> {
  const condition = 'id' in filter ? sql`id = ${filter.id}` : sql`email = ${filter.email}`;
  return db.row(
    sql`select id, email, leave_token, confirmed_at from newsletter_recipients where ${condition}`,
  );
}

export function findSubscriberByLink(
  db: Database,
  leaveToken: string,
): Promise<{ email: string | null } | null> {
  return db.row(sql`select email from newsletter_subscribers where leave_token = ${leaveToken}`);
}

/** Keeps the hashes. @returns false if there is no such subscriber; true also for one who has left before. */
export async function deleteSubscriber(
  tx: Database,
  filter: { leaveToken: string } | { email: string },
): Promise<boolean> {
  const condition =
    'email' in filter ? sql`email = ${filter.email}` : sql`leave_token = ${filter.leaveToken}`;
  const subscriber = await tx.row<{ id: string; email: string | null }>(
    sql`select id, email from newsletter_subscribers where ${condition}`,
  );
  if (!subscriber?.email) return subscriber !== null;
  // Requests before the subscriber, as in a confirmation, so that the two cannot deadlock.
  await tx.run(sql`delete from newsletter_requests where email = ${subscriber.email}`);
  await tx.run(sql`
    update newsletter_subscribers set email = null, wording = null, source = null, asked_at = null,
           asked_network = null, confirmed_at = null, confirmed_network = null, left_at = app_now()
     where id = ${subscriber.id} and left_at is null`);
  await tx.run(
    sql`delete from newsletter_deliveries where subscriber_id = ${subscriber.id} and state = 'waiting'`,
  );
  return true;
}

export function deleteOldRequests(db: Database): Promise<number> {
  return db.run(sql`delete from newsletter_requests where expires_at <= app_now()`);
}

export interface ExportRow {
  email: string;
  leave_token: string;
  wording: number;
  source: string;
  asked_at: Date;
  confirmed_at: Date;
}

export function recipientsAfter(db: Database, after: string, limit: number): Promise<ExportRow[]> {
  return db.rows(sql`
    select email, leave_token, wording, source, asked_at, confirmed_at from newsletter_recipients
     where email > ${after} order by email limit ${limit}`);
}

export interface Counts {
  subscribers: number;
  requests: number;
  left: number;
}

export async function countAll(db: Database): Promise<Counts> {
  const row = await db.row<Counts>(sql`
    select (select count(*)::int from newsletter_recipients) as subscribers,
           (select count(distinct email)::int from newsletter_requests where expires_at > app_now()) as requests,
           (select count(*)::int from newsletter_subscribers where left_at is not null) as left`);
  return row ?? { subscribers: 0, requests: 0, left: 0 };
}
