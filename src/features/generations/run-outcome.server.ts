import { log } from '#platform/log.server.ts';
import { cleanInput } from '#shared/input-text.ts';
import type { FinishReason } from './contract.ts';
import type { FailureName } from './failure-text.server.ts';
import { GatewayError } from './gateway/gateway-error.ts';
import { ALL_UNITS, type LiveRun } from './live-runs.server.ts';

export type EndState = 'done' | 'stopped' | 'failed' | 'interrupted';

export interface RunResult {
  finish: FinishReason;
  result?: unknown;
}

export interface WorkEnd {
  result?: RunResult;
  error?: unknown;
}

export interface RunOutcome {
  state: EndState;
  chargedUnits: number;
  released: boolean;
  finish: FinishReason | null;
  errorCode: string | null;
  /** As stored: the name of a failure, the engine's or the tool's. */
  errorMessage: string | null;
}

export class RunFailure extends Error {
  readonly code: string;
  /** For the operator's log; must not contain anything that a person wrote. */
  readonly detail: string | undefined;
  /** @param name a failure from ./failure-text.server.ts or `Tool.failures` */
  constructor(code: string, name: string, detail?: string) {
    super(name);
    this.name = 'RunFailure';
    this.code = code;
    this.detail = detail;
  }
}

export const incompleteAnswer = () => new RunFailure('malformed', 'run_incomplete' satisfies FailureName);

/** Failures that a person can cause at will after the gateway did its work; the number of such starts is limited. */
const userCausedCodes = new Set(['empty', 'moderation', 'no_screenplay', 'unreadable', 'unsupported']);

/** A chat shows the specification's text for each failure whose cause the message does not name. */
function failureOf({ kind, blame, status }: GatewayError, feature: string): FailureName {
  if (kind === 'moderation') return 'run_declined';
  if (kind === 'context_length') return 'run_too_long';
  if (blame === 'user') return 'run_unfit';
  if (blame === 'retryable' || feature === 'chat') return 'run_failed';
  return kind === 'invalid_request' && status !== null ? 'run_refused' : 'run_unserved';
}

function failedOutcome(
  code: string,
  { message = 'run_failed', released = userCausedCodes.has(code) } = {},
): RunOutcome {
  return { state: 'failed', chargedUnits: 0, released, finish: null, errorCode: code, errorMessage: message };
}

const deliveredUnits = (run: LiveRun, charges: ChargeBasis) =>
  charges === 'units' ? run.delivered : cleanInput(run.text) === '' ? 0 : run.maxUnits;

const noError = { errorCode: null, errorMessage: null };

export type ChargeBasis = 'text' | 'units';

/**
 * readings.md, Credits: kept for a finished reply, one cut by its length, and one stopped after text had arrived;
 * returned for every failure, a blank reply, a shutdown, and a Stop before the first token.
 */
export function decideOutcome(run: LiveRun, work: WorkEnd, charges: ChargeBasis = 'text'): RunOutcome {
  const delivered = deliveredUnits(run, charges);
  if (work.result) {
    const { result } = work.result;
    const finish = run.incomplete && work.result.finish === 'stop' ? 'incomplete' : work.result.finish;
    if (delivered === 0 && (charges === 'units' || result === undefined))
      return run.incomplete ? failedOutcome('malformed') : { ...failedOutcome('empty'), finish };
    return { state: 'done', chargedUnits: delivered || ALL_UNITS, released: false, finish, ...noError };
  }
  if (run.ending === 'stop')
    return { state: 'stopped', chargedUnits: delivered, released: delivered === 0, finish: null, ...noError };
  if (run.ending) return interruptedOutcome;
  return outcomeOfError(run, work.error);
}

function outcomeOfError({ id: generation, feature }: LiveRun, error: unknown): RunOutcome {
  if (error instanceof RunFailure) {
    log.warn({ generation, feature, kind: error.code, detail: error.detail }, 'a run ended without a result');
    return failedOutcome(error.code, { message: error.message });
  }
  if (!(error instanceof GatewayError)) {
    log.error({ error, generation, feature }, 'a run failed');
    return failedOutcome('internal');
  }
  const { kind, status, blame } = error;
  // The provider's message helps the operator with a key or a limit; otherwise it may repeat a person's words.
  const message = blame === 'ours' ? error.message.slice(0, 200) : undefined;
  const refused = blame === 'user' || kind === 'invalid_request';
  const level = blame === 'ours' ? 'error' : 'warn';
  const line = refused ? 'the gateway rejected a request' : 'the gateway failed';
  log[level]({ generation, feature, kind, status, detail: message }, line);
  // Input that the model cannot process, such as a picture, can be sent again at will.
  const released = userCausedCodes.has(kind) || (blame === 'user' && kind !== 'aborted');
  return failedOutcome(kind, { message: failureOf(error, feature), released });
}

export const interruptedOutcome: RunOutcome = {
  state: 'interrupted',
  chargedUnits: 0,
  released: false,
  finish: null,
  errorCode: 'interrupted',
  errorMessage: 'run_interrupted' satisfies FailureName,
};

export const closingOf = (
  { id, epoch, text }: Pick<LiveRun, 'id' | 'epoch' | 'text'>,
  { finish, ...outcome }: RunOutcome,
  result: unknown = null,
) => ({ id, epoch, text, ...outcome, finishReason: finish, result });
