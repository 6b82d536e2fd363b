import { createHash } from 'node:crypto';
import { v7 as uuid } from 'uuid';
import { type Feature, messagePrice } from '#features/credits/contract.ts';
import {
  type Admission,
  admit,
  type ByKey,
  checkOffered,
  checkShownPrice,
  checkSpendCap,
  offeredModel,
} from '#features/credits/service.server.ts';
import { m } from '#messages';
import { config } from '#platform/config/config.server.ts';
import { type Database, database, transaction } from '#platform/database/database.server.ts';
import type { Statement } from '#platform/database/sql.server.ts';
import type { UserActor } from '#platform/http/actor.server.ts';
import { notFound, Problem } from '#platform/http/problem.server.ts';
import { traced } from '#platform/tracing/tracing.server.ts';
import type { ChatModel } from '#shared/chat-models.ts';
import type { GenerationView, ThinkingView } from './contract.ts';
import { startRecovery, stopRecovery } from './crash-recovery.server.ts';
import { launch, type RunModel } from './engine.server.ts';
import { LiveRun, liveRuns, startBroadcasting, stopBroadcasting } from './live-runs.server.ts';
import { processName } from './process-name.server.ts';
import { startRunLog, stopRunLog } from './run-log.server.ts';
import { startSubscriptions, stopSubscriptions, viewOf } from './run-subscriptions.server.ts';
import { requireOwnRun } from './stop-run.server.ts';
import { isKnownKey, loggedText, ownGeneration } from './store.server.ts';
import { thinkingOf } from './thinking-store.server.ts';

export { composeDraft, composeRest, continuationMessages, type Draft } from './compose.server.ts';
export {
  contextTokens,
  estimateMessageTokens,
  shorterContext,
  tokensWithThinking,
} from './context-window.server.ts';
// The rest of the public interface: what other features use from this folder.
export { closeAbandonedRuns } from './crash-recovery.server.ts';
export { type Ending, type RunContext, registerTool, type Tool } from './engine.server.ts';
export { idempotencyKeyOf, openStreams, startedResponse } from './event-stream.server.ts';
export { failureText } from './failure-text.server.ts';
export { delimiterId, frameAsData } from './frame-as-data.server.ts';
export type { Citation, GatewayMessage, Sampling } from './gateway/chat-completions.server.ts';
export { requestTranscript } from './gateway/transcription.server.ts';
export { ofRuns } from './invariants-of-runs.server.ts';
export { liveRuns } from './live-runs.server.ts';
export {
  type CallFailure,
  callFailure,
  generateImage,
  generateText,
  streamText,
} from './model-calls.server.ts';
export { knownPrice } from './model-cost.server.ts';
export { claimProcessLease } from './process-lease.server.ts';
export { onRunEnd, type RunEnd } from './run-ends.server.ts';
export { startRunMetrics } from './run-metrics.server.ts';
export { incompleteAnswer, RunFailure, type RunResult } from './run-outcome.server.ts';
export { readRun } from './run-reader.server.ts';
export { recordSearch } from './search-call.server.ts';
export { checkShownPrices } from './shown-prices.server.ts';
export { type AwaitedRun, requireOwnRun, stopOnDisconnect, stopRun, stopRuns } from './stop-run.server.ts';
export { tokensOfRun } from './store.server.ts';
export { transcribe } from './transcription-call.server.ts';

export interface StartInput<Written> {
  feature: Feature;
  /** Multiplies the feature's price; default 1. */
  units?: number;
  /** The gateway's name for the model, if it is not the one for texts. */
  model?: string;
  /** A model from the operator's list; null `id` means the first. `told` is the price that the page shows. */
  choice?: { id: string | null; shownPrice?: number | undefined };
  /** Added to the price, for work besides the model's. */
  extraCredits?: number;
  key: string;
  fingerprint: unknown;
  /** New chats have their own limit; a statement if only the database knows. */
  startsChat?: boolean | Statement;
  /** References; the tool's inputs themselves are in its own tables. */
  payload: unknown;
  /** The columns of its statement are returned as `written`. */
  write?: (admission: Statement) => Statement;
  knownInput?: (written: Written) => unknown;
  /** Set if a program started the run with an API key of the person. */
  byKey?: ByKey;
}

type Person = Pick<UserActor, 'userId'>;

let draining = false;

function checkKey(key: string): void {
  if (key.length < 8 || key.length > 200) throw new Problem('bad_request', m.run_key_needed());
}

export function hasRunWithKey({
  actor,
  input: { key },
}: {
  actor: Person;
  input: { key: string };
}): Promise<boolean> {
  checkKey(key);
  return isKnownKey(database(), actor.userId, key);
}

/** `model` is the gateway's name for the model. */
export type Started<Written> = Admission & { written: Written; model: string };

/**
 * Repeating a key returns the same run and writes nothing. @throws Problem for each refusal, and `unavailable` while
 * the process is shutting down.
 */
export async function startRun<Written extends object>(
  actor: Person,
  input: StartInput<Written>,
): Promise<Started<Written>> {
  const prepared = await prepareRun(actor, input);
  const started = await tracedAdmission(input.feature, () => prepared.admit(database()));
  prepared.launch(started);
  return started;
}

