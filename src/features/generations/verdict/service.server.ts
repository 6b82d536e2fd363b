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

/** The specification's text for a failure of a reply. */
const FAILURE = 'Sorry, I encountered an error. Please try again.';
const INTERRUPTED = 'This reply was interrupted. You were not charged.';

/** A failure that a tool has a text of its own for. */
export class RunFailure extends Error {
  readonly code: string;
  /** For the operator's log; nothing that a person wrote. */
  readonly detail: string | undefined;
  /** @param message for the visitor. */
  constructor(code: string, message: string, detail?: string) {
    super(message);
    this.name = 'RunFailure';
    this.code = code;
    this.detail = detail;
  }
}

/** The failure of a proposal with a hole in it: it stands for words that are there, so it is whole or none. */
export const pieceLost = () =>
  new RunFailure(
    'malformed',
    'Part of the model’s answer was lost on the way. You were not charged. Please try again.',
  );

const texts = {
  moderation: 'The model’s provider declined this request.',
  tooLong: 'This is more text than the model can take at once. Please shorten it and try again.',
  unfit: 'The model can’t work with this request. Please change it and try again.',
  refused:
    'The model’s provider refused this request. Please word it differently. If that doesn’t help, the problem is on our side, and we have been notified.',
  unserved:
    'The model is refusing our requests right now, so trying again won’t help yet. We have been notified.',
};

/**
 * Failures that what the person sent can bring about at will: the gateway did its work, and it was given back. What the
 * gateway, the network or this process failed at is not among them.
 */
const provoked = new Set(['empty', 'moderation', 'no_screenplay', 'unreadable', 'unsupported']);

/** What a failed call is for its person. A chat has the specification's text for all that has no cause in its message. */
function textOf({ kind, blame, status }: GatewayError, feature: string): string {
  if (kind === 'moderation') return texts.moderation;
  if (kind === 'context_length') return texts.tooLong;
  if (blame === 'user') return texts.unfit;
  if (blame === 'retryable' || feature === 'chat') return FAILURE;
  return kind === 'invalid_request' && status !== null ? texts.refused : texts.unserved;
}

function failed(code: string, { text = FAILURE, released = provoked.has(code) } = {}): Verdict {
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
    const { result } = work.result;
    const finish = run.incomplete && work.result.finish === 'stop' ? 'incomplete' : work.result.finish;
    if (delivered === 0 && (charges === 'units' || result === undefined))
      return failed(run.incomplete ? 'malformed' : 'empty');
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
  return failedBy(run, work.error);
}

function failedBy({ id: generation, feature }: LiveRun, error: unknown): Verdict {
  if (error instanceof RunFailure) {
    log.warn({ generation, feature, kind: error.code, said: error.detail }, 'a run came to nothing');
    return failed(error.code, { text: error.message });
  }
  if (!(error instanceof GatewayError)) {
    log.error({ error, generation, feature }, 'a run failed');
    return failed('internal');
  }
  const { kind, status, blame } = error;
  // What the provider says helps the operator with a key or a limit; elsewhere it may repeat a person's words.
  const said = blame === 'ours' ? error.message.slice(0, 200) : undefined;
  const refused = blame === 'user' || kind === 'invalid_request';
  const level = blame === 'ours' ? 'error' : 'warn';
  const line = refused ? 'the gateway refused a request' : 'the gateway failed';
  log[level]({ generation, feature, kind, status, said }, line);
  // What the person sent, such as a picture that the model cannot read, they can send again at will.
  const released = provoked.has(kind) || (blame === 'user' && kind !== 'aborted');
  return failed(kind, { text: textOf(error, feature), released });
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
