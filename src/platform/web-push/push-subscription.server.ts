import { ECDH } from 'node:crypto';
import { config } from '#platform/config/config.server.ts';
import { originPattern } from '../outbound/origin-pattern.ts';

export interface PushSubscription {
  endpoint: string;
  /** The browser's public key, an uncompressed P-256 point. */
  p256dh: Buffer;
  auth: Buffer;
}

/** In characters; the longest, from Edge, have about 500. */
const MAX_ENDPOINT = 1000;

/** Whether the endpoint belongs to a configured push service, which the outbound module lets through. */
function isPushServiceEndpoint(endpoint: string): boolean {
  const url = endpoint.length <= MAX_ENDPOINT ? URL.parse(endpoint) : null;
  if (url?.username !== '' || url.password !== '' || url.hash !== '') return false;
  return config().PUSH_SERVICES.some((pattern) => originPattern(pattern)?.(url));
}

function isPoint(key: Buffer): boolean {
  try {
    return key.length === 65 && ECDH.convertKey(key, 'prime256v1').length === 65;
  } catch {
    return false;
  }
}

/** @returns null for data that no browser sends, and for a push service that is not configured. */
export function readSubscription(input: {
  endpoint: string;
  keys: { p256dh: string; auth: string };
}): PushSubscription | null {
  const [p256dh, auth] = [input.keys.p256dh, input.keys.auth].map((key) => Buffer.from(key, 'base64url'));
  if (!p256dh || !auth || auth.length !== 16 || !isPoint(p256dh)) return null;
  return isPushServiceEndpoint(input.endpoint) ? { endpoint: input.endpoint, p256dh, auth } : null;
}
