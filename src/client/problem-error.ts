import { m } from '#messages';
import { type ProblemBody, problemCodes } from '#shared/problem-codes.ts';

/** `retryAfter` is in seconds. */
export class ProblemError extends Error {
  readonly status: number;
  readonly body: ProblemBody;
  readonly retryAfter: number | null;
  constructor(status: number, body: ProblemBody, retryAfter: number | null) {
    super(body.error);
    this.name = 'ProblemError';
    this.status = status;
    this.body = body;
    this.retryAfter = retryAfter;
  }
}

export class ConnectionError extends Error {
  constructor(cause: unknown) {
    super(m.common_connection_lost(), { cause });
    this.name = 'ConnectionError';
  }
}

function isProblemBody(value: unknown): value is ProblemBody {
  if (typeof value !== 'object' || value === null) return false;
  const { error, code } = value as Partial<ProblemBody>;
  return typeof error === 'string' && (problemCodes as readonly unknown[]).includes(code);
}

/** A body that is not from our server (a proxy's page) becomes a generic message. */
export async function readProblem(response: Response): Promise<ProblemError> {
  const seconds = Number.parseInt(response.headers.get('retry-after') ?? '', 10);
  const body: unknown = await response.json().catch(() => null);
  const problem = isProblemBody(body)
    ? body
    : {
        error: m.common_failed(),
        code: response.status === 503 ? ('unavailable' as const) : ('internal' as const),
        requestId: response.headers.get('x-request-id') ?? '',
      };
  return new ProblemError(response.status, problem, Number.isFinite(seconds) ? seconds : null);
}
