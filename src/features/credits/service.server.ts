import type { GenerationState } from '#features/generations/contract.ts';
import { m } from '#messages';
import { config } from '#platform/config/config.server.ts';
import { type Database, database } from '#platform/database/database.server.ts';
import type { Statement } from '#platform/database/sql.server.ts';
import type { UserActor } from '#platform/http/actor.server.ts';
import { Problem, signInRequired } from '#platform/http/problem.server.ts';
import { log } from '#platform/log.server.ts';
import { tracedQuery } from '#platform/tracing/tracing.server.ts';
import { type ChatModel, chatModelOf, chatModels } from '#shared/chat-models.ts';
import { settingOr } from '#shared/settings.ts';
import {
  type CreditsView,
  creditTexts,
  type Feature,
  featureTable,
  messagePrice,
  type PlanCause,
  planLimits,
  welcomeCredits,
} from './contract.ts';
import type { PlanEntryCause, PurchaseEntryCause } from './ledger/entry-reason.server.ts';
import {
  type AdmissionInput,
  type AdmissionOutcome,
  type AdmissionResult,
  admissionStatement,
  type ClosingResult,
  type ClosingRow,
  closingStatement,
  endPlanGrants,
  findBalance,
  insertDeduction,
  insertGrant,
  insertPlanGrant,
  lockDailyChats,
  nextAllowedStart,
  refreshPlans,
  secondsToMidnight,
  spentToday,
} from './store.server.ts';

export {
  describeReason,
  type PlanEntryCause,
  type PurchaseEntryCause,
  type StoredReason,
} from './ledger/entry-reason.server.ts';
export { findEndedWork, ledger, usage } from './ledger/ledger.server.ts';
export { takeBackUnused } from './purchased-credits.server.ts';
export { type ByKey, spentToday } from './store.server.ts';

export interface Admission {
  generationId: string;
  state: GenerationState;
  fresh: boolean;
  credits: number;
  unlimited: boolean;
}

export const webPriceSetting = 'web.price';
export const shippedWebPrice = 1;

/** Credits that a web search adds to a chat message on the free plan, if it finds sources. */
export const webSearchPrice = (): number => settingOr(webPriceSetting, shippedWebPrice);

export const fairUse = (feature: Feature): number | null =>
  feature === 'chat' || feature === 'completion'
    ? config().FAIR_USE_CHAT
    : (featureTable[feature].fairUse ?? null);

const releasedCeilings = () => ({ perHour: config().RELEASED_PER_HOUR, perDay: config().RELEASED_PER_DAY });

async function problemOf(
  tx: Database,
  userId: string,
  verdict: AdmissionOutcome,
  model: ChatModel | null = null,
): Promise<Problem> {
  switch (verdict) {
    case 'no_user':
    case 'no_key':
      return signInRequired();
    case 'key_reused':
      return new Problem('key_reused', m.run_key_reused());
    case 'key_ceiling':
      return new Problem('key_ceiling', creditTexts.keyCeiling());
    case 'plan_required':
      return new Problem(
        'plan_required',
        model?.pro ? m.credits_model_plan({ model: model.name }) : creditTexts.planRequired(),
      );
    case 'daily_chats':
      return new Problem('daily_chats', creditTexts.dailyChats(), {
        retryAfter: await secondsToMidnight(tx),
      });
    case 'daily_fair_use':
      return new Problem('daily_fair_use', creditTexts.fairUse(), {
        retryAfter: await secondsToMidnight(tx),
      });
    case 'released': {
      const { seconds, time } = await nextAllowedStart(tx, userId, releasedCeilings());
      return new Problem('too_many_released', creditTexts.released(time), { retryAfter: seconds });
    }
    case 'running':
      return new Problem('too_many_running', creditTexts.running(config().RUNNING_AT_ONCE), {
        retryAfter: 2,
      });
    default:
      return new Problem('credits_exhausted', creditTexts.insufficient());
  }
}

/**
 * The only way to spend credits: checks in the order of readings.md, debits, and writes run and hold, all in one
 * statement; a refusal writes nothing. @param write wraps the admission in a statement that also writes the tool's
 * rows, and whose columns are returned. @throws Problem for a refusal.
 */
export async function admit<Written extends object>(
  db: Database,
  actor: { userId: string },
  input: AdmissionInput,
  write: (admission: Statement) => Statement,
): Promise<Admission & { written: Written }> {
  const row = featureTable[input.feature];
  const { model, extraCredits, ...admissionInput } = input;
  const admission = admissionStatement({
    ...admissionInput,
    userId: actor.userId,
    price: (model ? messagePrice(model) : row.price) * input.units + extraCredits,
    free: row.free && !model?.pro,
    counted: row.counted,
    chatsPerDay: planLimits.free.chatsPerDay ?? 0,
    runningAtOnce: config().RUNNING_AT_ONCE,
    fairUse: fairUse(input.feature),
    released: releasedCeilings(),
  });
  const result = await tracedQuery('admit_generation', () =>
    db.row<AdmissionResult & Written>(write(admission)),
  );
  if (!result) throw new Error('The admission answered nothing.');
  if (result.verdict !== 'admitted' && result.verdict !== 'same')
    throw await problemOf(db, actor.userId, result.verdict, model);
  return {
    generationId: result.generation_id,
    state: result.state,
    fresh: result.verdict === 'admitted',
    credits: result.credits,
    unlimited: planLimits[result.plan].unlimited,
    written: result,
  };
}

