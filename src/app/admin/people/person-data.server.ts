import { validate as isUuid } from 'uuid';
import { history } from '#features/billing/service.server.ts';
import { features, type Plan } from '#features/credits/contract.ts';
import { database } from '#platform/database/database.server.ts';
import { sql } from '#platform/database/sql.server.ts';
import { AdminRefusal } from '../admin-request.server.ts';

export interface PersonRow {
  id: string;
  email: string | null;
  name: string;
  plan: Plan;
  credits: number;
  language: string | null;
  created_at: Date;
  banned_at: Date | null;
  deleted_at: Date | null;
  erased_at: Date | null;
  erase_from: Date | null;
}

interface SessionRow {
  id: string;
  user_agent: string;
  created_at: Date;
  last_seen_at: Date;
}

export interface PaymentRow {
  id: string;
  external_id: string;
  amount_cents: number;
  currency: string;
  refunded_cents: number;
  disputed: boolean;
  paid_at: Date;
  refund: string | null;
}

interface RunRow {
  id: string;
  feature: string;
  state: string;
  credits_charged: number;
  error_code: string | null;
  created_at: Date;
}

export const personNotFound = () => new AdminRefusal('No account has this ID.', 404);

export async function findPerson(id: string): Promise<PersonRow> {
  const row = isUuid(id)
    ? await database().row<PersonRow>(sql`
        select id, email, name, plan, credits, language, created_at, banned_at, deleted_at, erased_at, erase_from
          from users where id = ${id}::uuid`)
    : null;
  if (!row) throw personNotFound();
  return row;
}

/** Finds a user by the complete email address or id, and returns the id or null. */
export async function findPersonId(text: string): Promise<string | null> {
  const condition = isUuid(text) ? sql`id = ${text}::uuid` : sql`email = ${text.toLowerCase()}`;
  const row = await database().row<{ id: string }>(sql`select id from users where ${condition}`);
  return row?.id ?? null;
}

const MAX_ROWS = 20;

export async function readPerson(id: string) {
  const person = await findPerson(id);
  const db = database();
  // The runs query takes the latest of each tool, because there is an index in that order.
  const [{ timeline, subscriptions, cut }, sessions, payments, runs] = await Promise.all([
    history(person.id),
    db.rows<SessionRow>(sql`
      select id, user_agent, created_at, last_seen_at from sessions
       where user_id = ${person.id} and expires_at > app_now() order by last_seen_at desc, id limit ${MAX_ROWS}::int`),
    db.rows<PaymentRow>(sql`
      select p.id, p.external_id, p.amount_cents, p.currency, p.refunded_cents, p.disputed, p.paid_at,
             (select r.state from refunds r where r.payment_id = p.id order by r.created_at desc limit 1) as refund
        from payments p where p.user_id = ${person.id} order by p.paid_at desc, p.id limit ${MAX_ROWS}::int`),
    db.rows<RunRow>(sql`
      select run.* from unnest(${[...features]}::text[]) tool cross join lateral (
        select id, feature, state, credits_charged, error_code, created_at from generations
         where user_id = ${person.id} and feature = tool order by created_at desc, id limit ${MAX_ROWS}::int) run
       order by created_at desc, id limit ${MAX_ROWS}::int`),
  ]);
  return { person, subscriptions, sessions, payments, runs, timeline: timeline.toReversed(), cut };
}

export type PersonData = Awaited<ReturnType<typeof readPerson>>;
