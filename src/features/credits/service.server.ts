import { config } from '../../platform/config/config.server.ts';
import { type Database, database } from '../../platform/database/database.server.ts';
import type { Statement } from '../../platform/database/sql.server.ts';
import type { UserActor } from '../../platform/http/actor.server.ts';
import { Problem, signInFirst } from '../../platform/http/problem.server.ts';
import { log } from '../../platform/log/log.server.ts';
import type { GenerationState } from '../generations/contract.ts';
import {
  type CreditsView,
  creditTexts,
  type Feature,
  fairUsePerDay,
  featureTable,
  type PlanCause,
  planLimits,
  welcomeCredits,
} from './contract.ts';
import {
  type AdmissionResult,
  admissionStatement,
  balanceOf,
  type ClosingResult,
  type ClosingRow,
  closingStatement,
  endPlanGrants,
  grantRow,
  type LedgerRow,
  ledgerRows,
  lockedDay,
  nextStart,
  planGrantRow,
  refreshPlans,
  secondsToMidnight,
  spentToday,
  type Verdict,
} from './store.server.ts';

export interface Admission {
  generationId: string;
  state: GenerationState;
  /** False when the key named a run that exists. */
  fresh: boolean;
  /** Balance after the hold. */
  credits: number;
  unlimited: boolean;
}

export interface AdmissionInput {
  generationId: string;
  feature: Feature;
  /** How many units of the feature's price. */
  units: number;
  /** Binds user, route and body; see `generations`. */
  key: string;
  requestHash: Buffer;
  payload: unknown;
  startsChat: boolean | Statement;
  owner: string;
  call: { id: string; model: string } | null;
}

/** Runs of a feature that an unlimited plan has a UTC day; null where they are not counted. */
export const fairUse = (feature: Feature): number | null =>
  feature === 'chat' ? config().FAIR_USE_CHAT : (fairUsePerDay[feature] ?? null);

const perDay: Verdict[] = ['daily_chats', 'daily_fair_use'];

const releasedCeilings = () => ({ perHour: config().RELEASED_PER_HOUR, perDay: config().RELEASED_PER_DAY });

async function tooManyReleased(tx: Database, userId: string): Promise<Problem> {
  const { seconds, time } = await nextStart(tx, userId, releasedCeilings());
  return new Problem('too_many_released', creditTexts.released(time), { retryAfter: seconds });
}

async function refusal(tx: Database, userId: string, verdict: Verdict): Promise<Problem> {
  const retryAfter = perDay.includes(verdict)
    ? await secondsToMidnight(tx)
    : verdict === 'running'
      ? 2
      : undefined;
  switch (verdict) {
    case 'no_user':
      return new Problem('unauthorized', 'Please sign in first.');
    case 'key_reused':
      return new Problem('key_reused', 'This Idempotency-Key was used for another request.');
    case 'plan_required':
      return new Problem('plan_required', creditTexts.planRequired);
    case 'daily_chats':
      return new Problem('daily_chats', creditTexts.dailyChats, { retryAfter });
    case 'daily_fair_use':
      return new Problem('daily_fair_use', creditTexts.fairUse, { retryAfter });
    case 'released':
      return tooManyReleased(tx, userId);
    case 'running':
      return new Problem('too_many_running', creditTexts.running, { retryAfter });
    default:
      return new Problem('credits_exhausted', creditTexts.insufficient);
  }
}

/**
 * The only way to spend: looks the price up, checks in the order of readings.md (plan, conversations of the day,
 * fair use, released starts, credits, runs at once), debits and writes run and hold, all in one statement.
 * @param write puts the admission into a statement that writes the tool's rows too; its columns come back.
 * @throws Problem for each refusal, of which nothing is written.
 */
export async function admit<Written extends object>(
  db: Database,
  actor: { userId: string },
  input: AdmissionInput,
  write: (admission: Statement) => Statement,
): Promise<Admission & { written: Written }> {
  const row = featureTable[input.feature];
  const admission = admissionStatement({
    id: input.generationId,
    userId: actor.userId,
    feature: input.feature,
    price: row.price * input.units,
    units: input.units,
    key: input.key,
    requestHash: input.requestHash,
    input: input.payload,
    free: row.free,
    counted: row.counted,
    startsChat: input.startsChat,
    chatsPerDay: planLimits.free.chatsPerDay ?? 0,
    runningAtOnce: config().RUNNING_AT_ONCE,
    fairUse: fairUse(input.feature),
    released: releasedCeilings(),
    owner: input.owner,
    call: input.call,
  });
  const result = await db.row<AdmissionResult & Written>(write(admission));
  if (!result) throw new Error('The admission answered nothing.');
  if (result.verdict !== 'admitted' && result.verdict !== 'same')
    throw await refusal(db, actor.userId, result.verdict);
  return {
    generationId: result.generation_id,
    state: result.state,
    fresh: result.verdict === 'admitted',
    credits: result.credits,
    unlimited: planLimits[result.plan].unlimited,
    written: result,
  };
}

/**
 * Checks that the actor may start another conversation today, for a chat that is made without a message.
 * @throws Problem daily_chats.
 */
