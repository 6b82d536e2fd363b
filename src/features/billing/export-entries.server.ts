import { z } from 'zod';
import type { ExportEntries } from '#platform/data-export.server.ts';
import { database } from '#platform/database/database.server.ts';
import { everyRow } from '#platform/database/page.server.ts';
import { type Statement, sql } from '#platform/database/sql.server.ts';
import type { UserActor } from '#platform/http/actor.server.ts';
import { describeRefund, type RefundCause } from './purchases/refund-reason.server.ts';

const EVENTS = 50;
const time = z.iso.datetime();
const plan = z.enum(['monthly', 'quarterly', 'yearly']);
const credits = z.int();
const cents = z.int().describe('Hundredths of the currency');

/** More rows of each kind than a user can have; events are read page by page. */
const MAX_ROWS = 2_000;

interface EventRow {
  id: number;
  event_id: string;
  type: string;
  occurred_at: Date;
  outcome: string;
  payload: unknown;
}

interface RefundRow {
  cause: RefundCause | null;
  reason: string;
}

async function readRefunds(userId: string): Promise<object[]> {
  const rows = await database().rows<RefundRow>(sql`
    select r.id, r.payment_id, r.amount_cents, r.state, r.asked_by, r.cause, r.reason, r.created_at, r.settled_at
      from refunds r join payments p on p.id = r.payment_id
     where p.user_id = ${userId} order by r.created_at, r.id limit ${MAX_ROWS}`);
  return rows.map((row) => ({ ...row, reason: describeRefund(row) }));
}

async function read({ userId }: UserActor) {
  const rows = (statement: Statement) => database().rows<object>(statement);
  return {
    subscriptions: await rows(sql`
      select id, provider, external_id as provider_id, customer_id, plan, status, period_start, period_end, canceled_at,
             access_until, created_at
        from subscriptions where user_id = ${userId} order by created_at, id limit ${MAX_ROWS}`),
    payments: await rows(sql`
      select id, subscription_id, provider, external_id as provider_id, plan, credits, amount_cents, refunded_cents, currency,
             disputed, period_start, period_end, paid_at
        from payments where user_id = ${userId} order by paid_at, id limit ${MAX_ROWS}`),
    refunds: await readRefunds(userId),
    checkouts: await rows(sql`
      select id, plan, credits, provider, external_id as provider_id, state, created_at, closed_at
        from checkouts where user_id = ${userId} order by created_at, id limit ${MAX_ROWS}`),
    planChanges: await rows(sql`
      select from_plan as "from", to_plan as "to", cause, created_at
        from plan_changes where user_id = ${userId} order by id limit ${MAX_ROWS}`),
    // Which operator acted is not the user's data.
    operatorActions: await rows(sql`
      select action, reason, created_at from operator_actions where user_id = ${userId} order by id limit ${MAX_ROWS}`),
    mails: await rows(sql`
      select kind, facts, created_at, sent_at
        from billing_mails where user_id = ${userId} order by created_at, key limit ${MAX_ROWS}`),
    events: everyRow<EventRow>(EVENTS, (last, size) =>
      database().rows(sql`
        select id, event_id, type, occurred_at, outcome, payload from billing_events
         where user_id = ${userId} and id > ${last?.id ?? 0} order by id limit ${size}`),
    ),
  };
}

export const billingExportEntries = {
  json: {
    billing: {
      schema: z.object({
        subscriptions: z.array(
          z.object({
            id: z.uuid(),
            provider: z.string(),
            providerId: z.string(),
            customerId: z.string().describe('You, at the payment provider'),
            plan,
            status: z.string().describe('The word of the payment provider'),
            periodStart: time.nullable(),
            periodEnd: time.nullable(),
            canceledAt: time.nullable(),
            accessUntil: time.nullable().describe('Until when Pro is open by it'),
            createdAt: time,
          }),
        ),
        payments: z.array(
          z.object({
            id: z.uuid(),
            subscriptionId: z.uuid().nullable(),
            provider: z.string(),
            providerId: z.string(),
            plan: plan.nullable(),
            credits: credits.nullable().describe('Of a pack, which has no plan and no period'),
            amountCents: cents,
            refundedCents: cents,
            currency: z.string(),
            disputed: z.boolean(),
            periodStart: time.nullable(),
            periodEnd: time.nullable(),
            paidAt: time,
          }),
        ),
        refunds: z.array(
          z.object({
            id: z.uuid(),
            paymentId: z.uuid(),
            amountCents: cents,
            state: z.string(),
            askedBy: z.enum(['person', 'operator', 'provider']),
            reason: z.string(),
            createdAt: time,
            settledAt: time.nullable(),
          }),
        ),
        checkouts: z.array(
          z.object({
            id: z.uuid(),
            plan: plan.nullable(),
            credits: credits.nullable(),
            provider: z.string(),
            providerId: z.string().nullable(),
            state: z.string(),
            createdAt: time,
            closedAt: time.nullable(),
          }),
        ),
        planChanges: z.array(
          z.object({ from: z.string(), to: z.string(), cause: z.string(), createdAt: time }),
        ),
        operatorActions: z
          .array(z.object({ action: z.string(), reason: z.string(), createdAt: time }))
          .describe('What we did about your plan or credits by hand'),
        mails: z.array(
          z.object({ kind: z.string(), facts: z.unknown(), createdAt: time, sentAt: time.nullable() }),
        ),
        events: z
          .array(
            z.object({
              eventId: z.string(),
              type: z.string(),
              occurredAt: time,
              outcome: z.string(),
              payload: z.unknown().describe('As it came; null for one that came twice'),
            }),
          )
          .describe('What the payment provider told us about you'),
      }),
      read,
    },
  },
} satisfies ExportEntries;
