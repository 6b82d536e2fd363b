/** Google's token endpoint (RFC 6749 4.1.3, OIDC Core 3.1.3) and the id_token that it gives. */
import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { baseOf, type Call, HttpError, readForm, sendJson } from '../http.ts';
import { opened, type ProviderParts } from './authorize.ts';
import { provenClient } from './client.ts';
import type { Faults } from './faults.ts';
import { claimsOf } from './google-claims.ts';
import type { Grants, Issued } from './grants.ts';
import type { SigningFault, SigningKeys } from './keys.ts';
import { type Params, provesChallenge, Refusal, readParams } from './request.ts';

const LIFE_SECONDS = 3599;
const NEVER_STORED = {
  'cache-control': 'no-cache, no-store, max-age=0, must-revalidate',
  pragma: 'no-cache',
};

/** The client that proved itself. Throws Refusal; invalid_client is a 401 (RFC 6749 5.2). */
function clientOf(req: IncomingMessage, params: Params): string {
  const proof = provenClient(req, params);
  if ('id' in proof) return proof.id;
  if (proof.refused === 'wrong') throw new Refusal('invalid_client', 'Unauthorized');
  const why = {
    no_id: 'Could not determine client ID from request.',
    no_secret: 'client_secret is missing.',
    two_ways: 'The client authenticated in two ways.',
  };
  throw new Refusal('invalid_request', why[proof.refused]);
}

/** The grant of a token request, used up. Throws Refusal. */
function grantOf(grants: Grants, clientId: string, params: Params): Issued {
  const type = params.get('grant_type');
  if (!type) throw new Refusal('invalid_request', 'Required parameter is missing: grant_type');
  if (type !== 'authorization_code')
    throw new Refusal('unsupported_grant_type', `Invalid grant_type: ${type}`);
  const code = params.get('code');
  if (!code) throw new Refusal('invalid_request', 'Missing required parameter: code');
  const issued = grants.take(code);
  if (issued === 'unknown') throw new Refusal('invalid_grant', 'Malformed auth code.');
  if (typeof issued === 'string') throw new Refusal('invalid_grant', `Bad Request: the code is ${issued}.`);
  const { request } = issued;
  if (request.clientId !== clientId) throw new Refusal('invalid_grant', 'The code is of another client.');
  if (request.redirectUri !== params.get('redirect_uri'))
    throw new Refusal('redirect_uri_mismatch', 'Bad Request');
  const verifier = params.get('code_verifier');
  if (!verifier) throw new Refusal('invalid_grant', 'Missing code verifier.');
  if (!provesChallenge(verifier, request.challenge ?? ''))
    throw new Refusal('invalid_grant', 'Invalid code verifier.');
  return issued;
}

function signingFault(faults: Faults): SigningFault {
  const all = ['algNone', 'unknownKid', 'badSignature'] as const;
  return all.find((fault) => faults.is(fault)) ?? null;
}

interface TokenParts extends ProviderParts {
  keys: SigningKeys;
  /** Seconds of the stand-ins' clock. */
  now: number;
  base: string;
}

function idToken({ faults, keys, now, base }: TokenParts, issued: Issued, accessToken: string): string {
  const { request, person, scopes } = issued;
  const half = createHash('sha256').update(accessToken).digest().subarray(0, 16);
  const iat = faults.is('expired') ? now - 2 * 3600 : now;
  const nonce = faults.is('wrongNonce') ? `${request.nonce ?? ''}x` : request.nonce;
  return keys.token(
    {
      iss: faults.is('wrongIss') ? `${base}/other` : `${base}/google`,
      azp: request.clientId,
      aud: faults.is('wrongAud') ? 'another-client' : request.clientId,
      ...claimsOf(person, scopes, base),
      at_hash: half.toString('base64url'),
      ...(nonce === null ? {} : { nonce }),
      iat,
      exp: iat + 3600,
    },
    signingFault(faults),
  );
}

function answerFor(parts: TokenParts, issued: Issued): Record<string, unknown> {
  const token = parts.grants.access(issued, 'ya29.', LIFE_SECONDS);
  const first = parts.grants.isFirst(issued);
  const refresh = issued.request.offline && (first || issued.request.prompts.includes('consent'));
  return {
    access_token: token,
    expires_in: LIFE_SECONDS,
    ...(refresh ? { refresh_token: `1//0${randomBytes(32).toString('base64url')}` } : {}),
    scope: issued.scopes.join(' '),
    token_type: 'Bearer',
    ...(parts.faults.is('noIdToken') ? {} : { id_token: idToken(parts, issued, token) }),
  };
}

function sendError(call: Call, error: unknown): string {
  const known = error instanceof Refusal || error instanceof HttpError;
  if (!known) throw error;
  const code = error instanceof Refusal ? error.code : 'invalid_request';
  const basic = code === 'invalid_client' && call.req.headers.authorization !== undefined;
  const headers = basic ? { ...NEVER_STORED, 'www-authenticate': 'Basic realm="google"' } : NEVER_STORED;
  sendJson(
    call.res,
    code === 'invalid_client' ? 401 : 400,
    { error: code, error_description: error.message },
    headers,
  );
  return code;
}

/** Answers POST /google/token. `now` gives milliseconds of the stand-ins' clock. */
export async function answerToken(
  parts: ProviderParts,
  keys: SigningKeys,
  now: () => number,
  call: Call,
): Promise<void> {
  const { req, res } = call;
  const search = await readForm(req).catch((error: unknown) => error);
  const entry = opened(parts, call, 'token', search instanceof URLSearchParams ? search : []);
  const fail = (status: number, code: string | null) =>
    sendJson(
      res,
      status,
      { error: code ?? 'internal_failure', error_description: 'Backend Error' },
      NEVER_STORED,
    );
  if (await parts.faults.interrupted(res, 'token', fail)) return;
  try {
    if (!(search instanceof URLSearchParams)) throw search;
    const params = readParams(search);
    const issued = grantOf(parts.grants, clientOf(req, params), params);
    const token = { ...parts, keys, now: Math.floor(now() / 1000), base: baseOf(req) };
    sendJson(res, 200, answerFor(token, issued), NEVER_STORED);
    entry.view.detail.outcome = 'granted';
  } catch (error) {
    entry.view.detail.outcome = sendError(call, error);
  }
}
