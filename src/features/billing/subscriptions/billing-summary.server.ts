import { moneyBackDays, planDurations } from '#features/credits/contract.ts';
import { database } from '#platform/database/database.server.ts';
import { pageOf } from '#platform/database/page.server.ts';
import type { ActorInput, UserActor } from '#platform/http/actor.server.ts';
import { signInRequired } from '#platform/http/problem.server.ts';
import type { BillingView, InvoicePage, SubscriptionState, SubscriptionView } from '../contract.ts';
import { onSale } from '../provider/configured-provider.server.ts';
import { renewalCents } from './access-rules.server.ts';
import {
  type BillingSummary,
  billingState,
  invoiceRows,
  type StateRow,
} from './subscription-store.server.ts';

const INVOICES = 24;

const iso = (date: Date | string | null) => (date === null ? null : new Date(date).toISOString());

const endedStates: readonly SubscriptionState[] = ['expired', 'refunded', 'disputed'];

/** Statuses in which the provider keeps charging, whatever happened to earlier payments. */
const chargingStatuses = ['active', 'trialing', 'past_due', 'unpaid'];

/** A disputed plan ended at the time of its newest known state. */
function endOf(row: StateRow): Date | null {
  if (row.state === 'refunded') return row.refunded_at ?? row.canceled_at ?? row.version_at;
  if (row.state === 'disputed') return row.version_at;
  return row.access_until ?? row.canceled_at ?? row.version_at;
}

function moneyBackDeadline(row: StateRow, firstDaysUntil: Date | null): Date | null {
  if (!row.in_force || !row.paid_cents || row.refund_requested || row.refund_pending) return null;
  const first = row.earlier_refund_requested ? null : firstDaysUntil;
  return first && row.duplicate_refund_until && row.duplicate_refund_until > first
    ? row.duplicate_refund_until
    : (first ?? row.duplicate_refund_until);
}

function subscriptionView(row: StateRow, moneyBackUntil: Date | null): SubscriptionView {
  const { plan, state } = row;
  const priceCents = renewalCents(plan, row.renewal_cents);
  const isRenewing = state === 'active' || state === 'trialing';
  const isDue = state === 'active' && row.paid_over;
  const hasEnd = isDue || state === 'cancelled' || state === 'past_due';
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
    renewsAt: isRenewing ? iso(row.paid_end ?? row.period_end) : null,
    renewalDue: isDue,
    endsAt: hasEnd ? iso(row.access_until) : null,
    canCancel: isRenewing || state === 'past_due' || chargingStatuses.includes(row.status),
    canResume:
      !row.refund_pending &&
      ((state === 'cancelled' && row.status === 'scheduled_cancel') || state === 'paused'),
    resumeCents: state === 'paused' && row.period_over ? priceCents : null,
    changes:
      state === 'active' && !isDue && !row.refund_pending
        ? longer.filter((duration) => forSale.includes(duration))
        : [],
    moneyBackUntil: iso(moneyBackDeadline(row, moneyBackUntil)),
    moneyBackCents: row.refundable_cents,
    refundPending: row.refund_pending,
    endedAt: endedStates.includes(state) ? iso(endOf(row)) : null,
  };
}

const grantView = ({ grant_plan, grant_ends_at }: BillingSummary): BillingView['grant'] =>
  grant_plan && { plan: grant_plan, endsAt: iso(grant_ends_at) };

const pendingView = ({
  pending_id: id,
  pending_plan: plan,
  pending_since,
}: BillingSummary): BillingView['pendingCheckout'] =>
  id && plan && pending_since ? { id, plan, createdAt: new Date(pending_since).toISOString() } : null;

export async function billingView({ actor }: { actor: Pick<UserActor, 'userId'> }): Promise<BillingView> {
  const { person, states } = await billingState(database(), actor.userId, moneyBackDays);
  if (!person) throw signInRequired();
  const moneyBackUntil = person.money_back_until === null ? null : new Date(person.money_back_until);
  return {
    plan: person.plan,
    subscriptions: states.map((row) => subscriptionView(row, moneyBackUntil)),
    grant: grantView(person),
    pendingCheckout: pendingView(person),
    portal: person.portal,
    firstDaysOver: person.first_days_over,
    packs: person.packs.map((pack) => ({ ...pack, paidAt: new Date(pack.paidAt).toISOString() })),
  };
}

export async function listInvoices({
  actor,
  input,
}: ActorInput<{ before: string | null }>): Promise<InvoicePage> {
  const query = { userId: actor.userId, before: input.before, limit: INVOICES + 1 };
  const rows = await invoiceRows(database(), query);
  const { rows: invoices, next } = pageOf(rows, INVOICES, ({ id }) => id);
  return { invoices, next };
}
