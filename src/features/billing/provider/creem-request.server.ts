import { z } from 'zod/mini';
import { type OutboundInit, outbound } from '#platform/outbound/outbound.server.ts';
import { ProviderError } from './payment-provider.ts';

export interface CreemAccess {
  baseUrl: string;
  apiKey: string;
}

/** A user waits for most calls. Responses have a few kilobytes, a page of transactions a few hundred. */
const BOUNDS: Pick<OutboundInit, 'firstByteMs' | 'totalMs' | 'maxBytes'> = {
  firstByteMs: 10_000,
  totalMs: 12_000,
  maxBytes: 1024 * 1024,
};

const errorBody = z.object({
  message: z.optional(z.union([z.string(), z.array(z.string())])),
  error: z.optional(z.string()),
});

function errorDetail(text: string): string {
  try {
    const { message, error } = errorBody.parse(JSON.parse(text));
    return [message ?? error ?? ''].flat().join(' ').slice(0, 200);
  } catch {
    return '';
  }
}

/**
 * Sends a POST if there is a `body`. @throws ProviderError `refused` for 4xx, `unreachable` for 408, 5xx and timeouts
 * (a change may have taken effect), `unreadable` for invalid JSON.
 */
export async function callCreem(
  { baseUrl, apiKey }: CreemAccess,
  path: string,
  body?: object,
): Promise<unknown> {
  let status: number;
  let text: string;
  try {
    const response = await outbound(baseUrl.replace(/\/+$/, '') + path, {
      method: body ? 'POST' : 'GET',
      headers: {
        'x-api-key': apiKey,
        accept: 'application/json',
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      body: body && JSON.stringify(body),
      ...BOUNDS,
    });
    status = response.status;
    text = await response.text();
  } catch (error) {
    const kind = (error as { kind?: unknown }).kind;
    throw new ProviderError('unreachable', typeof kind === 'string' ? kind : 'no answer', null, error);
  }
  if (status < 200 || status >= 300) {
    const message = `status ${status} ${errorDetail(text)}`.trim();
    const refused = status >= 400 && status < 500 && status !== 408;
    throw new ProviderError(refused ? 'refused' : 'unreachable', message, status);
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ProviderError('unreadable', 'the answer is no JSON', status, error);
  }
}
