import { moneyBackDays, planDurations } from '#features/credits/contract.ts';
import { database, snapshot } from '#platform/database/database.server.ts';
import { pageOf } from '#platform/database/page.server.ts';
import type { ActorInput, UserActor } from '#platform/http/actor.server.ts';
import { signInRequired } from '#platform/http/problem.server.ts';
import type { BillingView, InvoicePage, SubscriptionState, SubscriptionView } from '../contract.ts';
import { onSale } from '../provider/configured-provider.server.ts';
import { renewalCents } from './access-rules.server.ts';
import {
  type BillingSummary,
  billingSummary,
  invoiceRows,
  type StateRow,
  stateRows,
} from './subscription-store.server.ts';

const INVOICES = 24;

const iso = (date: Date | null) => date?.toISOString() ?? null;

const over: readonly SubscriptionState[] = ['expired', 'refunded', 'disputed'];

/** Statuses in which the provider keeps charging, whatever happened to earlier payments. */
const charging = ['active', 'trialing', 'past_due', 'unpaid'];

/** A disputed plan ended at the time of its newest known state. */
function endOf(row: StateRow): Date | null {
  if (row.state === 'refunded') return row.refunded_at ?? row.canceled_at ?? row.version_at;
  if (row.state === 'disputed') return row.version_at;
  return row.access_until ?? row.canceled_at ?? row.version_at;
}

function moneyBackOf(row: StateRow, firstDaysUntil: Date | null): Date | null {
  if (!row.in_force || !row.paid_cents || row.own_back || row.refund_pending) return null;
  const first = row.had_back ? null : firstDaysUntil;
  return first && row.doubled_until && row.doubled_until > first
    ? row.doubled_until
    : (first ?? row.doubled_until);
}

function viewOf(row: StateRow, moneyBackUntil: Date | null): SubscriptionView {
  const { plan, state } = row;
  const priceCents = renewalCents(plan, row.renewal_cents);
  const renews = state === 'active' || state === 'trialing';
  const due = state === 'active' && row.paid_over;
  const ends = due || state === 'cancelled' || state === 'past_due';
  const longer = planDurations.slice(planDurations.indexOf(plan) + 1);
  const forSale = onSale();
  return {
    id: row.id,
    checkoutId: row.checkout_id,
    plan,
    state,
    priceCents,
    currency: 'USD',
    periodStart: iso(row.paid_start),
    periodEnd: iso(row.paid_end),
    renewsAt: renews ? iso(row.paid_end ?? row.period_end) : null,
    renewalDue: due,
    endsAt: ends ? iso(row.access_until) : null,
    canCancel: renews || state === 'past_due' || charging.includes(row.status),
    canResume:
      !row.refund_pending &&
      ((state === 'cancelled' && row.status === 'scheduled_cancel') || state === 'paused'),
    resumeCents: state === 'paused' && row.period_over ? priceCents : null,
    changes:
      state === 'active' && !due && !row.refund_pending
        ? longer.filter((duration) => forSale.includes(duration))
        : [],
    moneyBackUntil: iso(moneyBackOf(row, moneyBackUntil)),
    moneyBackCents: row.back_cents,
    refundPending: row.refund_pending,
    endedAt: over.includes(state) ? iso(endOf(row)) : null,
  };
}

const grantView = ({ grant_plan, grant_ends_at }: BillingSummary): BillingView['grant'] =>
  grant_plan && { plan: grant_plan, endsAt: iso(grant_ends_at) };

const pendingOf = ({
  pending_id: id,
  pending_plan: plan,
  pending_since,
}: BillingSummary): BillingView['pendingCheckout'] =>
  id && plan && pending_since ? { id, plan, createdAt: pending_since.toISOString() } : null;

export async function billingView({ actor }: { actor: Pick<UserActor, 'userId'> }): Promise<BillingView> {
  // One snapshot, so that a plan matches the payment behind it.
  const { person, rows } = await snapshot(async (tx) => ({
    person: await billingSummary(tx, actor.userId, moneyBackDays),
    rows: await stateRows(tx, actor.userId, moneyBackDays),
  }));
  if (!person) throw signInRequired();
  return {
    plan: person.plan,
    subscriptions: rows.map((row) => viewOf(row, person.money_back_until)),
    grant: grantView(person),
    pendingCheckout: pendingOf(person),
    portal: person.portal,
    firstDaysOver: person.first_days_over,
    packs: person.packs.map((pack) => ({ ...pack, paidAt: new Date(pack.paidAt).toISOString() })),
  };
}

export async function invoicesOf({
  actor,
  input,
}: ActorInput<{ before: string | null }>): Promise<InvoicePage> {
  const query = { userId: actor.userId, before: input.before, limit: INVOICES + 1 };
  const rows = await invoiceRows(database(), query);
  const { rows: invoices, next } = pageOf(rows, INVOICES, ({ id }) => id);
  return { invoices, next };
}
