import { createHash } from 'node:crypto';
import { validate as isUuid, v7 as uuid } from 'uuid';
import { type Database, database, transaction } from '../../../../platform/database/database.server.ts';
import { grantCredits, grantPlan, revokePlans } from '../../../credits/service.server.ts';
import { endNow, type RefundOutcome, refundPayment } from '../../changes/refunds/service.server.ts';
import { ProviderError } from '../../provider/contract.ts';
import { provider } from '../../provider/service.server.ts';
import { pullSubscription } from '../../reconcile/service.server.ts';
import { OperatorError, personOf } from '../service.server.ts';
import { hasGrant, isAhead, lockPerson, noteAction, paymentBy } from './store.server.ts';

/** Who acts, and why; both are kept. */
export interface Act {
  operator: string;
  reason: string;
}

/** More by one command is a slip of the hand. */
const MOST_CREDITS = 100_000;

/** @throws OperatorError where no payment provider is set. */
export function needProvider<T>(port: T | null): T {
  if (port) return port;
  throw new OperatorError(
    'No payment provider is within reach: set CREEM_API_KEY, or run the site in its sandbox.',
  );
}

function because({ reason }: Act): string {
  const words = reason.trim();
  if (words === '') throw new OperatorError('Give a reason: --reason "..."');
  if (words.length > 300) throw new OperatorError('The reason may have 300 characters.');
  return words;
}

/** Does `work` for a person who is held meanwhile. @throws OperatorError. */
async function forPerson<T>(
  target: string,
  work: (tx: Database, userId: string) => Promise<T>,
): Promise<{ userId: string; result: T }> {
  const { id: userId } = await personOf(target);
  const result = await transaction(async (tx) => {
    if (!(await lockPerson(tx, userId))) throw new OperatorError('This person was erased.');
    return work(tx, userId);
  });
  return { userId, result };
}

/**
 * Gives credits, once for a person, an amount and a reason.
 * @returns whether they were given now; false: these had been before. @throws OperatorError.
 */
export async function giveCredits(
  { target, credits }: { target: string; credits: number },
  act: Act,
): Promise<{ userId: string; given: boolean }> {
  const reason = because(act);
  if (!Number.isInteger(credits) || credits < 1 || credits > MOST_CREDITS)
    throw new OperatorError(`Credits are a whole number from 1 to ${MOST_CREDITS}.`);
  const { userId, result } = await forPerson(target, async (tx, userId) => {
    const words = createHash('sha256').update(reason).digest('hex').slice(0, 16);
    const given = await grantCredits(tx, { userId, credits, id: `${userId}:${credits}:${words}`, reason });
    if (given) await noteAction(tx, { ...act, reason, action: 'grant', userId, details: { credits } });
    return given;
  });
  return { userId, given: result };
}

/**
 * Gives Pro or Business until a date, null: without end. The same again changes nothing.
 * @returns whether it was given now. @throws OperatorError.
 */
export async function givePlan(
  { target, plan, endsAt }: { target: string; plan: 'pro' | 'business'; endsAt: Date | null },
  act: Act,
): Promise<{ userId: string; given: boolean }> {
  const reason = because(act);
  const { userId, result } = await forPerson(target, async (tx, userId) => {
    if (endsAt && !(await isAhead(tx, endsAt))) throw new OperatorError('That date is over.');
    if (await hasGrant(tx, { userId, plan, endsAt, reason })) return false;
    await grantPlan(tx, { id: uuid(), userId, plan, endsAt, reason });
    const details = { plan, endsAt: endsAt?.toISOString() ?? null };
    await noteAction(tx, { ...act, reason, action: 'plan', userId, details });
    return true;
  });
  return { userId, given: result };
}

/** Ends what was given by hand; what a person pays for stays. @returns the number of grants that ended. @throws OperatorError. */
export async function takePlan(
  { target }: { target: string },
  act: Act,
): Promise<{ userId: string; ended: number }> {
  const reason = because(act);
  const { userId, result } = await forPerson(target, async (tx, userId) => {
    const ended = await revokePlans(tx, { userId, id: `revoked: ${reason}` });
    if (ended > 0) await noteAction(tx, { ...act, reason, action: 'revoke', userId, details: { ended } });
    return ended;
  });
  return { userId, ended: result };
}

/**
 * Gives a whole payment back through the provider, once; where it is the newest of its subscription, the plan ends at
 * once. @param payment our id or the provider's. @throws OperatorError.
 */
export async function refund(
  { payment }: { payment: string },
  act: Act,
): Promise<{ outcome: RefundOutcome; ended: boolean }> {
  const reason = because(act);
  needProvider(provider());
  const found = await paymentBy(database(), isUuid(payment) ? { id: payment } : { externalId: payment });
  if (!found) throw new OperatorError(`There is no payment ${payment}.`);
  await pullSubscription(found.subscription, 'reconcile').catch((error: unknown) => {
    if (error instanceof ProviderError) throw new OperatorError('The payment provider cannot be read.');
    throw error;
  });
  const outcome = await refundPayment({ paymentId: found.id, by: 'operator', reason });
  if (outcome === 'none') return { outcome, ended: false };
  const details = { payment: found.id, outcome };
  await noteAction(database(), { ...act, reason, action: 'refund', userId: found.user_id, details });
  const ended = found.newest && (outcome === 'succeeded' || outcome === 'pending');
  if (ended) await endNow(found.subscription);
  return { outcome, ended };
}
