/** RFC 8292: the sender's signed token, made with the key that the subscription is bound to. */
import { createPublicKey, verify } from 'node:crypto';

const DAY_SECONDS = 24 * 3600;

function isSigned(token: string, key: Buffer): boolean {
  const [header = '', claims = '', signature = ''] = token.split('.');
  const coordinate = (from: number) => key.subarray(from, from + 32).toString('base64url');
  const jwk = { kty: 'EC', crv: 'P-256', x: coordinate(1), y: coordinate(33) };
  const publicKey = createPublicKey({ format: 'jwk', key: jwk });
  const signed = Buffer.from(`${header}.${claims}`);
  return verify(
    'sha256',
    signed,
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  );
}

const parsed = (part = ''): Record<string, unknown> => JSON.parse(Buffer.from(part, 'base64url').toString());

/** @returns the status and reason to refuse the header with; null when it is valid. */
export function refusalOf(header: string | undefined, { key, audience }: { key: string; audience: string }) {
  const [, token, sentKey] = /^vapid t=([\w-]+\.[\w-]+\.[\w-]+), ?k=([\w-]+)$/.exec(header ?? '') ?? [];
  if (!token || !sentKey) return { status: 401, reason: 'There is no vapid token.' };
  if (sentKey !== key) return { status: 403, reason: 'The subscription was made for another key.' };
  try {
    const [head, claims] = token.split('.', 2).map(parsed);
    const remaining = Number(claims?.exp) - Date.now() / 1000;
    if (head?.alg !== 'ES256' || !isSigned(token, Buffer.from(sentKey, 'base64url')))
      return { status: 403, reason: 'The token is not signed with this key.' };
    if (claims?.aud !== audience) return { status: 403, reason: `The token is for ${String(claims?.aud)}.` };
    if (!(remaining > 0 && remaining <= DAY_SECONDS))
      return { status: 403, reason: 'The token lasts no day.' };
    if (!/^(mailto:.+@.+|https:\/\/.+)$/.test(String(claims.sub)))
      return { status: 403, reason: 'Nobody can be reached about it.' };
    return null;
  } catch {
    return { status: 401, reason: 'The token cannot be read.' };
  }
}
