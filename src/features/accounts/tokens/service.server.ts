import { createHmac, hkdfSync, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { config } from '../../../platform/config/config.server.ts';

/** What a hash is for; each purpose has a key of its own. */
export type Purpose =
  | 'session'
  | 'link'
  | 'code'
  | 'browser'
  | 'limit'
  | 'restore'
  | 'oauth-state'
  | 'oauth-verifier'
  | 'oauth-nonce'
  | 'newsletter';

let keys: { secret: string; of: Map<Purpose, Buffer> } | undefined;

function keyFor(purpose: Purpose): Buffer {
  const secret = config().authSecret;
  if (keys?.secret !== secret) keys = { secret, of: new Map() };
  const known = keys.of.get(purpose);
  if (known) return known;
  const key = Buffer.from(hkdfSync('sha256', secret, '', `accounts:${purpose}`, 32));
  keys.of.set(purpose, key);
  return key;
}

/** A secret of 256 bits for a cookie or a link, 43 characters of base64url. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Whether a text can be a token of `newToken` at all. */
export function looksLikeToken(text: unknown): text is string {
  return typeof text === 'string' && /^[\w-]{43}$/.test(text);
}

/** Six digits, each of the million equally likely. */
export function newCode(): string {
  return randomInt(1_000_000).toString().padStart(6, '0');
}

/**
 * What is stored in place of a secret: HMAC-SHA256 under a key from AUTH_SECRET, so a copy of the database opens
 * nothing, short codes included, and a new AUTH_SECRET ends every session.
 */
export function keyedHash(purpose: Purpose, text: string): Buffer {
  return createHmac('sha256', keyFor(purpose)).update(text).digest();
}

/** Compares two hashes in constant time. */
export function sameHash(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}
