import {
  isContextOverflow,
  NO_REPORTED_CONTEXT,
  type ReportedContext,
  reportedContext,
} from './context-length.ts';
import type { GatewayUsage } from './gateway-types.ts';
import { isRecord, parseRecord } from './stream-chunk.ts';
import { NO_USAGE } from './token-usage.ts';

export type GatewayErrorKind =
  | 'refused'
  | 'timeout_first_byte'
  | 'timeout_idle'
  | 'timeout_total'
  | 'http_error'
  | 'error_event'
  | 'truncated'
  | 'malformed'
  | 'event_too_large'
  | 'not_a_stream'
  | 'payment'
  | 'rate_limited'
  | 'moderation'
  | 'aborted'
  | 'invalid_request'
  | 'context_length'
  | 'unauthorized';

/** Who must act: nobody, since a retry may succeed; the operator (`ours`); or the user. */
export type Blame = 'retryable' | 'ours' | 'user';

interface Detail {
  blame?: Blame;
  status?: number | null;
  usage?: GatewayUsage;
  upstreamId?: string;
  context?: ReportedContext;
}

const BLAME: Partial<Record<GatewayErrorKind, Blame>> = {
  payment: 'ours',
  unauthorized: 'ours',
  invalid_request: 'ours',
  moderation: 'user',
  context_length: 'user',
  aborted: 'user',
};

/** `message` is for the operator's log; the text for users is chosen elsewhere. */
export class GatewayError extends Error {
  override readonly name = 'GatewayError';
  readonly kind: GatewayErrorKind;
  readonly blame: Blame;
  readonly status: number | null;
  readonly context: ReportedContext;
  usage: GatewayUsage;
  upstreamId: string | undefined;

  constructor(kind: GatewayErrorKind, message: string, detail: Detail = {}) {
    super(message);
    this.kind = kind;
    this.blame = detail.blame ?? BLAME[kind] ?? 'retryable';
    this.status = detail.status ?? null;
    this.context = detail.context ?? NO_REPORTED_CONTEXT;
    this.usage = detail.usage ?? NO_USAGE;
    this.upstreamId = detail.upstreamId;
  }
}

interface ReportedError {
  message: string | null;
  code: number | string | null;
  names: string;
  flagged: boolean;
  context: ReportedContext;
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function readError(error: unknown): ReportedError {
  if (!isRecord(error)) {
    const message = asText(error);
    const context = reportedContext({}, message);
    return { message: message || null, code: null, names: '', flagged: false, context };
  }
  const metadata = isRecord(error.metadata) ? error.metadata : {};
  const availability = isRecord(error.availability) ? error.availability : {};
  const numeric =
    typeof error.code === 'string' && /^\d{3}$/.test(error.code) ? Number(error.code) : error.code;
  const message = asText(error.message) || asText(error.detail);
  const names = [error.code, error.type, metadata.error_type, availability.code].map(asText);
  return {
    message: message || null,
    code: typeof numeric === 'number' || typeof numeric === 'string' ? numeric : null,
    names: names.join(' ').toLowerCase(),
    flagged: Array.isArray(metadata.reasons) || typeof metadata.flagged_input === 'string',
    context: reportedContext(error, message),
  };
}

type ErrorClass = readonly [GatewayErrorKind, Blame];

/** OpenRouter's error_type values and OpenAI's codes; they name the cause whatever the HTTP status. */
const BY_NAME: readonly (readonly [RegExp, ErrorClass])[] = [
  [/max_tokens_exceeded|payload_too_large/, ['invalid_request', 'user']],
  [/invalid_image|image_too_large|unsupported_image|image_download/, ['invalid_request', 'user']],
  [/content_policy|content_filter|moderation|\brefusal\b/, ['moderation', 'user']],
  [/payment_required|insufficient.(quota|credits)/, ['payment', 'ours']],
  [/rate_limit/, ['rate_limited', 'retryable']],
];

/** Providers that send no code state in the message that they decline the content. */
const DECLINED =
  /content.(policy|filter|management policy)|safety system|prohibited.content|input was flagged/i;

function classifyError(status: number | null, reported: ReportedError, other: GatewayErrorKind): ErrorClass {
  if (reported.flagged) return ['moderation', 'user'];
  if (isContextOverflow(reported.names, reported.message ?? '')) return ['context_length', 'user'];
  const named = BY_NAME.find(([names]) => names.test(reported.names));
  if (named) return named[1];
  if (status === 451 || DECLINED.test(reported.message ?? '')) return ['moderation', 'user'];
  if (status === 402) return ['payment', 'ours'];
  if (status === 401 || status === 403) return ['unauthorized', 'ours'];
  if (status === 429) return ['rate_limited', 'retryable'];
  if (status === 413) return ['invalid_request', 'user'];
  if (status === 400 || status === 422) return ['invalid_request', 'ours'];
  const permanent = status !== null && status >= 400 && status < 500 && status !== 408;
  return [other, permanent ? 'ours' : 'retryable'];
}

/** Returns one line of at most 300 characters, without the API key in case a server echoes it. */
export function redactForLog(message: string, apiKey: string): string {
  const redacted = apiKey === '' ? message : message.replaceAll(apiKey, '[key]');
  return redacted
    .replace(/[\u0000-\u001f\u007f\u2028\u2029]+/g, ' ')
    .slice(0, 300)
    .trim();
}

function specText(code: number | string, message: string | null, apiKey: string): string {
  return `OpenRouter API error: ${redactForLog(String(code), apiKey)} - ${redactForLog(message ?? '', apiKey) || 'Unknown error'}`;
}

export function httpError(status: number, body: string, apiKey: string): GatewayError {
  // An HTML error page adds nothing to the status.
  const parsed = parseRecord(body);
  const reported = readError(parsed && (parsed.error ?? parsed));
  const [kind, blame] = classifyError(status, reported, 'http_error');
  const detail = { blame, status, context: reported.context };
  return new GatewayError(kind, specText(status, reported.message, apiKey), detail);
}

export function eventError(error: unknown, apiKey: string): GatewayError {
  const reported = readError(error);
  const status =
    typeof reported.code === 'number' && reported.code >= 400 && reported.code < 600 ? reported.code : null;
  const [kind, blame] = classifyError(status, reported, 'error_event');
  const detail = { blame, status, context: reported.context };
  return new GatewayError(kind, specText(reported.code ?? 200, reported.message, apiKey), detail);
}
