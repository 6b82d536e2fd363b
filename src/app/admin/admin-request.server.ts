import type { Context } from 'hono';
import type { z } from 'zod';
import type { AppEnv } from '#platform/http/app-env.server.ts';
import { Problem } from '#platform/http/problem.server.ts';
import { readBytes } from '#platform/http/request-body.server.ts';
import type { Operator } from './operator.server.ts';

export interface AdminRequest {
  c: Context<AppEnv>;
  operator: Operator;
  params: Record<string, string>;
  query: URLSearchParams;
}

export interface AdminRoute {
  method: 'GET' | 'POST';
  path: string;
  /** Allows sessions of any age, for the pages where operators sign in again. */
  anySessionAge?: boolean;
  /** Responds if the session is too old to act but not to read, so that the text in the form is not lost. */
  tooOld?: (request: AdminRequest) => Promise<Response>;
  handle: (request: AdminRequest) => Promise<Response> | Response;
}

/** Large enough for a newsletter issue. */
const FORM_BYTES = 512 * 1024;

/** A refusal whose message is shown to the operator in place of the requested page. */
export class AdminRefusal extends Error {
  readonly status: number;
  constructor(message: string, status = 400) {
    super(message);
    this.status = status;
  }
}

export async function readForm<T extends z.ZodType>({ c }: AdminRequest, schema: T): Promise<z.output<T>> {
  if (!/^application\/x-www-form-urlencoded\b/i.test(c.req.header('content-type') ?? ''))
    throw new Problem('unsupported_type', 'A form is expected.');
  const bytes = await readBytes(c.req.raw, FORM_BYTES);
  const form = new URLSearchParams(new TextDecoder().decode(bytes));
  // PostgreSQL text cannot contain NUL.
  const fields = [...form].map(([name, value]) => [name, value.replaceAll('\0', '')]);
  const read = schema.safeParse(Object.fromEntries(fields));
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new AdminRefusal(`${issue?.path.join('.') || 'The form'}: ${issue?.message ?? 'cannot be read'}.`);
}
