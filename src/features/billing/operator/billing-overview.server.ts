import { validate as isUuid } from 'uuid';
import type { Plan } from '#features/credits/contract.ts';
import { describeReason, type StoredReason } from '#features/credits/service.server.ts';
import { database } from '#platform/database/database.server.ts';
import { type Statement, sql } from '#platform/database/sql.server.ts';
import { maxMailAttempts } from '#platform/mail/mail-queue.server.ts';
import { graceHours, type SubscriptionState } from '../contract.ts';

/** An error whose message is one line for the operator. */
export class OperatorError extends Error {}

const MAX_LINES = 200;

interface UserRow {
  id: string;
  email: string | null;
  name: string;
  plan: Plan;
  credits: number;
  subscription_status: string;
  created_at: Date;
  deleted_at: Date | null;
  erased_at: Date | null;
}

export async function requireAccount(target: string): Promise<UserRow> {
  const condition = isUuid(target) ? sql`u.id = ${target}` : sql`u.email = ${target.trim().toLowerCase()}`;
  const person = await database().row<UserRow>(sql`
    select u.id, u.email, u.name, e.plan, u.credits, u.subscription_status, u.created_at, u.deleted_at, u.erased_at
      from users u join entitlements e on e.user_id = u.id where ${condition}`);
  if (!person) throw new OperatorError(`No account has the ID or email address ${target}.`);
  return person;
}

const MAX_LISTED = 20;

interface OverviewRow {
  at: Date;
  user_id: string | null;
  text: string;
  total: number;
}

const nonChargingStatuses = sql`('canceled', 'scheduled_cancel', 'expired', 'paused')`;

