import { log } from '../../../platform/log/log.server.ts';
import { plainText } from '../../../shared/typed-text.ts';
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
  /** Units of the price that are kept; the rest is given back. */
  kept: number;
  /** Whether the start counts against the person's ceilings on released starts. */
  released: boolean;
  finish: FinishReason | null;
  errorCode: string | null;
  /** For the visitor. */
  errorMessage: string | null;
}

/** The specification's text for any failure of a reply. */
const FAILURE = 'Sorry, I encountered an error. Please try again.';
const INTERRUPTED = 'This reply was interrupted. You were not charged.';

/** A failure that a tool has a text of its own for. */
export class RunFailure extends Error {
  readonly code: string;
  /** @param message for the visitor. */
  constructor(code: string, message: string) {
    super(message);
    this.name = 'RunFailure';
    this.code = code;
  }
}

const texts: Record<string, string> = {
  moderation: 'The model’s provider declined this request.',
};

/**
 * Failures that what the person sent can bring about at will: the gateway did its work, and it was given back. What the
 * gateway, the network or this process failed at is not among them.
 */
const provoked = new Set(['empty', 'moderation', 'no_screenplay', 'unreadable', 'unsupported']);

function failed(
  code: string,
  { text = texts[code] ?? FAILURE, released = provoked.has(code) } = {},
): Verdict {
  return { state: 'failed', kept: 0, released, finish: null, errorCode: code, errorMessage: text };
}

/** What of a run has reached the person: all of its price as soon as a text can be seen, or so many of its units. */
const deliveredBy = (run: LiveRun, charges: Charges) =>
  charges === 'units' ? run.delivered : plainText(run.text) === '' ? 0 : ALL;

/** More units than any run has. */
const ALL = 1_000_000;

/** What a tool's charge hangs on. */
export type Charges = 'text' | 'units';

/**
 * Decides the terminal state and the charge (readings.md, Credits): kept for a finished reply, one cut by its
 * length, and one stopped after text had arrived; given back for every failure, a reply of nothing but blanks, a
 * shutdown, and a Stop before the first token. Of a tool that charges by units as many are kept as were delivered.
 */
export function judge(run: LiveRun, work: WorkEnd, charges: Charges = 'text'): Verdict {
  const delivered = deliveredBy(run, charges);
  if (work.result) {
    const { finish, result } = work.result;
    if (delivered === 0 && (charges === 'units' || result === undefined)) return failed('empty');
    return {
      state: 'done',
      kept: delivered || ALL,
      released: false,
      finish,
      errorCode: null,
      errorMessage: null,
    };
  }
  if (run.ending === 'stop')
    return {
      state: 'stopped',
      kept: delivered,
      released: delivered === 0,
      finish: null,
      errorCode: null,
      errorMessage: null,
    };
  if (run.ending) return interruptedVerdict;
  if (work.error instanceof RunFailure) return failed(work.error.code, { text: work.error.message });
  const code = codeOf(run, work.error);
  return failed(code, { released: provoked.has(code) || isOfPerson(work.error) });
}

/** Whether the gateway refused what the person sent, such as a picture that it cannot read. */
const isOfPerson = (error: unknown) =>
  error instanceof GatewayError && error.blame === 'user' && error.kind !== 'aborted';

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
  kept: 0,
  released: false,
  finish: null,
  errorCode: 'interrupted',
  errorMessage: INTERRUPTED,
};
