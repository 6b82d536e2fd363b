import { createHmac, timingSafeEqual } from 'node:crypto';

/** Seconds by which a timestamp of Standard Webhooks may differ from our clock. */
const TOLERANCE = 300;

const MIN_KEY_BYTES = 16;

function equal(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Checks the hex of HMAC-SHA256 over the body. Repeated headers arrive joined by a comma, which is not hex. */
function isHexSigned(body: Uint8Array, signature: string, secret: string): boolean {
  const hex = /^(?:sha256=)?([0-9a-f]{64})$/i.exec(signature.trim())?.[1];
  if (!hex) return false;
  return equal(Buffer.from(hex, 'hex'), createHmac('sha256', secret).update(body).digest());
}

/** Decodes the base64 after `whsec_`; null for a secret of another form, or a short key. */
function standardKey(secret: string): Buffer | null {
  const base64 = /^whsec_([\w+/-]+=*)$/.exec(secret)?.[1];
  const key = base64 ? Buffer.from(base64, 'base64') : null;
  return key && key.length >= MIN_KEY_BYTES ? key : null;
}

/** Checks the base64 of HMAC-SHA256 over id, time and body; the header may hold several, separated by spaces. */
function isStandardSigned(body: Uint8Array, headers: Headers, secret: string, now: number): boolean {
  const [id, time, signatures] = ['id', 'timestamp', 'signature'].map(
    (name) => headers.get(`webhook-${name}`) ?? '',
  );
  const key = standardKey(secret);
  if (!key || !id || !signatures || !/^\d{1,12}$/.test(time ?? '')) return false;
  if (/, /.test(id + signatures) || Math.abs(now / 1000 - Number(time)) > TOLERANCE) return false;
  const expected = createHmac('sha256', key).update(`${id}.${time}.`).update(body).digest();
  return signatures
    .split(' ')
    .filter((one) => one.startsWith('v1,'))
    .some((one) => equal(Buffer.from(one.slice(3), 'base64'), expected));
}

/** Accepts both of Creem's signature formats (SDK 1.13, webhooks.ts). `now` in milliseconds since 1970. */
export function isSignedByCreem(
  body: Uint8Array,
  headers: Headers,
  secret: string | undefined,
  now = Date.now(),
): boolean {
  if (!secret) return false;
  const hex = headers.get('creem-signature') ?? headers.get('x-creem-signature');
  if (hex !== null && isHexSigned(body, hex, secret)) return true;
  return isStandardSigned(body, headers, secret, now);
}
