import { createPrivateKey, generateKeyPairSync, type JsonWebKey, randomBytes, sign } from 'node:crypto';
import { join } from 'node:path';
import { isRecord } from '../http.ts';
import { readJsonFile, writeJsonFileSync } from '../json-file.ts';

interface StoredKey {
  kid: string;
  jwk: JsonWebKey;
}

export type SigningFault = 'algNone' | 'unknownKid' | 'badSignature' | null;

function isStoredKey(value: unknown): value is StoredKey {
  if (!isRecord(value) || typeof value.kid !== 'string' || !isRecord(value.jwk)) return false;
  try {
    return createPrivateKey({ key: value.jwk, format: 'jwk' }).asymmetricKeyType === 'rsa';
  } catch {
    return false;
  }
}

function newKey(): StoredKey {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return { kid: randomBytes(20).toString('hex'), jwk: privateKey.export({ format: 'jwk' }) };
}

function encoded(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

export class SigningKeys {
  readonly #path: string;
  #keys: StoredKey[];

  constructor(dir: string) {
    this.#path = join(dir, 'identity', 'google-keys.json');
    const stored = readJsonFile(this.#path);
    this.#keys = Array.isArray(stored) ? stored.filter(isStoredKey) : [];
  }

  #current(): StoredKey {
    if (!this.#keys[0]) this.rotate(false);
    return this.#keys[0]!;
  }

  rotate(keepOld: boolean): string[] {
    this.#keys = [newKey(), ...(keepOld ? this.#keys.slice(0, 1) : [])];
    writeJsonFileSync(this.#path, this.#keys);
    return this.#keys.map(({ kid }) => kid);
  }

  /** Returns the public keys as a JWK set (RFC 7517). */
  published(): { keys: Record<string, unknown>[] } {
    this.#current();
    const use = { kty: 'RSA', use: 'sig', alg: 'RS256' };
    return { keys: this.#keys.map(({ kid, jwk: { n, e } }) => ({ ...use, kid, n, e })) };
  }

  token(claims: Record<string, unknown>, fault: SigningFault = null): string {
    const { kid, jwk } = this.#current();
    if (fault === 'algNone') return `${encoded({ alg: 'none', typ: 'JWT' })}.${encoded(claims)}.`;
    const header = { alg: 'RS256', kid: fault === 'unknownKid' ? `unknown-${kid}` : kid, typ: 'JWT' };
    const input = `${encoded(header)}.${encoded(claims)}`;
    // A valid signature of other data: as long and as well formed as the right one.
    const signedInput = Buffer.from(fault === 'badSignature' ? `${input}.` : input);
    const key = createPrivateKey({ key: jwk, format: 'jwk' });
    return `${input}.${sign('sha256', signedInput, key).toString('base64url')}`;
  }
}
