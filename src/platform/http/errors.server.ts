import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { ProblemBody } from '../../shared/problems.ts';
import { log } from '../log/log.server.ts';
import type { AppEnv } from './env.server.ts';
import { Problem } from './problem.server.ts';

/** Codes of node and PostgreSQL that mean that the database cannot be reached now. */
const unreachable = /^(ECONNREFUSED|ECONNRESET|ENOENT|EPIPE|ETIMEDOUT|57P0[123]|53300|08\w{3})$/;

/** Codes of PostgreSQL for a database that is read-only, or whose disk is full or broken. */
const refusedWrite = /^(25006|53100|58030)$/;

/** Whether an error means that the database takes no writes now. */
export function isWriteRefused(error: unknown): boolean {
  const { code, cause } = error as { code?: string; cause?: unknown };
  return refusedWrite.test(code ?? '') || (cause instanceof Error && isWriteRefused(cause));
}

/** Whether an error means that the database is away. */
export function isDatabaseAway(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string };
  return (
    unreachable.test(code ?? '') ||
    /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error/.test(
      message ?? '',
    )
  );
}

/** Turns what a handler threw into what may be told; unknown errors are logged and say nothing but their id. */
export function toProblem(error: unknown, requestId: string, path: string): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof HTTPException && error.status < 500)
    return new Problem('bad_request', 'The request is not valid.');
  if (isDatabaseAway(error) || isWriteRefused(error)) {
    const why = isWriteRefused(error) ? 'the database takes no writes' : 'the database cannot be reached';
    log.error({ error, requestId, path }, why);
    return new Problem('unavailable', 'The site is briefly unavailable. Please try again.', {
      retryAfter: 5,
    });
  }
  log.error({ error, requestId, path }, 'unexpected error');
  return new Problem('internal', 'Something went wrong on our side. Please try again.');
}

/** The JSON answer to a problem. */
export function answerProblem(c: Context<AppEnv>, problem: Problem): Response {
  const body: ProblemBody = { error: problem.message, code: problem.code, requestId: c.var.requestId };
  const headers: Record<string, string> = { 'cache-control': 'private, no-store' };
  if (problem.retryAfter !== undefined) headers['retry-after'] = String(problem.retryAfter);
  return c.json(body, problem.status as ContentfulStatusCode, headers);
}
