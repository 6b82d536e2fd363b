import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { AppEnv } from '#platform/http/app-env.server.ts';
import { Problem } from '#platform/http/problem.server.ts';
import type { ProblemCode } from '#shared/problem-codes.ts';

/** OpenAI's error format, which its clients understand. */
interface ApiError {
  error: { message: string; type: string; param: string | null; code: string | null };
}

type ErrorType = 'invalid_request_error' | 'insufficient_quota' | 'rate_limit_exceeded' | 'server_error';

interface Refusal {
  type?: ErrorType;
  code?: string;
  param?: string;
}

/** A refusal in the terms of OpenAI's protocol, with its code and the field in question. */
export class ApiRefusal extends Problem {
  readonly refusal: Refusal;
  constructor(code: ProblemCode, message: string, refusal: Refusal = {}) {
    super(code, message);
    this.refusal = refusal;
  }
}

/** OpenAI's codes, from which clients know what to do; all other problems keep our code. */
const apiCodes: Partial<Record<ProblemCode, { status?: number; type: ErrorType; code: string }>> = {
  unauthorized: { type: 'invalid_request_error', code: 'invalid_api_key' },
  credits_exhausted: { status: 429, type: 'insufficient_quota', code: 'insufficient_quota' },
  key_ceiling: { type: 'insufficient_quota', code: 'insufficient_quota' },
  daily_fair_use: { type: 'rate_limit_exceeded', code: 'rate_limit_exceeded' },
  too_many_released: { type: 'rate_limit_exceeded', code: 'rate_limit_exceeded' },
  too_many_running: { type: 'rate_limit_exceeded', code: 'rate_limit_exceeded' },
  rate_limited: { type: 'rate_limit_exceeded', code: 'rate_limit_exceeded' },
  prompt_declined: { type: 'invalid_request_error', code: 'content_policy_violation' },
};

/** Seconds; a client may retry automatically if it has to wait no longer than this. */
const SHORT_WAIT = 60;

const KEY_REQUIRED =
  'An API key that works is needed: send it as "Authorization: Bearer KEY". Keys are made in the settings of an account.';

export function errorOf(problem: Problem): { status: number; body: ApiError } {
  const own = problem instanceof ApiRefusal ? problem.refusal : {};
  const known = apiCodes[problem.code];
  const status = known?.status ?? problem.status;
  const type = own.type ?? known?.type ?? (status >= 500 ? 'server_error' : 'invalid_request_error');
  const message = problem.code === 'unauthorized' ? KEY_REQUIRED : problem.message;
  const code = own.code ?? known?.code ?? problem.code;
  return { status, body: { error: { message, type, param: own.param ?? null, code } } };
}

export function answerApiProblem(c: Context<AppEnv>, problem: Problem): Response {
  const { status, body } = errorOf(problem);
  const waits = status === 429 || status >= 500;
  const retryable =
    body.error.type !== 'insufficient_quota' &&
    (problem.retryAfter === undefined || problem.retryAfter <= SHORT_WAIT);
  const headers: Record<string, string> = {
    'cache-control': 'private, no-store',
    ...problem.headers,
    // OpenAI's own clients read this; without it they retry every 429 and 5xx.
    ...(waits && { 'x-should-retry': String(retryable) }),
    ...(problem.code === 'too_large' && { connection: 'close' }),
  };
  return c.json(body, status as ContentfulStatusCode, headers);
}
