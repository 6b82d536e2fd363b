import { createECDH, createPrivateKey, hkdfSync, type KeyObject, sign } from 'node:crypto';
import { config } from '#platform/config/config.server.ts';
import { setting } from '#shared/settings.ts';

const ORDER = BigInt('0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551');

/** Push services take tokens of 24 hours at most; a clock may be off. */
const TOKEN_SECONDS = 12 * 3600;

/** Of P-256, by FIPS 186-5, A.2.1: 128 bits more than its order, so that every scalar is as likely as the next. */
function privateScalar(secret: string): Buffer {
  const bits = Buffer.from(hkdfSync('sha256', secret, '', 'web push', 48)).toString('hex');
  const scalar = (BigInt(`0x${bits}`) % (ORDER - 1n)) + 1n;
  return Buffer.from(scalar.toString(16).padStart(64, '0'), 'hex');
}

interface VapidKey {
  secret: string;
  /** Uncompressed point, base64url: what a browser binds its subscription to. */
  publicKey: string;
  privateKey: KeyObject;
}

let current: VapidKey | undefined;

/**
 * Of this site's AUTH_SECRET: the same in every process, in no table, and another one as soon as that secret ends all
 * sessions.
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

/** Whom the people of a push service can reach; they refuse what is neither https nor mailto. */
const subject = () => (config().secure ? config().publicUrl : `mailto:${setting('contact.email')}`);

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** RFC 8292. */
export function vapidAuthorization(audience: string): string {
  const { publicKey, privateKey } = vapidKey();
  const exp = Math.floor(Date.now() / 1000) + TOKEN_SECONDS;
  const signed = `${part({ typ: 'JWT', alg: 'ES256' })}.${part({ aud: audience, exp, sub: subject() })}`;
  const signature = sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' });
  return `vapid t=${signed}.${signature.toString('base64url')}, k=${publicKey}`;
}
