import { createHash } from 'node:crypto';
import { v7 as uuid } from 'uuid';
import { config } from '../../platform/config/config.server.ts';
import { database } from '../../platform/database/database.server.ts';
import type { Statement } from '../../platform/database/sql.server.ts';
import type { UserActor } from '../../platform/http/actor.server.ts';
import { notFound, Problem } from '../../platform/http/problem.server.ts';
import type { Feature } from '../credits/contract.ts';
import { type Admission, admit, checkSpendCap } from '../credits/service.server.ts';
import type { GenerationView } from './contract.ts';
import { launch, owner } from './engine/service.server.ts';
import { startFollowing, stopFollowing, viewOf } from './follow/service.server.ts';
import { LiveRun, liveRuns, startTelling, stopTelling } from './live/service.server.ts';
import { startLog, stopLog } from './log/service.server.ts';
import { startRecovery, stopRecovery } from './recovery/service.server.ts';
import { isKnownKey, isOwn, loggedText, notify, ownRow, requestStop } from './store.server.ts';

export interface StartInput<Written> {
  feature: Feature;
  /** Of the feature's price; 1 unless told. */
  units?: number;
  /** Model of the first call; LLM_MODEL unless told. */
  model?: string;
  /** Sent by the client; the same key, route and body again is the same run. */
  key: string;
  /** What the key is bound to: the route and the parsed body. */
  bound: unknown;
  /** Whether it starts a conversation, which has a limit of its own; a statement where the database knows. */
  startsChat?: boolean | Statement;
  /** References that the tool needs to run or to recover; the tool's inputs themselves stay in its own tables. */
  payload: unknown;
  /** Puts the admission into a statement that writes the tool's rows too; its columns come back as `written`. */
  write?: (admission: Statement) => Statement;
  /** What of the work is at hand now and need not be read again; see `Tool.run`. */
  recall?: (written: Written) => unknown;
}

let draining = false;

function checkKey(key: string): void {
  if (key.length < 8 || key.length > 200)
    throw new Problem('bad_request', 'An Idempotency-Key of 8 to 200 characters is needed.');
}

/** Whether the actor has a run under this key, for what must be done once before one. @throws Problem bad_request. */
export function knowsKey({
  actor,
  input: { key },
}: {
  actor: UserActor;
  input: { key: string };
}): Promise<boolean> {
  checkKey(key);
  return isKnownKey(database(), actor.userId, key);
}

/**
 * Admits a run and starts it. The same key again returns the same run and writes nothing.
 * @throws Problem for each refusal of admission, and `unavailable` while the process is ending.
 */
export async function start<Written extends object>(
  actor: Pick<UserActor, 'userId'>,
  input: StartInput<Written>,
): Promise<Admission & { written: Written }> {
  if (draining)
    throw new Problem('unavailable', 'The site is restarting. Please try again in a moment.', {
      retryAfter: 5,
    });
  checkKey(input.key);
  await checkSpendCap().catch(async (problem: unknown) => {
    if (!(await isKnownKey(database(), actor.userId, input.key))) throw problem;
  });
  const { feature, key, payload } = input;
  const generationId = uuid();
  const firstCall = uuid();
  const admission = await admit<Written>(
    database(),
    actor,
    {
      generationId,
      feature,
      units: input.units ?? 1,
      key,
      requestHash: createHash('sha256').update(JSON.stringify(input.bound)).digest(),
      payload,
      startsChat: input.startsChat ?? false,
      owner,
      call: { id: firstCall, model: input.model ?? config().LLM_MODEL },
    },
    input.write ?? ((statement) => statement),
  );
  if (admission.fresh) {
    const run = new LiveRun({ id: generationId, userId: actor.userId, feature, epoch: 1 });
    launch(run, { payload, firstCall, recalled: input.recall?.(admission.written) });
  }
  return admission;
}

/** A generation of the actor, with the text so far. @throws Problem not_found. */
export async function view(actor: UserActor, id: string): Promise<GenerationView> {
  const row = await ownRow(database(), actor.userId, id);
  if (!row) throw notFound();
  const live = liveRuns.get(id);
  const text = row.text ?? live?.text ?? (await loggedText(database(), id, row.epoch)).text;
  return { ...viewOf(row), text };
}

/** @throws Problem not_found for a generation that is not the actor's. */
export async function proveOwn(actor: UserActor, id: string): Promise<void> {
  if (liveRuns.get(id)?.userId === actor.userId) return;
  if (!(await isOwn(database(), actor.userId, id))) throw notFound();
}

/** Stops a generation of the actor, wherever it runs; what has arrived is kept. @throws Problem not_found. */
export async function stop(actor: UserActor, id: string): Promise<void> {
  const live = liveRuns.get(id);
  if (live?.userId === actor.userId) return live.halt('stop');
  await proveOwn(actor, id);
  await requestStop(database(), id);
  await notify(database(), 'stop', [id]);
}

/** Starts the engine; runs may be admitted afterwards. `exclusive`: no other server uses this database. */
export async function startEngine(
  connection: Parameters<typeof startFollowing>[0],
  exclusive: boolean,
): Promise<void> {
  draining = false;
  await startLog();
  startTelling();
  await startFollowing(connection);
  await startRecovery(exclusive);
}

/**
 * Ends the engine: no new runs; running ones may finish for `patienceMs` or until `hurry`, then they are sealed as
 * interrupted with what has arrived, and given back.
 */
export async function stopEngine(patienceMs: number, hurry: AbortSignal): Promise<void> {
  draining = true;
  await stopRecovery();
  await emptied(patienceMs, hurry);
  for (const run of liveRuns.values()) run.halt('shutdown');
  await emptied(3_000);
  await stopLog();
  stopTelling();
  await stopFollowing();
}

function emptied(patienceMs: number, hurry?: AbortSignal): Promise<void> {
  const until = performance.now() + patienceMs;
  const over = () => liveRuns.size === 0 || performance.now() >= until || hurry?.aborted;
  return new Promise((resolve) => {
    const look = () => (over() ? resolve() : setTimeout(look, 25));
    look();
  });
}
