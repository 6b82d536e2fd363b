/** Google: discovery, keys, the rules of its authorization endpoint, userinfo. The token endpoint: google-token.ts. */
import { randomBytes } from 'node:crypto';
import { baseOf, sendJson } from '../http.ts';
import { type AuthorizeRules, mountAuthorize, opened, type ProviderParts } from './authorize.ts';
import { bearerToken } from './client.ts';
import type { Failure } from './faults.ts';
import { claimsOf, grantedScopes, isScope } from './google-claims.ts';
import { answerToken } from './google-token.ts';
import type { SigningKeys } from './keys.ts';
import {
  type AuthorizeRequest,
  codeChallenge,
  type Params,
  Refusal,
  redirectAddress,
  required,
  words,
} from './request.ts';

const PROMPTS = ['none', 'consent', 'select_account'];
const CARRIED = [
  ...['access_type', 'client_id', 'code_challenge', 'code_challenge_method', 'login_hint', 'nonce'],
  ...['prompt', 'redirect_uri', 'response_type', 'scope', 'state'],
];

function readScopes(params: Params): string[] {
  const scopes = words(required(params, 'scope'));
  const unknown = scopes.filter((scope) => !isScope(scope));
  if (unknown.length > 0)
    throw new Refusal('invalid_scope', `Some requested scopes were invalid: ${unknown.join(' ')}`);
  if (!scopes.includes('openid')) throw new Refusal('invalid_scope', 'The scope holds no openid.');
  return scopes;
}

function readPrompts(params: Params): string[] {
  const prompts = words(params.get('prompt'));
  const alone = !prompts.includes('none') || prompts.length === 1;
  if (!alone || prompts.some((prompt) => !PROMPTS.includes(prompt)))
    throw new Refusal('invalid_request', `Invalid parameter value for prompt: ${prompts.join(' ')}`);
  return prompts;
}

function read(params: Params): AuthorizeRequest {
  const clientId = required(params, 'client_id');
  const redirectUri = redirectAddress(params);
  const type = required(params, 'response_type');
  if (type !== 'code')
    throw new Refusal('unsupported_response_type', `Only response_type code is served, not ${type}.`);
  const scopes = readScopes(params);
  const state = required(params, 'state');
  const challenge = codeChallenge(params);
  if (challenge === null) throw new Refusal('invalid_request', 'Missing required parameter: code_challenge');
  return {
    clientId,
    redirectUri,
    state,
    scopes,
    challenge,
    nonce: params.get('nonce') ?? null,
    prompts: readPrompts(params),
    hint: params.get('login_hint') ?? null,
    offline: params.get('access_type') === 'offline',
  };
}

function rules({ faults }: ProviderParts): AuthorizeRules {
  return {
    carried: CARRIED,
    read,
    granted: grantedScopes,
    // Google's codes hold a slash, which a client must decode once and encode again.
    newCode: () => `4/0${randomBytes(32).toString('base64url')}`,
    extras: (base, request, error): Record<string, string> => {
      const iss = faults.is('wrongResponseIss') ? `${base}/other` : `${base}/google`;
      if (error !== null) return { iss };
      return {
        iss,
        scope: grantedScopes(request.scopes).join(' '),
        authuser: '0',
        prompt: request.prompts.join(' ') || 'consent',
      };
    },
  };
}

function discovery(base: string): Record<string, unknown> {
  const google = `${base}/google`;
  return {
    issuer: google,
    authorization_endpoint: `${google}/authorize`,
    token_endpoint: `${google}/token`,
    userinfo_endpoint: `${google}/userinfo`,
    jwks_uri: `${google}/jwks`,
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    scopes_supported: ['openid', 'email', 'profile'],
    token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
    claims_supported: [
      ...['aud', 'email', 'email_verified', 'exp', 'family_name', 'given_name', 'iat', 'iss', 'name'],
      ...['picture', 'sub'],
    ],
    code_challenge_methods_supported: ['S256'],
    authorization_response_iss_parameter_supported: true,
  };
}

const READABLE = { 'access-control-allow-origin': '*', vary: 'Origin' };

/** Mounts everything under /google. `now` gives milliseconds of the stand-ins' clock. */
export function mountGoogle(parts: ProviderParts, keys: SigningKeys, now: () => number): void {
  const { router, faults, grants } = parts;
  mountAuthorize(parts, rules(parts));
  router.on('GET', '/google/.well-known/openid-configuration', (call) => {
    opened(parts, call, null);
    sendJson(call.res, 200, discovery(baseOf(call.req)), {
      ...READABLE,
      'cache-control': 'public, max-age=3600',
    });
  });
  router.on('GET', '/google/jwks', async (call) => {
    opened(parts, call, 'jwks');
    const fail: Failure = (status, code) => sendJson(call.res, status, { error: code ?? 'backendError' });
    if (await faults.interrupted(call.res, 'jwks', fail)) return;
    const caching = 'public, max-age=19800, must-revalidate, no-transform';
    sendJson(call.res, 200, keys.published(), { 'cache-control': caching });
  });
  router.on('POST', '/google/token', (call) => answerToken(parts, keys, now, call));
  router.on('GET', '/google/userinfo', async (call) => {
    const { req, res } = call;
    opened(parts, call, 'user');
    const fail: Failure = (status, code) => sendJson(res, status, { error: code ?? 'internal_failure' });
    if (await faults.interrupted(res, 'user', fail)) return;
    const access = grants.holder(bearerToken(req) ?? '');
    if (access) return sendJson(res, 200, claimsOf(access.person, access.scopes, baseOf(req)));
    const challenge = `Bearer realm="${baseOf(req)}/google", error="invalid_token"`;
    const error = { error: 'invalid_token', error_description: 'Invalid Credentials' };
    sendJson(res, 401, error, { 'www-authenticate': challenge });
  });
}
