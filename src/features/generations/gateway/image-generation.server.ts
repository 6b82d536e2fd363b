import { Buffer } from 'node:buffer';
import type { OutboundResponse } from '#platform/outbound/http-request.server.ts';
import { eventError, GatewayError } from './gateway-error.ts';
import { fromOutbound, post, upstreamIdOf } from './gateway-request.server.ts';
import type { GatewayRequest, GatewayUsage } from './gateway-types.ts';
import { isRecord, parseRecord } from './stream-chunk.ts';
import { mergeUsage, NO_USAGE } from './token-usage.ts';

/** OpenRouter's POST /images, or OpenAI's POST /images/generations (protocols.md 2.4, 2.6). */
export type ImageProtocol = 'openrouter' | 'openai';

export interface GatewayImageRequest extends GatewayRequest {
  protocol: ImageProtocol;
  prompt: string;
  shape: 'square' | 'landscape';
  /** `totalMs` limits the whole call, `bytes` the whole answer. */
  bounds: { totalMs: number; bytes: number };
}

export interface GeneratedImage {
  bytes: Buffer;
  usage: GatewayUsage;
  upstreamId: string | undefined;
}

/** The smallest sizes of current models: 655,360 pixels or more, edges in multiples of 16 (protocols.md, finding 6). */
const openAiSizes = { square: '1024x1024', landscape: '1536x1024' };
const ratios = { square: '1:1', landscape: '3:2' };

/** GPT image models always send base64 and reject the parameter; other servers send URLs by default. */
const alwaysBase64 = /gpt-image/i;

/** Requests one picture per call, so that each is charged separately. Models refuse unknown fields. */
function bodyOf({ protocol, model, prompt, shape }: GatewayImageRequest): string {
  return JSON.stringify({
    model,
    prompt,
    ...(protocol === 'openrouter'
      ? { aspect_ratio: ratios[shape] }
      : {
          size: openAiSizes[shape],
          response_format: alwaysBase64.test(model) ? undefined : 'b64_json',
        }),
  });
}

const malformed = (what: string) => new GatewayError('malformed', `The gateway sent ${what}`);

function bytesOf(answer: Record<string, unknown>): Buffer {
  const [first] = Array.isArray(answer.data) ? (answer.data as unknown[]) : [];
  if (!isRecord(first)) throw malformed('no picture');
  const encoded = first.b64_json;
  if (typeof encoded !== 'string') throw malformed('no picture as base64');
  const plain = encoded.startsWith('data:') ? encoded.slice(encoded.indexOf(',') + 1) : encoded;
  const bytes = Buffer.from(plain, 'base64');
  if (bytes.length === 0) throw malformed('an empty picture');
  return bytes;
}

async function read(response: OutboundResponse, request: GatewayImageRequest): Promise<GeneratedImage> {
  let text: string;
  try {
    text = await response.text(request.bounds.bytes);
  } catch (error) {
    throw fromOutbound(error, true);
  }
  const answer = parseRecord(text);
  const usage = mergeUsage(NO_USAGE, answer?.usage);
  const upstreamId = upstreamIdOf(response);
  try {
    if (answer === null) throw malformed('an answer that is no JSON');
    if (answer.error) throw eventError(answer.error, request.apiKey);
    return { bytes: bytesOf(answer), usage, upstreamId };
  } catch (error) {
    if (error instanceof GatewayError) Object.assign(error, { usage, upstreamId });
    throw error;
  }
}

/** Never retries, because a retry would be paid again. @throws GatewayError. */
export async function requestImage(request: GatewayImageRequest): Promise<GeneratedImage> {
  const { totalMs, bytes } = request.bounds;
  const path = request.protocol === 'openrouter' ? '/images' : '/images/generations';
  const response = await post(request, {
    path,
    body: bodyOf(request),
    accept: 'application/json',
    firstByteMs: totalMs,
    totalMs,
    maxBytes: bytes,
  });
  return read(response, request);
}
