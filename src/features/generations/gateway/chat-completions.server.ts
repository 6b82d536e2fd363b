import { startWithin } from '#platform/cut-utf8.server.ts';
import type { OutboundResponse } from '#platform/outbound/http-request.server.ts';
import { eventError, GatewayError } from './gateway-error.ts';
import { fromOutbound, openCall, upstreamIdOf } from './gateway-request.server.ts';
import type { ChatRequest, GatewayOutcome } from './gateway-types.ts';
import { finishOf } from './reply-parser.server.ts';
import { type Chunk, readChunk } from './stream-chunk.ts';
import { StreamedReply } from './streamed-reply.server.ts';
import { TextCleaner } from './text-cleaner.ts';
import { splitReply } from './think-tags.ts';
import { mergeUsage, NO_USAGE } from './token-usage.ts';

export type {
  ChatRequest,
  Citation,
  GatewayBounds,
  GatewayMessage,
  GatewayOutcome,
  GatewaySearch,
  GatewayUsage,
  Sampling,
} from './gateway-types.ts';

/** Certainly not a stream. Plain servers label streams loosely, so all other types are read as one. */
const NO_STREAM = /^\s*(text\/html|application\/(\w+\+)?json)\b/i;

async function textOf(response: OutboundResponse, request: ChatRequest): Promise<string> {
  try {
    return await response.text(request.bounds.eventBytes);
  } catch (error) {
    throw fromOutbound(error, true);
  }
}

async function notAStream(response: OutboundResponse, request: ChatRequest): Promise<GatewayError> {
  const chunk = readChunk(await textOf(response, request));
  if (chunk?.error) return eventError(chunk.error, request.apiKey);
  return new GatewayError('not_a_stream', 'Failed to get response stream reader', {
    status: response.status,
  });
}

/**
 * Yields clean text (no NUL, no lone surrogate, no code point split across two pieces). Thinking goes to `onThinking`
 * before the text that follows it, sources to `onCitations`. Never retries. Leaving the generator early or aborting the
 * request's signal closes the connection at once. Timeouts pause while the caller is busy. @throws GatewayError unless
 * the reply is whole.
 */
export async function* streamChat(request: ChatRequest): AsyncGenerator<string, GatewayOutcome, void> {
  const startedAt = performance.now();
  const response = await openCall(request, true);
  if (NO_STREAM.test(response.headers['content-type'] ?? '')) {
    const error = await notAStream(response, request);
    error.upstreamId = upstreamIdOf(response);
    throw error;
  }
  const reply = new StreamedReply(request, response, startedAt);
  const report = () => {
    const thinking = reply.takeThinking();
    if (thinking !== '') request.onThinking?.(thinking);
    const citations = reply.takeCitations();
    if (citations.length > 0) request.onCitations?.(citations);
  };
  try {
    for (let text = await reply.next(); text !== null; text = await reply.next()) {
      report();
      if (text !== '') yield text;
    }
    const rest = reply.end();
    report();
    if (rest !== '') yield rest;
    return reply.outcome();
  } finally {
    reply.close();
  }
}

function failureOf(chunk: Chunk | null, response: OutboundResponse, apiKey: string): GatewayError | null {
  if (chunk === null) {
    const html = /^\s*text\/html\b/i.test(response.headers['content-type'] ?? '');
    return html
      ? new GatewayError('not_a_stream', 'The gateway sent a page instead of a reply', {
          status: response.status,
        })
      : new GatewayError('malformed', 'The gateway sent a reply that cannot be read');
  }
  if (chunk.error !== null || chunk.finish === 'error') return eventError(chunk.error, apiKey);
  if (chunk.finish !== null) return null;
  return new GatewayError('truncated', 'The gateway ended the reply without a finish reason');
}

/**
 * `bounds.eventBytes` limits the size of the answer, `firstByteMs` the wait for its headers, `totalMs` the whole call.
 * Never retries. @throws GatewayError unless the reply is whole.
 */
export async function completeChat(request: ChatRequest): Promise<{ text: string } & GatewayOutcome> {
  const response = await openCall(request, false);
  const chunk = readChunk(await textOf(response, request));
  const usage = mergeUsage(NO_USAGE, chunk?.usage);
  const upstreamId = (upstreamIdOf(response) ?? chunk?.id) || undefined;
  const failure = failureOf(chunk, response, request.apiKey);
  if (chunk === null || failure !== null) {
    const error = failure ?? new GatewayError('malformed', 'The gateway sent a reply that cannot be read');
    error.usage = usage;
    error.upstreamId = upstreamId;
    throw error;
  }
  const cleaner = new TextCleaner();
  const { text: fullText } = splitReply(cleaner.push(chunk.text) + cleaner.end());
  const text = startWithin(fullText, request.bounds.textBytes);
  const finish = text.length < fullText.length ? 'bound' : finishOf(chunk.finish ?? 'stop');
  return { text, finish, usage, model: chunk.model || undefined, upstreamId };
}
