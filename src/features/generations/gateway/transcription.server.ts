import { randomUUID } from 'node:crypto';
import { cleanInput } from '#shared/input-text.ts';
import { eventError, GatewayError } from './gateway-error.ts';
import { fromOutbound, post, upstreamIdOf } from './gateway-request.server.ts';
import type { GatewayRequest, GatewayUsage } from './gateway-types.ts';
import { parseRecord } from './stream-chunk.ts';
import { mergeUsage, NO_USAGE } from './token-usage.ts';

/** `POST /audio/transcriptions` as OpenAI has it, and OpenRouter beside a form of its own. */
export interface TranscriptionRequest extends GatewayRequest {
  audio: Buffer;
  /** Of its media type, and the ending of a file of its kind, by which gateways know it. */
  type: string;
  ending: string;
  /** Of the whole call, milliseconds; and of the whole answer, bytes. */
  bounds: { totalMs: number; bytes: number };
}

export interface Transcript {
  /** Empty where nothing was recognized. */
  text: string;
  usage: GatewayUsage;
  upstreamId: string | undefined;
}

/**
 * The smallest form that all servers take. Without a language: they tell it by themselves, while the one of the page may
 * be another than the one that is spoken.
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

/** Never tries twice: a second try would be paid a second time. @throws GatewayError. */
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