/** Starts both or neither, in one transaction and in this order. Each needs its own key. @throws as `startRun` */
export async function startTwoRuns<Written extends object>(
  actor: Person,
  inputs: readonly [StartInput<Written>, StartInput<Written>],
): Promise<[Started<Written>, Started<Written>]> {
  const first = await prepareRun(actor, inputs[0]);
  const second = await prepareRun(actor, inputs[1]);
  const started = await tracedAdmission(inputs[0].feature, () =>
    transaction(async (tx): Promise<[Started<Written>, Started<Written>]> => {
      const admitted = await first.admit(tx);
      return [admitted, await second.admit(tx)];
    }),
  );
  first.launch(started[0]);
  second.launch(started[1]);
  return started;
}

const tracedAdmission = <Result extends Admission | readonly Admission[]>(
  feature: Feature,
  admitAll: () => Promise<Result>,
): Promise<Result> =>
  traced('admission', { attributes: { 'site.tool': feature } }, async (span) => {
    const admitted = await admitAll();
    const fresh = [admitted].flat().every((each) => each.fresh);
    span.set({ 'site.admission': fresh ? 'admitted' : 'same' });
    return admitted;
  });

interface PreparedRun<Written> {
  admit(db: Database): Promise<Started<Written>>;
  /** Call it once the admission is stored. */
  launch(started: Started<Written>): void;
}

/** @throws Problem for refusals that need no admission */
async function chosenModel(
  actor: Person,
  { feature, choice, extraCredits = 0 }: Pick<StartInput<unknown>, 'feature' | 'choice' | 'extraCredits'>,
): Promise<ChatModel | null> {
  checkOffered(feature);
  const model = choice ? offeredModel(choice.id) : null;
  if (choice?.shownPrice !== undefined)
    await checkShownPrice(actor, {
      shownPrice: choice.shownPrice - extraCredits,
      price: messagePrice(model),
    });
  await checkSpendCap();
  return model;
}

async function prepareRun<Written extends object>(
  actor: Person,
  input: StartInput<Written>,
): Promise<PreparedRun<Written>> {
  if (draining) throw new Problem('unavailable', m.site_starting(), { retryAfter: 5 });
  checkKey(input.key);
  const { feature, key, payload } = input;
  const chosen = await chosenModel(actor, input).catch(async (problem: unknown) => {
    if (!(await isKnownKey(database(), actor.userId, key))) throw problem;
    return null;
  });
  const { id, context, seesImages, thinks, fallbacks }: RunModel = chosen ?? {
    id: input.model ?? config().LLM_MODEL,
    context: null,
    seesImages: true,
    thinks: false,
    fallbacks: [],
  };
  const model = { id, context, seesImages, thinks, fallbacks };
  const [generationId, firstCall] = [uuid(), uuid()];
  const admission = {
    generationId,
    feature,
    units: input.units ?? 1,
    key,
    requestHash: createHash('sha256').update(JSON.stringify(input.fingerprint)).digest(),
    payload,
    startsChat: input.startsChat ?? false,
    owner: processName,
    call: { id: firstCall, model: id },
    model: chosen,
    extraCredits: input.extraCredits ?? 0,
    byKey: input.byKey ?? null,
  };
  return {
    async admit(db) {
      const admitted = await admit<Written>(db, actor, admission, input.write ?? ((statement) => statement));
      return { ...admitted, model: id };
    },
    launch({ fresh, written }) {
      if (!fresh) return;
      const run = new LiveRun({ id: generationId, userId: actor.userId, feature, key, epoch: 1 });
      launch(run, { payload, firstCall, model, knownInput: input.knownInput?.(written) });
    },
  };
}

/** The response for an admitted run; `credits` is null on an unlimited plan. */
export const startedRun = ({ generationId, state, unlimited, credits }: Admission) => ({
  generation: { id: generationId, state },
  credits: unlimited ? null : credits,
});

export async function viewRun(actor: Person, id: string): Promise<GenerationView> {
  const row = await ownGeneration(database(), actor.userId, id);
  if (!row) throw notFound();
  const live = liveRuns.get(id);
  const text = row.text ?? live?.shown ?? (await loggedText(database(), id, row.epoch)).text;
  return { ...viewOf(row), text };
}

export async function viewThinking(actor: Person, id: string): Promise<ThinkingView> {
  await requireOwnRun(actor, id);
  const live = liveRuns.get(id)?.thinking;
  const { text, ms } = live ?? (await thinkingOf(database(), id)) ?? { text: '', ms: 0 };
  return { text, ms };
}

/** `exclusive`: no other server uses this database. */
export async function startEngine(exclusive: boolean): Promise<void> {
  draining = false;
  await startRunLog();
  startBroadcasting();
  startSubscriptions();
  await startRecovery(exclusive);
}

/** Lets runs finish for `patienceMs` or until `hurry`, then interrupts them: text is stored, credits are returned. */
export async function stopEngine(patienceMs: number, hurry: AbortSignal): Promise<void> {
  draining = true;
  await stopRecovery();
  await waitUntilIdle(patienceMs, hurry);
  for (const run of liveRuns.values()) run.halt('shutdown');
  await waitUntilIdle(3_000);
  await stopRunLog();
  stopBroadcasting();
  stopSubscriptions();
}

function waitUntilIdle(patienceMs: number, hurry?: AbortSignal): Promise<void> {
  const until = performance.now() + patienceMs;
  const isOver = () => liveRuns.size === 0 || performance.now() >= until || hurry?.aborted;
  return new Promise((resolve) => {
    const check = () => (isOver() ? resolve() : setTimeout(check, 25));
    check();
  });
}
