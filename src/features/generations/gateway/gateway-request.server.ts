import { isLoopbackHost } from '#platform/config/config.server.ts';
import type { OutboundResponse } from '#platform/outbound/http-request.server.ts';
import { outbound } from '#platform/outbound/outbound.server.ts';
import { OutboundFailed, OutboundRefused } from '#platform/outbound/outbound-errors.ts';
import { GatewayError, type GatewayErrorKind, httpError, redactForLog } from './gateway-error.ts';
import type { ChatRequest, GatewayRequest } from './gateway-types.ts';

/** Limits for reading the body of a refusal. */
const ERROR_BODY = { bytes: 64 * 1024, ms: 2_000 };

/** Received bytes per byte of text: a stream chunk of 300 bytes may carry one letter. */
const ENVELOPE = 512;

export function endpoint(baseUrl: string, path: string): URL {
  const text = baseUrl.replace(/\/+$/, '') + path;
  if (!URL.canParse(text))
    throw new GatewayError('refused', 'The gateway address is not a URL', { blame: 'ours' });
  return new URL(text);
}

function headerText(value: string): string {
  return value.replace(/[^\x20-\x7e]/g, '').trim();
}

/** Attribution: protocols.md 2.1. X-OpenRouter-Title is the current name of the specification's X-Title. */
export function headersOf(
  request: GatewayRequest,
  url: URL,
  accept: string,
  contentType = 'application/json',
): Record<string, string> {
  const key = request.apiKey.trim();
  if (!/^[\x21-\x7e]+$/.test(key) && !(key === '' && isLoopbackHost(url.hostname))) {
    throw new GatewayError('unauthorized', 'OpenRouter API key is required');
  }
  const title = headerText(request.title ?? '');
  const referer = headerText(request.referer ?? '');
  return {
    ...(key === '' ? {} : { authorization: `Bearer ${key}` }),
    'content-type': contentType,
    accept,
    ...(referer === '' ? {} : { 'HTTP-Referer': referer }),
    ...(title === '' ? {} : { 'X-OpenRouter-Title': title, 'X-Title': title }),
    'X-Request-Id': headerText(request.requestId),
  };
}

/** Builds a minimal body: plain servers refuse or ignore unknown fields (protocols.md 2.6). */
function bodyOf(request: ChatRequest, stream: boolean): string {
  return JSON.stringify({
    model: request.model,
    models: request.fallbacks?.length ? [request.model, ...request.fallbacks] : undefined,
    messages: request.messages,
    stream,
    temperature: request.temperature,
    max_tokens: request.maxTokens,
    response_format: request.responseFormat,
    plugins: request.search && [
      { id: 'web', max_results: request.search.maxResults, search_prompt: request.search.prompt },
    ],
    ...request.sampling,
    stream_options: stream ? { include_usage: true } : undefined,
  });
}

const KIND: Record<OutboundFailed['kind'], GatewayErrorKind> = {
  dns: 'refused',
  connect: 'refused',
  reset: 'truncated',
  protocol: 'truncated',
  first_byte_timeout: 'timeout_first_byte',
  total_timeout: 'timeout_total',
  too_large: 'event_too_large',
  closed: 'truncated',
  aborted: 'aborted',
};

export function fromOutbound(error: unknown, started: boolean): GatewayError {
  if (error instanceof GatewayError) return error;
  if (error instanceof OutboundRefused) return new GatewayError('refused', error.message, { blame: 'ours' });
  if (!(error instanceof OutboundFailed)) throw error;
  const kind = KIND[error.kind];
  return new GatewayError(kind === 'truncated' && !started ? 'refused' : kind, error.message);
}

async function readRefusal(response: OutboundResponse, apiKey: string): Promise<GatewayError> {
  const timer = setTimeout(() => response.close(), ERROR_BODY.ms);
  const body = await response.text(ERROR_BODY.bytes).catch(() => '');
  clearTimeout(timer);
  return httpError(response.status, body, apiKey);
}

interface PostOptions {
  path: string;
  body: string | Uint8Array;
  /** Default: JSON. */
  contentType?: string;
  accept: string;
  firstByteMs: number;
  totalMs: number;
  maxBytes: number;
}

/** Sends one request, without retries; resolves with the headers of a 2xx answer. @throws GatewayError otherwise. */
export async function post(request: GatewayRequest, options: PostOptions): Promise<OutboundResponse> {
  const { path, body, contentType, accept, firstByteMs, totalMs, maxBytes } = options;
  const url = endpoint(request.baseUrl, path);
  const headers = headersOf(request, url, accept, contentType);
  let response: OutboundResponse;
  try {
    response = await outbound(url, {
      method: 'POST',
      headers,
      body,
      signal: request.signal,
      firstByteMs,
      totalMs,
      maxBytes,
    });
  } catch (error) {
    throw fromOutbound(error, false);
  }
  request.onHead?.();
  if (response.status >= 200 && response.status < 300) return response;
  const error = await readRefusal(response, request.apiKey);
  if (request.signal.aborted) throw new GatewayError('aborted', 'The request was aborted');
  error.upstreamId = upstreamIdOf(response);
  throw error;
}

export function openCall(request: ChatRequest, stream: boolean): Promise<OutboundResponse> {
  const { firstByteMs, totalMs, eventBytes, textBytes } = request.bounds;
  return post(request, {
    path: '/chat/completions',
    body: bodyOf(request, stream),
    accept: stream ? 'text/event-stream' : 'application/json',
    firstByteMs,
    totalMs,
    maxBytes: eventBytes + (stream ? textBytes * ENVELOPE : 0),
  });
}

/** Returns the gateway's id for the call (protocols.md 2.2). */
export function upstreamIdOf(response: OutboundResponse): string | undefined {
  const id = response.headers['x-generation-id'];
  return typeof id === 'string' && id !== '' ? redactForLog(id, '') : undefined;
}
