import {
  createHmac,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
  randomInt,
  timingSafeEqual,
} from 'node:crypto';
import { config } from '#platform/config/config.server.ts';

type HashPurpose =
  | 'session'
  | 'link'
  | 'code'
  | 'browser'
  | 'device'
  | 'limit'
  | 'restore'
  | 'oauth-state'
  | 'oauth-verifier'
  | 'oauth-nonce'
  | 'newsletter'
  | 'picture'
  | 'offline';

let keys: { secret: string; byPurpose: Map<HashPurpose, KeyObject> } | undefined;

function keyFor(purpose: HashPurpose): KeyObject {
  const secret = config().authSecret;
  if (keys?.secret !== secret) keys = { secret, byPurpose: new Map() };
  const known = keys.byPurpose.get(purpose);
  if (known) return known;
  const key = createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', `accounts:${purpose}`, 32)));
  keys.byPurpose.set(purpose, key);
  return key;
}

/** 256 bits, 43 characters of base64url. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

export function looksLikeToken(text: unknown): text is string {
  return typeof text === 'string' && /^[\w-]{43}$/.test(text);
}

export function newCode(): string {
  return randomInt(1_000_000).toString().padStart(6, '0');
}

/**
 * HMAC with a key derived from AUTH_SECRET: a copy of the database reveals no token and no code, however short, and a
 * new AUTH_SECRET ends every session.
 */
export function keyedHash(purpose: HashPurpose, text: string): Buffer {
  return createHmac('sha256', keyFor(purpose)).update(text).digest();
}

export function sameHash(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}
