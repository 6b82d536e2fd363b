/** Token requests: RFC 6749 4.1.3, OIDC Core 3.1.3. */
import { createHash, randomBytes } from 'node:crypto';
import { baseOf, type Call, sendJson } from '../http.ts';
import type { ProviderParts } from './authorize.ts';
import { type Params, Refusal, required } from './authorize-request.ts';
import type { Issued } from './grants.ts';
import type { SigningKeys } from './signing-keys.ts';
import { authenticatedClient, mountToken, redeem } from './token-endpoint.ts';
import type { Person } from './users.ts';

const EMAIL = 'https://www.googleapis.com/auth/userinfo.email';
const PROFILE = 'https://www.googleapis.com/auth/userinfo.profile';
/** Google accepts short scope names and answers with the long ones. */
const LONG_NAMES = new Map(
  Object.entries({ openid: 'openid', email: EMAIL, profile: PROFILE, [EMAIL]: EMAIL, [PROFILE]: PROFILE }),
);
const LIFETIME_SECONDS = 3599;
const NO_STORE = {
  'cache-control': 'no-cache, no-store, max-age=0, must-revalidate',
  pragma: 'no-cache',
};

export const isScope = (scope: string) => LONG_NAMES.has(scope);

export function grantedScopes(scopes: string[]): string[] {
  return [...new Set(scopes.map((scope) => LONG_NAMES.get(scope) ?? scope))];
}

/** Returns the claims of a person; picture paths of this server are resolved against `base`. */
export function claimsOf({ person, scopes }: Pick<Issued, 'person' | 'scopes'>, base: string) {
  const { name, email, verified, picture, subject }: Person = person;
  const [given_name, ...family] = name.split(' ');
  const family_name = family.length > 0 ? { family_name: family.join(' ') } : {};
  return {
    sub: subject,
    ...(scopes.includes(PROFILE) && { name, picture: URL.parse(picture, base)?.href, given_name }),
    ...(scopes.includes(PROFILE) && family_name),
    ...(scopes.includes(EMAIL) && email && { email, email_verified: verified }),
  };
}

export function mountGoogleToken(parts: ProviderParts, keys: SigningKeys, now: () => number): void {
  const { faults, grants } = parts;

  const idToken = (issued: Issued, accessToken: string, base: string): string => {
    const { request } = issued;
    const half = createHash('sha256').update(accessToken).digest().subarray(0, 16);
    const iat = Math.floor(now() / 1000) - (faults.is('expired') ? 2 * 3600 : 0);
    const nonce = faults.is('wrongNonce') ? `${request.nonce ?? ''}x` : request.nonce;
    const claims = {
      iss: `${base}/${faults.is('wrongIss') ? 'other' : 'google'}`,
      azp: request.clientId,
      aud: faults.is('wrongAud') ? 'another-client' : request.clientId,
      ...claimsOf(issued, base),
      at_hash: half.toString('base64url'),
      ...(nonce === null ? {} : { nonce }),
      ...{ iat, exp: iat + 3600 },
    };
    const signing = ['algNone', 'unknownKid', 'badSignature'] as const;
    return keys.token(claims, signing.find((fault) => faults.is(fault)) ?? null);
  };

  const answer = ({ req, res }: Call, params: Params): void => {
    const clientId = authenticatedClient(req, params);
    const type = required(params, 'grant_type');
    if (type !== 'authorization_code')
      throw new Refusal('unsupported_grant_type', `Invalid grant_type: ${type}`);
    required(params, 'code');
    const issued = redeem(grants, clientId, params, '');
    const { request, scopes } = issued;
    const token = grants.issueToken(issued, 'ya29.', LIFETIME_SECONDS);
    const first = grants.isFirst(issued);
    const refresh = request.offline && (first || request.prompts.includes('consent'));
    const body = {
      access_token: token,
      expires_in: LIFETIME_SECONDS,
      ...(refresh && { refresh_token: `1//0${randomBytes(32).toString('base64url')}` }),
      ...{ scope: scopes.join(' '), token_type: 'Bearer' },
      ...(!faults.is('noIdToken') && { id_token: idToken(issued, token, baseOf(req)) }),
    };
    sendJson(res, 200, body, NO_STORE);
  };

  mountToken(parts, '/google/token', {
    fail: (call) => (status, code) => {
      const error = { error: code ?? 'internal_failure', error_description: 'Backend Error' };
      sendJson(call.res, status, error, NO_STORE);
    },
    answer,
    /** Refuses a token request; invalid_client is a 401 (RFC 6749 5.2). */
    refuse: ({ req, res }, code, error_description) => {
      const error = code ?? 'invalid_request';
      const isUnauthorized = error === 'invalid_client';
      const basic = isUnauthorized && req.headers.authorization !== undefined;
      const challenge: Record<string, string> = basic ? { 'www-authenticate': 'Basic realm="google"' } : {};
      sendJson(res, isUnauthorized ? 401 : 400, { error, error_description }, { ...NO_STORE, ...challenge });
      return error;
    },
  });
}
