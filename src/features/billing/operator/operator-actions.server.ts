import { createHash } from 'node:crypto';
import { validate as isUuid, v7 as uuid } from 'uuid';
import { deductCredits, grantCredits, grantPlan, revokePlans } from '#features/credits/service.server.ts';
import { type Database, database, transaction } from '#platform/database/database.server.ts';
import { sql } from '#platform/database/sql.server.ts';
import { recordAction } from '#platform/operator-actions.server.ts';
import { paymentProvider } from '../provider/configured-provider.server.ts';
import { ProviderError } from '../provider/payment-provider.ts';
import {
  cancelImmediately,
  type RefundOutcome,
  refetchAfterRefund,
  refetchPurchase,
  refundPayment,
} from '../purchases/refunds.server.ts';
import { OperatorError, requireAccount } from './billing-overview.server.ts';

export interface OperatorAction {
  operator: string;
  operatorId?: string;
  reason: string;
  /** Idempotency key of a button press: it acts once, regardless of earlier actions with the same reason. */
  press?: string;
}

/** A larger amount in one command must be a typing error. */
const MAX_CREDITS = 100_000;

export function requireProvider(): void {
  if (!paymentProvider())
    throw new OperatorError(
      'No payment provider is available. Set CREEM_API_KEY, or run the site in its sandbox.',
    );
}

function requireReason({ reason }: OperatorAction): string {
  const text = reason.trim();
  if (text === '') throw new OperatorError('Add a reason: --reason "..."');
  if (text.length > 300) throw new OperatorError('The reason can have up to 300 characters.');
  return text;
}

async function hasGrant(
  tx: Database,
  grant: { userId: string; plan: string; endsAt: Date | null; reason: string },
): Promise<boolean> {
  const row = await tx.row(sql`
    select 1 from plan_grants
     where user_id = ${grant.userId} and plan = ${grant.plan} and ends_at is not distinct from ${grant.endsAt}::timestamptz
       and cause = ${`operator: ${grant.reason}`} and (ends_at is null or ends_at > app_now())`);
  return row !== null;
}

interface FoundPayment {
  id: string;
  user_id: string;
  /** The provider's id; null for a pack, which was bought by `checkout`. */
  subscription: string | null;
  checkout: string | null;
  newest: boolean;
}

function findPayment(id: string): Promise<FoundPayment | null> {
  const condition = isUuid(id) ? sql`p.id = ${id}` : sql`p.external_id = ${id}`;
  return database().row(sql`
    select p.id, p.user_id, s.external_id as subscription, p.checkout_id as checkout,
           coalesce(t.payment_id = p.id, false) as newest
      from payments p left join subscriptions s on s.id = p.subscription_id
      left join subscription_states t on t.subscription_id = s.id where ${condition}`);
}

async function withLockedUser<T>(
  target: string,
  work: (tx: Database, userId: string) => Promise<T>,
): Promise<{ userId: string; result: T }> {
  const { id: userId } = await requireAccount(target);
  const result = await transaction(async (tx) => {
    const account = await tx.row(
      sql`select 1 from users where id = ${userId} and erased_at is null for update`,
    );
    if (!account) throw new OperatorError('This account was erased.');
    return work(tx, userId);
  });
  return { userId, result };
}

function requireAmount(credits: number): void {
  if (!Number.isInteger(credits) || credits < 1 || credits > MAX_CREDITS)
    throw new OperatorError(`Credits must be a whole number from 1 to ${MAX_CREDITS}.`);
}

/** Idempotent for each press, or without one for each person, amount and reason. */
export async function addCredits(
  { target, credits }: { target: string; credits: number },
  action: OperatorAction,
): Promise<{ userId: string; granted: boolean }> {
  const reason = requireReason(action);
  requireAmount(credits);
  const { userId, result } = await withLockedUser(target, async (tx, userId) => {
    const reasonHash = createHash('sha256').update(reason).digest('hex').slice(0, 16);
    const id = action.press ?? `${userId}:${credits}:${reasonHash}`;
    const granted = await grantCredits(tx, { userId, credits, id, reason });
    if (granted) await recordAction(tx, { ...action, reason, action: 'grant', userId, details: { credits } });
    return granted;
  });
  return { userId, granted: result };
}

/** Idempotent for each press. */
export async function removeCredits(
  { target, credits }: { target: string; credits: number },
  action: OperatorAction & { press: string },
): Promise<{ userId: string; removed: boolean }> {
  const reason = requireReason(action);
  requireAmount(credits);
  const { userId, result } = await withLockedUser(target, async (tx, userId) => {
    const removed = await deductCredits(tx, { userId, credits, id: action.press, reason });
    if (removed) await recordAction(tx, { ...action, reason, action: 'take', userId, details: { credits } });
    return removed;
  });
  return { userId, removed: result };
}

/** Grants a plan; `endsAt` null means without end. Repeating an active grant with its reason changes nothing. */
export async function addPlanGrant(
  { target, plan, endsAt }: { target: string; plan: 'pro' | 'business'; endsAt: Date | null },
  action: OperatorAction,
): Promise<{ userId: string; granted: boolean }> {
  const reason = requireReason(action);
  const { userId, result } = await withLockedUser(target, async (tx, userId) => {
    const isPast = endsAt && (await tx.row(sql`select 1 where ${endsAt}::timestamptz <= app_now()`));
    if (isPast) throw new OperatorError('That date is in the past.');
    if (await hasGrant(tx, { userId, plan, endsAt, reason })) return false;
    await grantPlan(tx, { id: uuid(), userId, plan, endsAt, reason });
    const details = { plan, endsAt: endsAt?.toISOString() ?? null };
    await recordAction(tx, { ...action, reason, action: 'plan', userId, details });
    return true;
  });
  return { userId, granted: result };
}

export async function revokePlan(
  { target }: { target: string },
  action: OperatorAction,
): Promise<{ userId: string; ended: number }> {
  const reason = requireReason(action);
  const { userId, result } = await withLockedUser(target, async (tx, userId) => {
    const ended = await revokePlans(tx, { userId, id: `revoked: ${reason}` });
    if (ended > 0)
      await recordAction(tx, { ...action, reason, action: 'revoke', userId, details: { ended } });
    return ended;
  });
  return { userId, ended: result };
}

/** Refunds once; the plan ends if it was its subscription's newest payment. @param payment our id or the provider's. */
export async function refund(
  { payment }: { payment: string },
  action: OperatorAction,
): Promise<{ userId: string; outcome: RefundOutcome; ended: boolean }> {
  const reason = requireReason(action);
  requireProvider();
  const found = await findPayment(payment);
  if (!found) throw new OperatorError(`No payment has the ID ${payment}.`);
  await refetchPurchase(found).catch((error: unknown) => {
    if (error instanceof ProviderError)
      throw new OperatorError(
        'The payment provider could not be reached. Nothing was refunded; try again later.',
      );
    throw error;
  });
  const { user_id: userId } = found;
  const details = { payment: found.id };
  const outcome = await refundPayment({ paymentId: found.id, requestedBy: 'operator', reason }, (tx) =>
    recordAction(tx, { ...action, reason, action: 'refund', userId, details }),
  );
  if (outcome === 'none') return { userId, outcome, ended: false };
  const isAccepted = outcome === 'succeeded' || outcome === 'pending';
  const ended = found.newest && isAccepted;
  if (found.subscription && ended) await cancelImmediately(found.subscription);
  if (!found.subscription && isAccepted) await refetchAfterRefund(found);
  return { userId, outcome, ended };
}