export async function checkDailyChats(tx: Database, actor: UserActor): Promise<void> {
  const day = await lockDailyChats(tx, actor.userId);
  if (!day) throw await problemOf(tx, actor.userId, 'no_user');
  const limit = planLimits[day.plan].chatsPerDay;
  if (limit !== null && day.chats >= limit) throw await problemOf(tx, actor.userId, 'daily_chats');
}

/**
 * Stores final state, text, and settle or release in one statement. @param write wraps the closing in a statement that
 * also stores the tool's rows, and whose columns are returned. @param takeOver yields the epoch to close, or null, in
 * the same statement. @returns null, and writes nothing, if the run was closed before or a later epoch owns it.
 */
export function close(
  db: Database,
  row: ClosingRow,
  write: (closing: Statement) => Statement,
  takeOver?: Statement,
): Promise<ClosingResult | null> {
  const statement = write(closingStatement(row, takeOver));
  return tracedQuery('close_generation', () => db.row<ClosingResult>(statement));
}

/** The caller ensures that each person gets this once. */
export async function grantWelcome(tx: Database, userId: string): Promise<void> {
  await insertGrant(tx, { userId, credits: welcomeCredits(), source: 'welcome', externalId: userId });
}

export function grantCredits(
  tx: Database,
  { id, ...grant }: { userId: string; credits: number; id: string; reason: string },
): Promise<boolean> {
  return insertGrant(tx, { ...grant, source: 'operator', externalId: id });
}

/** Grants credits that were paid for, once per `id`. */
export function grantPurchased(
  tx: Database,
  { id, ...purchase }: { userId: string; credits: number; id: string; cause: PurchaseEntryCause },
): Promise<boolean> {
  return insertGrant(tx, { ...purchase, source: 'purchase', externalId: id });
}

/** Call it with the user's row locked. @returns false if the balance is too low, or `id` was used before. */
export function deductCredits(
  tx: Database,
  { id, ...deduction }: { userId: string; credits: number; id: string; reason: string },
): Promise<boolean> {
  return insertDeduction(tx, { ...deduction, externalId: id });
}

/** Writes an entry that changes no credits, once per `source` and `id`. */
export function recordPlanEntry(
  tx: Database,
  {
    id,
    ...entry
  }: { userId: string; source: 'payment' | 'payment_refund'; id: string; cause: PlanEntryCause },
): Promise<boolean> {
  return insertGrant(tx, { ...entry, credits: 0, externalId: id });
}

export async function grantPlan(
  tx: Database,
  grant: { id: string; userId: string; plan: 'pro' | 'business'; endsAt: Date | null; reason: string },
): Promise<void> {
  await insertPlanGrant(tx, grant);
  await refreshPlans(tx, grant.userId, 'operator', grant.id);
}

/** Does not end a plan that is paid for. @param revocation `id` names the decision in the history of plans. */
export async function revokePlans(tx: Database, revocation: { userId: string; id: string }): Promise<number> {
  const ended = await endPlanGrants(tx, revocation.userId);
  await refreshPlans(tx, revocation.userId, 'operator', revocation.id);
  return ended;
}

export function syncPlan(
  tx: Database,
  { userId, cause, causeId }: { userId: string; cause: PlanCause; causeId: string },
): Promise<void> {
  return refreshPlans(tx, userId, cause, causeId);
}

export async function readCredits({ actor }: { actor: UserActor }): Promise<CreditsView> {
  const row = await findBalance(database(), actor.userId);
  if (!row) throw signInRequired();
  return { currentCredits: row.credits, plan: row.plan };
}

/** @param id null: the operator's first model. @returns null if the operator lists none. @throws Problem model_gone */
export function offeredModel(id: string | null): ChatModel | null {
  const model = id === null ? (chatModels()[0] ?? null) : chatModelOf(id);
  if (model === undefined) throw new Problem('model_gone', m.credits_model_gone());
  return model;
}

/** @param shownPrice the price that the page shows. @throws Problem prices_changed */
export async function checkShownPrice(
  actor: Pick<UserActor, 'userId'>,
  { shownPrice, price }: { shownPrice: number; price: number },
): Promise<void> {
  if (shownPrice === price) return;
  const row = await findBalance(database(), actor.userId);
  if (row && !planLimits[row.plan].unlimited)
    throw new Problem('prices_changed', creditTexts.pricesChanged());
}

let capLogged = false;
let lastQuery: Promise<unknown> = Promise.resolve();
let nextQuery: Promise<number> | undefined;

function todaysSpend(): Promise<number> {
  nextQuery ??= lastQuery
    .catch(() => undefined)
    .then(() => {
      nextQuery = undefined;
      const query = spentToday(database());
      lastQuery = query;
      return query;
    });
  return nextQuery;
}

/** @throws Problem tool_off */
export function checkOffered(feature: Feature): void {
  const { offered, name } = featureTable[feature];
  if (!offered) throw new Problem('tool_off', creditTexts.toolOff({ tool: name }));
}

export async function checkSpendCap(): Promise<void> {
  const cap = config().SPEND_CAP_DAY;
  if (!cap) return;
  const micros = await todaysSpend();
  const reached = micros >= cap * 1e6;
  if (reached && !capLogged) {
    log.error(
      { spentUsd: micros / 1e6, capUsd: cap },
      'SPEND_CAP_DAY is reached; new work waits until tomorrow',
    );
  }
  capLogged = reached;
  if (!reached) return;
  throw new Problem('spend_cap', creditTexts.spendCap(), { retryAfter: await secondsToMidnight(database()) });
}
