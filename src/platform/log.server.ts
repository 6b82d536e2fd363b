import pino, { type Logger } from 'pino';
import { activeTrace } from './tracing/tracing.server.ts';

const hidden = [
  'password',
  'token',
  'secret',
  'cookie',
  'authorization',
  'apiKey',
  'text',
  'content',
  'prompt',
  'html',
  'code',
  'email',
];

export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  return at < 1 ? '***' : `${email[0]}***${email.slice(at)}`;
}

/** PostgreSQL's data and constraint errors (classes 22, 23) quote the rejected value, which may be a person's text. */
function messageOf(error: Error, code: unknown): string {
  const data = typeof code === 'string' && /^2[23]\w{3}$/.test(code) && 'severity' in error;
  return data ? `the database refused a value (${code})` : error.message.slice(0, 500);
}

function serializeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { code, status } = error as Error & { code?: unknown; status?: unknown };
  const message = messageOf(error, code);
  return {
    type: error.name,
    // Not named `code`: the logger hides that name everywhere, because sign-in codes use it.
    kind: code,
    status,
    message,
    stack: error.stack
      ?.split('\n')
      .filter((line) => /^\s+at /.test(line))
      .slice(0, 12)
      .join('\n'),
    cause: error.cause instanceof Error ? error.cause.name : undefined,
  };
}

/** Named as OpenTelemetry specifies for logs in other formats. */
function traceOf(): object {
  const active = activeTrace();
  return active ? { trace_id: active.traceId, span_id: active.spanId } : {};
}

export const log: Logger = pino({
  base: undefined,
  timestamp: pino.stdTimeFunctions.isoTime,
  mixin: traceOf,
  redact: { paths: [...hidden, ...hidden.map((name) => `*.${name}`)], censor: '[hidden]' },
  serializers: { error: serializeError, err: serializeError },
});
