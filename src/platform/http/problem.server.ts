import { validate as isUuid } from 'uuid';
import { m } from '#messages';
import type { ProblemCode } from '#shared/problem-codes.ts';

const statusOf: Record<ProblemCode, number> = {
  bad_request: 400,
  unauthorized: 401,
  credits_exhausted: 402,
  plan_required: 403,
  tool_off: 403,
  forbidden: 403,
  sign_in_again: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  gone: 410,
  too_large: 413,
  unsupported_type: 415,
  password_needed: 400,
  password_wrong: 400,
  key_reused: 422,
  prices_changed: 409,
  model_gone: 409,
  prompt_declined: 400,
  check_unavailable: 503,
  key_ceiling: 429,
  daily_chats: 429,
  daily_fair_use: 429,
  too_many_running: 429,
  too_many_released: 429,
  rate_limited: 429,
  internal: 500,
  spend_cap: 503,
  unavailable: 503,
};

/** An error whose `message` is shown to the visitor. For any other error the visitor sees only the request id. */
export class Problem extends Error {
  readonly code: ProblemCode;
  readonly status: number;
  readonly retryAfter: number | undefined;
  constructor(code: ProblemCode, message: string, options: { retryAfter?: number; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.name = 'Problem';
    this.code = code;
    this.status = statusOf[code];
    this.retryAfter = options.retryAfter;
  }

  get headers(): Record<string, string> {
    return this.retryAfter === undefined ? {} : { 'retry-after': String(this.retryAfter) };
  }
}

/** Also the answer for another user's id, so that it does not reveal that the row exists. */
export const notFound = () => new Problem('not_found', m.common_not_found());
export function requireFound<T>(what: T | null | undefined): T {
  if (what == null) throw notFound();
  return what;
}

export function requireUuid(id: string): string {
  if (!isUuid(id)) throw notFound();
  return id;
}

export const signInRequired = (text = m.common_sign_in_first()) => new Problem('unauthorized', text);
