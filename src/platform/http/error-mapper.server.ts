import type { Context } from 'hono';
import { HTTPException } from 'hono/http-exception';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { m } from '#messages';
import type { ProblemBody } from '#shared/problem-codes.ts';
import { log } from '../log.server.ts';
import type { AppEnv } from './app-env.server.ts';
import { Problem } from './problem.server.ts';

/** Node and PostgreSQL error codes for a database that is currently unreachable. */
const unreachable = /^(ECONNREFUSED|ECONNRESET|ENOENT|EPIPE|ETIMEDOUT|57P0[123]|53300|08\w{3})$/;

/** PostgreSQL error codes for a database that is read-only, or whose disk is full or broken. */
const refusedWrite = /^(25006|53100|58030)$/;

export function isWriteRefused(error: unknown): boolean {
  const { code, cause } = error as { code?: string; cause?: unknown };
  return refusedWrite.test(code ?? '') || (cause instanceof Error && isWriteRefused(cause));
}

export function isDatabaseUnavailable(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string };
  return (
    unreachable.test(code ?? '') ||
    /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error/.test(
      message ?? '',
    )
  );
}

export function toProblem(error: unknown, requestId: string, path: string): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof HTTPException && error.status < 500)
    return new Problem('bad_request', m.request_invalid());
  if (isDatabaseUnavailable(error) || isWriteRefused(error)) {
    const reason = isWriteRefused(error)
      ? 'the database does not accept writes'
      : 'the database cannot be reached';
    log.error({ error, requestId, path }, reason);
    return new Problem('unavailable', m.site_unavailable(), { retryAfter: 5 });
  }
  log.error({ error, requestId, path }, 'unexpected error');
  return new Problem('internal', m.common_our_fault());
}

export function answerProblem(c: Context<AppEnv>, problem: Problem): Response {
  const body: ProblemBody = { error: problem.message, code: problem.code, requestId: c.var.requestId };
  const headers: Record<string, string> = { 'cache-control': 'private, no-store', ...problem.headers };
  // The rest of an oversized body stays unread, so no proxy may reuse the connection for another request.
  if (problem.code === 'too_large') headers.connection = 'close';
  return c.json(body, problem.status as ContentfulStatusCode, headers);
}
