import { randomBytes } from 'node:crypto';
import { baseOf, sendJson } from '../http.ts';
import { type AuthorizeRules, mountAuthorize, openEntry, type ProviderParts } from './authorize.ts';
import {
  type AuthorizeRequest,
  codeChallenge,
  type Params,
  Refusal,
  redirectAddress,
  required,
  words,
} from './authorize-request.ts';
import type { Failure } from './faults.ts';
import { claimsOf, grantedScopes, isScope, mountGoogleToken } from './google-token.ts';
import type { SigningKeys } from './signing-keys.ts';
import { bearerToken } from './token-endpoint.ts';

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
    // Google's codes contain a slash, which a client must decode once and encode again.
    newCode: () => `4/0${randomBytes(32).toString('base64url')}`,
    extras: (base, request, error): Record<string, string> => {
      const iss = faults.is('wrongResponseIss') ? `${base}/other` : `${base}/google`;
      const scope = grantedScopes(request.scopes).join(' ');
      const prompt = request.prompts.join(' ') || 'consent';
      return error === null ? { iss, scope, authuser: '0', prompt } : { iss };
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

export function mountGoogle(parts: ProviderParts, keys: SigningKeys, now: () => number): void {
  const { router, faults, grants } = parts;
  mountAuthorize(parts, rules(parts));
  mountGoogleToken(parts, keys, now);
  router.on('GET', '/google/.well-known/openid-configuration', (call) => {
    openEntry(parts, call, null);
    const readable = { 'access-control-allow-origin': '*', vary: 'Origin' };
    const headers = { ...readable, 'cache-control': 'public, max-age=3600' };
    sendJson(call.res, 200, discovery(baseOf(call.req)), headers);
  });
  router.on('GET', '/google/jwks', async (call) => {
    openEntry(parts, call, 'jwks');
    const fail: Failure = (status, code) => sendJson(call.res, status, { error: code ?? 'backendError' });
    if (await faults.interrupted(call.res, 'jwks', fail)) return;
    const caching = 'public, max-age=19800, must-revalidate, no-transform';
    sendJson(call.res, 200, keys.published(), { 'cache-control': caching });
  });
  router.on('GET', '/google/userinfo', async (call) => {
    const { req, res } = call;
    openEntry(parts, call, 'user');
    const fail: Failure = (status, code) => sendJson(res, status, { error: code ?? 'internal_failure' });
    if (await faults.interrupted(res, 'user', fail)) return;
    const access = grants.accessFor(bearerToken(req) ?? '');
    if (access) return sendJson(res, 200, claimsOf(access, baseOf(req)));
    const challenge = `Bearer realm="${baseOf(req)}/google", error="invalid_token"`;
    const error = { error: 'invalid_token', error_description: 'Invalid Credentials' };
    sendJson(res, 401, error, { 'www-authenticate': challenge });
  });
}