const lists: { title: string; rows: Statement }[] = [
  // Includes renewals that the provider never reported; sorted by the end of access.
  {
    title: 'Unpaid renewals',
    rows: sql`
    select coalesce(s.access_until, s.created_at) as at, s.user_id, concat_ws(' ', s.external_id, s.plan, s.status) as text,
           count(*) over ()::int as total
      from subscription_states t join subscriptions s on s.id = t.subscription_id
     where t.state = 'past_due'
        or (t.state = 'active' and exists (select 1 from payments p where p.id = t.payment_id and p.period_end <= app_now()))
     order by s.access_until, s.id limit ${MAX_LISTED}`,
  },
  {
    title: 'Disputes',
    rows: sql`
    select paid_at as at, user_id,
           concat_ws(' ', external_id, plan, credits || ' credits', to_char(amount_cents / 100.0, 'FM9999990.00'), currency) as text,
           count(*) over ()::int as total
      from payments where disputed order by paid_at desc, id limit ${MAX_LISTED}`,
  },
  // These subscriptions give no access, but the provider would charge for them again.
  {
    title: 'Refunded or disputed, but still renewing',
    rows: sql`
    select coalesce(s.period_end, s.created_at) as at, s.user_id, concat_ws(' ', s.external_id, s.plan, t.state, '(' || s.status || ')') as text,
           count(*) over ()::int as total
      from subscription_states t join subscriptions s on s.id = t.subscription_id
     where t.state in ('refunded', 'disputed') and s.status not in ${nonChargingStatuses}
     order by s.period_end, s.id limit ${MAX_LISTED}`,
  },
  {
    title: 'Duplicate subscriptions, and payments from deleted accounts',
    rows: sql`
    select n.*, count(*) over ()::int as total from (
      select max(s.created_at) as at, s.user_id,
             concat_ws(' ', 'duplicate subscriptions:', string_agg(s.external_id || ' ' || s.plan, ', ' order by s.created_at)) as text
        from subscription_states t join subscriptions s on s.id = t.subscription_id
       where t.state in ('active', 'trialing', 'past_due') group by s.user_id having count(*) > 1
      union all
      select p.paid_at, p.user_id, concat_ws(' ', 'payment from a deleted account:', p.external_id)
        from payments p join users u on u.id = p.user_id
       where p.paid_at > u.deleted_at and p.refunded_cents < p.amount_cents and not p.disputed) n
     order by at desc limit ${MAX_LISTED}`,
  },
  // Refunds of more than was left of the payment, or reversed after they were made.
  {
    title: 'Refund mismatches (90 days)',
    rows: sql`
    select coalesce(r.told_at, r.created_at) as at, p.user_id,
           concat_ws(' ', r.external_id, 'of', p.external_id, to_char(r.amount_cents / 100.0, 'FM9999990.00'), p.currency,
             case when r.reversed then 'reversed after it was made'
                  else to_char(r.excess_cents / 100.0, 'FM9999990.00') || ' more than was left of the payment' end) as text,
           count(*) over ()::int as total
      from refunds r join payments p on p.id = r.payment_id
     where (r.reversed or r.excess_cents > 0) and coalesce(r.told_at, r.created_at) > app_now() - interval '90 days'
     order by at desc, r.id limit ${MAX_LISTED}`,
  },
  // The money was returned, but some of the credits were already used.
  {
    title: 'Packs refunded or disputed after their credits were used (90 days)',
    rows: sql`
    select coalesce((select max(t.created_at) from credit_ledger t where t.grant_id = g.grant_id), p.paid_at) as at, p.user_id,
           concat_ws(' ', p.external_id, p.credits, 'credits,', to_char(p.refunded_cents / 100.0, 'FM9999990.00'), p.currency,
             case when p.disputed then 'disputed' else 'refunded' end, 'removed', g.taken, 'of', p.credits_due) as text,
           count(*) over ()::int as total
      from payments p join purchased_credits g on g.external_id = concat(p.provider, ':', p.order_id)
     where g.taken < p.credits_due and p.paid_at > app_now() - interval '90 days'
     order by at desc, p.id limit ${MAX_LISTED}`,
  },
  // Changes that webhooks missed, and cached plans that differ from the facts (fixed within a minute).
  {
    title: 'Fixed by reconciling with the provider (30 days)',
    rows: sql`
    select d.*, count(*) over ()::int as total from (
      select created_at as at, user_id, concat_ws(' ', from_plan, '->', to_plan, cause_id) as text from plan_changes
       where cause = 'reconcile' and created_at > app_now() - interval '30 days'
      union all
      select app_now(), u.id, concat_ws(' ', 'stored', u.plan, 'entitled to', e.plan)
        from users u join entitlements e on e.user_id = u.id where u.plan <> e.plan) d
     order by at desc limit ${MAX_LISTED}`,
  },
  // Events for an unknown person, or for something that the site does not sell.
  {
    title: 'Rejected events (30 days)',
    rows: sql`
    select created_at as at, user_id, concat_ws(' ', event_id, type, '(' || reason || ')') as text,
           count(*) over ()::int as total
      from billing_events
     where outcome = 'ignored' and reason in ('unmatched', 'mode', 'product', 'price', 'currency')
       and created_at > app_now() - interval '30 days'
     order by id desc limit ${MAX_LISTED}`,
  },
  // Waiting events are included after one minute.
  {
    title: 'Events not applied',
    rows: sql`
    select created_at as at, user_id, concat_ws(' ', event_id, type, 'after', attempts,
             case when outcome = 'failed' and next_try_at is null then 'attempts, no longer retried' else 'attempts' end, '(' || nullif(reason, '') || ')') as text,
           count(*) over ()::int as total
      from billing_events
     where outcome = 'failed' or (outcome = 'received' and created_at < app_now() - interval '1 minute')
     order by id desc limit ${MAX_LISTED}`,
  },
  // Refunds that are not settled or failed in the last 30 days, and mails whose retries are used up.
  {
    title: 'Open refunds and undelivered emails',
    rows: sql`
    select w.*, count(*) over ()::int as total from (
      select r.created_at as at, p.user_id, concat_ws(' ', 'refund of', p.external_id, r.state) as text
        from refunds r join payments p on p.id = r.payment_id where r.state in ('asked', 'pending')
          or (r.state = 'failed' and r.asked_by <> 'provider' and p.refunded_cents < p.amount_cents
              and r.settled_at > app_now() - interval '30 days'
              and not exists (select 1 from refunds o where o.payment_id = p.id and o.asked_by <> 'provider'
                                and o.created_at > r.created_at))
      union all
      select created_at, user_id, concat_ws(' ', 'email', key, 'not sent')
        from billing_mails where sent_at is null and attempts >= ${maxMailAttempts}::int and facts <> '{}') w
     order by at desc limit ${MAX_LISTED}`,
  },
];

export async function overview() {
  const db = database();
  const states = await db.rows<{ state: SubscriptionState; count: number }>(sql`
    select state, count(*)::int as count from subscription_states group by state order by count desc, state`);
  const results = [];
  for (const { title, rows } of lists) results.push({ title, rows: await db.rows<OverviewRow>(rows) });
  return { states, lists: results };
}

