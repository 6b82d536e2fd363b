import { randomUUID } from 'node:crypto';
import { cleanInput } from '#shared/input-text.ts';
import { eventError, GatewayError } from './gateway-error.ts';
import { fromOutbound, post, upstreamIdOf } from './gateway-request.server.ts';
import type { GatewayRequest, GatewayUsage } from './gateway-types.ts';
import { parseRecord } from './stream-chunk.ts';
import { mergeUsage, NO_USAGE } from './token-usage.ts';

/** `POST /audio/transcriptions` in OpenAI's format, which OpenRouter accepts besides its own. */
export interface TranscriptionRequest extends GatewayRequest {
  audio: Buffer;
  /** The media type and its file extension, by which gateways recognize the format. */
  type: string;
  ending: string;
  /** `totalMs` limits the whole call, `bytes` the whole answer. */
  bounds: { totalMs: number; bytes: number };
}

export interface Transcript {
  /** Empty if nothing was recognized. */
  text: string;
  usage: GatewayUsage;
  upstreamId: string | undefined;
}

/**
 * Builds the smallest form that all servers accept. Sends no language: servers detect it, and the page's language may
 * differ from the spoken one.
 */
function formOf({ model, audio, type, ending }: TranscriptionRequest): { body: Buffer; contentType: string } {
  const boundary = `part-${randomUUID()}`;
  const field = (name: string, value: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const file = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="audio.${ending}"\r\nContent-Type: ${type}\r\n\r\n`;
  const head = `${field('model', model)}${field('response_format', 'json')}${file}`;
  return {
    body: Buffer.concat([Buffer.from(head), audio, Buffer.from(`\r\n--${boundary}--\r\n`)]),
    contentType: `multipart/form-data; boundary=${boundary}`,
  };
}

/** Never retries, because a retry would be paid again. @throws GatewayError. */
export async function requestTranscript(request: TranscriptionRequest): Promise<Transcript> {
  const { totalMs, bytes } = request.bounds;
  const response = await post(request, {
    path: '/audio/transcriptions',
    ...formOf(request),
    accept: 'application/json',
    firstByteMs: totalMs,
    totalMs,
    maxBytes: bytes,
  });
  const answer = parseRecord(
    await response.text(bytes).catch((error: unknown) => {
      throw fromOutbound(error, true);
    }),
  );
  const usage = mergeUsage(NO_USAGE, answer?.usage);
  const upstreamId = upstreamIdOf(response);
  if (answer?.error) throw Object.assign(eventError(answer.error, request.apiKey), { usage, upstreamId });
  if (typeof answer?.text !== 'string')
    throw Object.assign(new GatewayError('malformed', 'The gateway sent no transcript'), {
      usage,
      upstreamId,
    });
  return { text: cleanInput(answer.text), usage, upstreamId };
}
