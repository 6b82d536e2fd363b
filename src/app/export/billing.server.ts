import { billingRecords, everyBillingEvent } from '../../features/billing/person/service.server.ts';
import type { UserActor } from '../../platform/http/actor.server.ts';
import type { ExportedBilling } from './billing-schema.server.ts';

const iso = (date: Date) => date.toISOString();
const isoOrNull = (date: Date | null) => date?.toISOString() ?? null;

type Records = Awaited<ReturnType<typeof billingRecords>>;

const subscription = (row: Records['subscriptions'][number]): ExportedBilling['subscriptions'][number] => ({
  id: row.id,
  provider: row.provider,
  providerId: row.external_id,
  customerId: row.customer_id,
  plan: row.plan,
  status: row.status,
  periodStart: isoOrNull(row.period_start),
  periodEnd: isoOrNull(row.period_end),
  canceledAt: isoOrNull(row.canceled_at),
  accessUntil: isoOrNull(row.access_until),
  createdAt: iso(row.created_at),
});

const payment = (row: Records['payments'][number]): ExportedBilling['payments'][number] => ({
  id: row.id,
  subscriptionId: row.subscription_id,
  provider: row.provider,
  providerId: row.external_id,
  plan: row.plan,
  amountCents: row.amount_cents,
  refundedCents: row.refunded_cents,
  currency: row.currency,
  disputed: row.disputed,
  periodStart: iso(row.period_start),
  periodEnd: iso(row.period_end),
  paidAt: iso(row.paid_at),
});

const refund = (row: Records['refunds'][number]): ExportedBilling['refunds'][number] => ({
  id: row.id,
  paymentId: row.payment_id,
  amountCents: row.amount_cents,
  state: row.state,
  askedBy: row.asked_by,
  reason: row.reason,
  createdAt: iso(row.created_at),
  settledAt: isoOrNull(row.settled_at),
});

const checkout = (row: Records['checkouts'][number]): ExportedBilling['checkouts'][number] => ({
  id: row.id,
  plan: row.plan,
  provider: row.provider,
  providerId: row.external_id,
  state: row.state,
  createdAt: iso(row.created_at),
  closedAt: isoOrNull(row.closed_at),
});

function listsOf(records: Records): Omit<ExportedBilling, 'events'> {
  return {
    subscriptions: records.subscriptions.map(subscription),
    payments: records.payments.map(payment),
    refunds: records.refunds.map(refund),
    checkouts: records.checkouts.map(checkout),
    planChanges: records.planChanges.map((row) => ({
      from: row.from_plan,
      to: row.to_plan,
      cause: row.cause,
      createdAt: iso(row.created_at),
    })),
    operatorActions: records.operatorActions.map(({ action, reason, created_at }) => ({
      action,
      reason,
      createdAt: iso(created_at),
    })),
    mails: records.mails.map(({ kind, facts, created_at, sent_at }) => ({
      kind,
      facts,
      createdAt: iso(created_at),
      sentAt: isoOrNull(sent_at),
    })),
  };
}

/** `billing` of export.json, as text: the lists, and the events as they are read. */
export async function* billingJson(actor: UserActor): AsyncGenerator<string> {
  const lists = listsOf(await billingRecords({ actor }));
  yield `${JSON.stringify(lists, null, 2).slice(0, -2)},\n"events": [`;
  let comma = '';
  for await (const row of everyBillingEvent({ actor })) {
    const { event_id: eventId, type, occurred_at, outcome, payload } = row;
    const event: ExportedBilling['events'][number] = {
      eventId,
      type,
      occurredAt: iso(occurred_at),
      outcome,
      payload,
    };
    yield `${comma}\n${JSON.stringify(event)}`;
    comma = ',';
  }
  yield ']}';
}
