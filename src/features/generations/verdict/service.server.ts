import { log } from '../../../platform/log/log.server.ts';
import type { FinishReason } from '../contract.ts';
import { GatewayError } from '../gateway/errors.ts';
import type { LiveRun } from '../live/service.server.ts';

export type EndState = 'done' | 'stopped' | 'failed' | 'interrupted';

/** How a tool's own work ended, when it did not throw. */
export interface RunResult {
  finish: FinishReason;
  /** Stored as JSON beside the text. */
  result?: unknown;
}

/** The work's own end: a result, an error, or neither when it never began. */
export interface WorkEnd {
  result?: RunResult;
  error?: unknown;
}

export interface Verdict {
  state: EndState;
  /** The charge is kept; else it is given back in full. */
  keep: boolean;
  finish: FinishReason | null;
  errorCode: string | null;
  /** For the visitor. */
  errorMessage: string | null;
}

/** The specification's text for any failure of a reply. */
const FAILURE = 'Sorry, I encountered an error. Please try again.';
const INTERRUPTED = 'This reply was interrupted. You were not charged.';

const texts: Record<string, string> = {
  moderation: 'The model’s provider declined this request.',
};

function failed(code: string): Verdict {
  return {
    state: 'failed',
    keep: false,
    finish: null,
    errorCode: code,
    errorMessage: texts[code] ?? FAILURE,
  };
}

/**
 * Decides the terminal state and the charge (readings.md, Credits): kept for a finished reply, one cut by its
 * length, and one stopped after text had arrived; given back for every failure, an empty reply, a shutdown, and a
 * Stop before the first token.
 */
export function judge(run: LiveRun, work: WorkEnd): Verdict {
  const has = run.text.length > 0;
  if (work.result) {
    if (!has && work.result.result === undefined) return failed('empty');
    return { state: 'done', keep: true, finish: work.result.finish, errorCode: null, errorMessage: null };
  }
  if (run.ending === 'stop')
    return { state: 'stopped', keep: has, finish: null, errorCode: null, errorMessage: null };
  if (run.ending)
    return {
      state: 'interrupted',
      keep: false,
      finish: null,
      errorCode: 'interrupted',
      errorMessage: INTERRUPTED,
    };
  return failed(codeOf(run, work.error));
}

function codeOf(run: LiveRun, error: unknown): string {
  if (error instanceof GatewayError) {
    const level = error.blame === 'ours' ? 'error' : 'warn';
    // What the provider says helps the operator with a key or a limit; elsewhere it may repeat a person's words.
    const said = error.blame === 'ours' ? error.message.slice(0, 200) : undefined;
    log[level]({ generation: run.id, kind: error.kind, status: error.status, said }, 'the gateway failed');
    return error.kind;
  }
  log.error({ error, generation: run.id }, 'a run failed');
  return 'internal';
}

/** The verdict on a run whose process is gone. */
export const interruptedVerdict: Verdict = {
  state: 'interrupted',
  keep: false,
  finish: null,
  errorCode: 'interrupted',
  errorMessage: INTERRUPTED,
};