function subscriptionLines(userId: string): Promise<OverviewRow[]> {
  return database().rows(sql`
    select s.created_at as at, s.user_id,
           s.external_id || ' (' || s.plan || '): ' || concat_ws(', ',
             concat_ws(' ', coalesce(t.state, 'never paid'),
               case when s.status is distinct from t.state then '(' || s.status || ' at the provider)' end),
             'paid until ' || to_char(p.period_end at time zone 'UTC', 'YYYY-MM-DD HH24:MI'),
             'Pro until ' || to_char(s.access_until at time zone 'UTC', 'YYYY-MM-DD HH24:MI')
               || case when s.access_until = p.period_end + ${graceHours}::int * interval '1 hour'
                       then ${` (includes ${graceHours} hours of grace for a late renewal)`}::text else '' end) as text,
           count(*) over ()::int as total
      from subscriptions s left join subscription_states t on t.subscription_id = s.id
      left join payments p on p.id = t.payment_id
     where s.user_id = ${userId} order by s.created_at desc, s.id limit ${MAX_LISTED}`);
}

interface TimelineRow {
  at: Date;
  kind: string;
  text: string;
  /** Reason of a ledger entry; null for other rows. */
  why: StoredReason | null;
}

function readTimeline(userId: string): Promise<TimelineRow[]> {
  const ofUser = sql`user_id = ${userId}`;
  return database().rows(sql`
    select at, kind, text, why from (
      select created_at as at, 1 as rank, 'event' as kind,
             concat_ws(' ', type, event_id, outcome, '(' || nullif(reason, '') || ')') as text, null::jsonb as why
        from billing_events where ${ofUser}
      union all
      select created_at, 0, 'checkout', concat_ws(' ', plan, credits || ' credits', external_id, state), null from checkouts where ${ofUser}
      union all
      select paid_at, 2, 'payment', concat_ws(' ', external_id, plan, credits || ' credits', to_char(amount_cents / 100.0, 'FM9999990.00'), currency,
             'until ' || to_char(period_end at time zone 'UTC', 'YYYY-MM-DD'),
             case when refunded_cents > 0 then 'refunded ' || to_char(refunded_cents / 100.0, 'FM9999990.00') end,
             case when disputed then 'disputed' end), null
        from payments where ${ofUser}
      union all
      select r.created_at, 3, 'refund', concat_ws(' ', p.external_id, to_char(r.amount_cents / 100.0, 'FM9999990.00'), p.currency, r.state,
             'requested by', r.asked_by, coalesce(r.cause, nullif(r.reason, ''))), null
        from refunds r join payments p on p.id = r.payment_id where p.user_id = ${userId}
      union all
      select created_at, 4, 'plan', concat_ws(' ', from_plan, '->', to_plan, 'by', cause, cause_id), null from plan_changes where ${ofUser}
      union all
      select created_at, 3, 'grant', concat_ws(' ', plan, coalesce('until ' || to_char(ends_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI'), 'no end date'), cause), null
        from plan_grants where ${ofUser}
      union all
      select created_at, 4, 'ledger', concat_ws(' ', to_char(delta, 'FMSG999990'), kind, source),
             jsonb_build_object('source', source, 'cause', cause, 'reason', reason)
        from credit_ledger where ${ofUser} and generation_id is null
      union all
      select created_at, 5, 'mail', concat_ws(' ', kind, coalesce('sent ' || to_char(sent_at at time zone 'UTC', 'YYYY-MM-DD HH24:MI'), 'not sent after ' || attempts || ' attempts')), null
        from billing_mails where ${ofUser}
      union all
      select created_at, 6, 'operator', concat_ws(' ', action, 'by', operator, '(' || nullif(reason, '') || ')'), null
        from operator_actions where ${ofUser}) t
     order by at desc, rank desc limit ${MAX_LINES}`);
}

export async function history(target: string) {
  const person = await requireAccount(target);
  const lines = await readTimeline(person.id);
  return {
    person,
    subscriptions: await subscriptionLines(person.id),
    timeline: lines
      .toReversed()
      .map(({ why, text, ...line }) => ({ ...line, text: why ? `${text} ${describeReason(why)}` : text })),
    cut: lines.length === MAX_LINES,
  };
}
