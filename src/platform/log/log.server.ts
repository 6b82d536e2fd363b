import pino, { type Logger } from 'pino';

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

/** Masks an e-mail address for the log: `a***@example.com`. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  return at < 1 ? '***' : `${email[0]}***${email.slice(at)}`;
}

function serializeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { code, status } = error as Error & { code?: unknown; status?: unknown };
  return {
    type: error.name,
    message: error.message.slice(0, 500),
    stack: error.stack,
    code,
    status,
    cause: error.cause instanceof Error ? error.cause.message : undefined,
  };
}

/** The log of this process: one JSON line an event on standard output; secrets and words of people never. */
export const log: Logger = pino({
  base: undefined,
  timestamp: pino.stdTimeFunctions.isoTime,
  redact: { paths: [...hidden, ...hidden.map((name) => `*.${name}`)], censor: '[hidden]' },
  serializers: { error: serializeError, err: serializeError },
});