export async function checkChatOfDay(tx: Database, actor: UserActor): Promise<void> {
  const day = await lockedDay(tx, actor.userId);
  if (!day) throw await refusal(tx, actor.userId, 'no_user');
  const limit = planLimits[day.plan].chatsPerDay;
  if (limit !== null && day.chats >= limit) throw await refusal(tx, actor.userId, 'daily_chats');
}

/**
 * Closes a run in one statement: its terminal state, its text, and the settling or the release of its hold.
 * @param write puts the closing into a statement that stores the tool's rows too.
 * @returns null when it was closed before or a later epoch owns it; nothing is written then.
 */
export function close(
  db: Database,
  row: ClosingRow,
  write: (closing: Statement) => Statement,
): Promise<ClosingResult | null> {
  return db.row<ClosingResult>(write(closingStatement(row)));
}

/** Gives the welcome credits; the caller has made sure that this person gets them once. */
export async function grantWelcome(tx: Database, userId: string): Promise<void> {
  await grantRow(tx, {
    userId,
    credits: welcomeCredits,
    source: 'welcome',
    externalId: userId,
    reason: 'Welcome credits',
  });
}

/**
 * Adds credits by the operator's decision, once for an `id`.
 * @returns false when that grant was made before.
 */
export function grantCredits(
  tx: Database,
  grant: { userId: string; credits: number; id: string; reason: string },
): Promise<boolean> {
  return grantRow(tx, {
    userId: grant.userId,
    credits: grant.credits,
    source: 'operator',
    externalId: grant.id,
    reason: grant.reason,
  });
}

/**
 * Writes what a payment or its refund did for a person into the ledger, as an entry that changes no credits; once for
 * an `id` of its source.
 */
export function notePlan(
  tx: Database,
  note: { userId: string; source: 'payment' | 'payment_refund'; id: string; reason: string },
): Promise<boolean> {
  return grantRow(tx, {
    userId: note.userId,
    credits: 0,
    source: note.source,
    externalId: note.id,
    reason: note.reason,
  });
}

/** Gives Pro or Business until a date (null: without end) by the operator's decision; takes it at once. */
export async function grantPlan(
  tx: Database,
  grant: { id: string; userId: string; plan: 'pro' | 'business'; endsAt: Date | null; reason: string },
): Promise<void> {
  await planGrantRow(tx, grant);
  await refreshPlans(tx, grant.userId, 'operator', grant.id);
}

/**
 * Ends what the operator gave, at once; what a person pays for stays.
 * @param revocation `id` names the decision in the history of plans. @returns the number of grants that it ended.
 */
export async function revokePlans(tx: Database, revocation: { userId: string; id: string }): Promise<number> {
  const ended = await endPlanGrants(tx, revocation.userId);
  await refreshPlans(tx, revocation.userId, 'operator', revocation.id);
  return ended;
}

/** Brings the cached plan of one person to what the view says now, and notes the cause. Call it after each fact. */
export function planFollows(
  tx: Database,
  { userId, cause, causeId }: { userId: string; cause: PlanCause; causeId: string },
): Promise<void> {
  return refreshPlans(tx, userId, cause, causeId);
}

const PAGE = 100;

/** The actor's whole ledger as it was written, newest first, read page by page. */
export async function* everyEntry({ actor }: { actor: UserActor }) {
  for (let before: number | null = null; ; ) {
    const rows: LedgerRow[] = await ledgerRows(database(), actor.userId, before, PAGE);
    for (const { created_at, ...row } of rows) yield { ...row, createdAt: created_at.toISOString() };
    before = rows.at(-1)?.id ?? null;
    if (before === null || rows.length < PAGE) return;
  }
}

/** Balance and plan of the actor. @throws Problem unauthorized for an account that is deleted. */
export async function creditsOf({ actor }: { actor: UserActor }): Promise<CreditsView> {
  const row = await balanceOf(database(), actor.userId);
  if (!row) throw signInFirst();
  return { currentCredits: row.credits, plan: row.plan };
}

let capTold = false;
let reading: Promise<unknown> = Promise.resolve();
let next: Promise<number> | undefined;

/** Today's cost, read after it was asked for: those who ask while a read is under way share the one that follows it. */
function spent(): Promise<number> {
  next ??= reading
    .catch(() => undefined)
    .then(() => {
      next = undefined;
      const mine = spentToday(database());
      reading = mine;
      return mine;
    });
  return next;
}

/**
 * Refuses a call once today's cost has reached SPEND_CAP_DAY. Calls on their way count with what they cost at least, so
 * that the day ends above the cap by one call of each run at most.
 * @throws Problem spend_cap.
 */
export async function checkSpendCap(): Promise<void> {
  const cap = config().SPEND_CAP_DAY;
  if (!cap) return;
  const micros = await spent();
  const reached = micros >= cap * 1e6;
  if (reached && !capTold) {
    log.error({ spentUsd: micros / 1e6, capUsd: cap }, 'SPEND_CAP_DAY is reached; new work waits');
  }
  capTold = reached;
  if (!reached) return;
  throw new Problem('spend_cap', creditTexts.spendCap, { retryAfter: await secondsToMidnight(database()) });
}
