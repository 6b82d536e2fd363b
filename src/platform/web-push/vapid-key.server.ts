import { createECDH, createPrivateKey, hkdfSync, type KeyObject, sign } from 'node:crypto';
import { config } from '#platform/config/config.server.ts';
import { setting } from '#shared/settings.ts';

const ORDER = BigInt('0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551');

/** Push services accept tokens of at most 24 hours; half of that allows for wrong clocks. */
const TOKEN_SECONDS = 12 * 3600;

/** A P-256 scalar by FIPS 186-5, A.2.1: derived from 128 bits more than the order has, which avoids bias. */
function privateScalar(secret: string): Buffer {
  const bits = Buffer.from(hkdfSync('sha256', secret, '', 'web push', 48)).toString('hex');
  const scalar = (BigInt(`0x${bits}`) % (ORDER - 1n)) + 1n;
  return Buffer.from(scalar.toString(16).padStart(64, '0'), 'hex');
}

interface VapidKey {
  secret: string;
  /** Uncompressed point in base64url, to which browsers bind their subscriptions. */
  publicKey: string;
  privateKey: KeyObject;
}

let current: VapidKey | undefined;

/**
 * Derives the key from AUTH_SECRET, so that it is the same in every process without being stored. It changes with that
 * secret, which also ends all sessions.
 */
function vapidKey(): VapidKey {
  const secret = config().authSecret;
  if (current?.secret === secret) return current;
  const ecdh = createECDH('prime256v1');
  ecdh.setPrivateKey(privateScalar(secret));
  const point = ecdh.getPublicKey();
  const coordinate = (from: number) => point.subarray(from, from + 32).toString('base64url');
  const jwk = { kty: 'EC', crv: 'P-256', x: coordinate(1), y: coordinate(33) };
  const d = ecdh.getPrivateKey().toString('base64url');
  current = {
    secret,
    publicKey: point.toString('base64url'),
    privateKey: createPrivateKey({ format: 'jwk', key: { ...jwk, d } }),
  };
  return current;
}

export const vapidPublicKey = (): string => vapidKey().publicKey;

/** Contact for the push service's operators, which must be an https or mailto address. */
const subject = () => (config().secure ? config().publicUrl : `mailto:${setting('contact.email')}`);

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Signs the Authorization header (RFC 8292) for a push service's origin. */
export function vapidAuthorization(audience: string): string {
  const { publicKey, privateKey } = vapidKey();
  const exp = Math.floor(Date.now() / 1000) + TOKEN_SECONDS;
  const signed = `${part({ typ: 'JWT', alg: 'ES256' })}.${part({ aud: audience, exp, sub: subject() })}`;
  const signature = sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `vapid t=${signed}.${signature.toString('base64url')}, k=${publicKey}`;
}
