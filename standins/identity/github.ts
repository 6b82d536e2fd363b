import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { baseOf, type Call, send, sendJson } from '../http.ts';
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
import { authenticatedClient, bearerToken, mountToken, redeem } from './token-endpoint.ts';
import type { Person } from './users.ts';

const DOCS = 'https://docs.github.com/apps/managing-oauth-apps';
const AT_AUTHORIZE = `${DOCS}/troubleshooting-authorization-request-errors/`;
const AT_TOKEN = `${DOCS}/troubleshooting-oauth-app-access-token-request-errors/`;
const API_DOCS = 'https://docs.github.com/rest';

const ERRORS: Record<string, [description: string, uri: string]> = {
  bad_verification_code: ['The code passed is incorrect or expired.', `${AT_TOKEN}#bad-verification-code`],
  incorrect_client_credentials: [
    'The client_id and/or client_secret passed are incorrect.',
    `${AT_TOKEN}#incorrect-client-credentials`,
  ],
  redirect_uri_mismatch: [
    'The redirect_uri MUST match the registered callback URL for this application.',
    `${AT_AUTHORIZE}#redirect-uri-mismatch2`,
  ],
  unverified_user_email: [
    'The user must have a verified primary email.',
    `${AT_TOKEN}#unverified_user_email`,
  ],
};

function read(params: Params): AuthorizeRequest {
  const type = params.get('response_type') ?? 'code';
  if (type !== 'code')
    throw new Refusal('unsupported_response_type', `Only response_type code is served, not ${type}.`);
  return {
    clientId: required(params, 'client_id'),
    redirectUri: redirectAddress(params),
    state: params.get('state') ?? null,
    scopes: words(params.get('scope')?.replaceAll(',', ' ')),
    nonce: null,
    challenge: codeChallenge(params),
    // GitHub only knows select_account, which the page does anyway.
    prompts: [],
    hint: params.get('login') ?? null,
    offline: false,
  };
}

const RULES: AuthorizeRules = {
  carried: [
    ...['allow_signup', 'client_id', 'code_challenge', 'code_challenge_method', 'login', 'prompt'],
    ...['redirect_uri', 'response_type', 'scope', 'state'],
  ],
  read,
  granted: (scopes) => [...new Set(scopes)],
  newCode: () => randomBytes(10).toString('hex'),
  extras: (_base, _request, error): Record<string, string> => {
    if (error !== 'access_denied') return {};
    const error_description = 'The user has denied your application access.';
    return { error_description, error_uri: `${AT_AUTHORIZE}#access-denied` };
  },
};

function sendAnswer({ req, res }: Call, answer: Record<string, string>): void {
  const caching = { 'cache-control': 'max-age=0, private, must-revalidate, no-store' };
  if (/\bapplication\/json\b/i.test(req.headers.accept ?? '')) sendJson(res, 200, answer, caching);
  else send(res, 200, 'application/x-www-form-urlencoded', String(new URLSearchParams(answer)), caching);
}

/** GitHub sends OAuth errors with status 200. */
function sendError(call: Call, error: string): string {
  const [error_description, error_uri] = ERRORS[error] ?? ['The request was refused.', AT_TOKEN];
  sendAnswer(call, { error, error_description, error_uri });
  return error;
}

function clientOf({ req }: Call, params: Params): string {
  try {
    return authenticatedClient(req, params);
  } catch (error) {
    throw new Refusal('incorrect_client_credentials', String(error));
  }
}

function sendMessage(res: ServerResponse, status: number, message: string): void {
  sendJson(res, status, { message, documentation_url: API_DOCS, status: String(status) });
}

/** A profile only shows a verified address, and only if its owner allows it. */
const isPublic = ({ verified, hidden }: Person) => verified && !hidden;

function profileOf(person: Person, base: string): Record<string, unknown> {
  const id = Number(person.subject);
  return {
    ...{ login: person.login, id, node_id: Buffer.from(`04:User${id}`).toString('base64') },
    avatar_url: URL.parse(person.picture, base)?.href,
    gravatar_id: '',
    url: `${base}/github/api/users/${person.login}`,
    html_url: `${base}/github/${person.login}`,
    ...{ type: 'User', site_admin: false, name: person.name || null, company: null, location: null },
    email: isPublic(person) ? person.email : null,
    bio: null,
    created_at: '2015-10-21T07:28:00Z',
    updated_at: '2026-01-05T10:00:00Z',
  };
}

/** GitHub also gives every account with an address a noreply one. */
function emailsOf(person: Person): Record<string, unknown>[] {
  if (!person.email) return [];
  const noreply = `${person.subject}+${person.login}@users.noreply.github.com`;
  const visibility = isPublic(person) ? 'public' : 'private';
  return [
    { email: noreply, primary: false, verified: true, visibility: null },
    { email: person.email, primary: true, verified: person.verified, visibility },
  ];
}

/** Serves an API path; the token must have one of `scopes`, if any. */
function mountRead(
  parts: ProviderParts,
  place: 'user' | 'emails',
  { path, scopes }: { path: string; scopes: string[] },
  answer: (person: Person, base: string) => unknown,
): void {
  parts.router.on('GET', `/github/api${path}`, async (call) => {
    const { req, res } = call;
    openEntry(parts, call, place);
    const interrupted = await parts.faults.interrupted(res, place, (status, code) =>
      sendMessage(res, code ? 403 : status, code ?? 'Server Error'),
    );
    if (interrupted) return;
    if (!req.headers['user-agent']?.trim()) {
      const forbidden = 'Request forbidden by administrative rules.';
      const hint = 'Please make sure your request has a User-Agent header.';
      return send(res, 403, 'text/plain', `${forbidden} ${hint}\r\n`, { 'cache-control': 'no-cache' });
    }
    const token = bearerToken(req, ['bearer', 'token']);
    const access = parts.grants.accessFor(token ?? '');
    if (!access) return sendMessage(res, 401, token === null ? 'Requires authentication' : 'Bad credentials');
    if (scopes.length > 0 && !scopes.some((scope) => access.scopes.includes(scope)))
      return sendMessage(res, 404, 'Not Found');
    sendJson(res, 200, answer(access.person, baseOf(req)), {
      'access-control-allow-origin': '*',
      'cache-control': 'private, max-age=60, s-maxage=60',
      vary: 'Accept, Authorization, Cookie, X-GitHub-OTP',
      'x-accepted-oauth-scopes': scopes.join(', '),
      'x-oauth-scopes': access.scopes.join(', '),
    });
  });
}

export function mountGitHub(parts: ProviderParts): void {
  mountAuthorize(parts, RULES);
  mountToken(parts, '/github/login/oauth/access_token', {
    fail: (call) => (status, code) => {
      if (code) sendError(call, code);
      else sendJson(call.res, status, { message: 'Server Error' });
    },
    answer: (call, params) => {
      // redirect_uri is optional here; if present, it must be the one that received the code.
      const issued = redeem(parts.grants, clientOf(call, params), params);
      const access_token = parts.grants.issueToken(issued, 'gho_', null);
      sendAnswer(call, { access_token, scope: issued.scopes.join(','), token_type: 'bearer' });
    },
    refuse: (call, code) =>
      sendError(call, code === null || code === 'invalid_grant' ? 'bad_verification_code' : code),
  });
  mountRead(parts, 'user', { path: '/user', scopes: [] }, profileOf);
  mountRead(parts, 'emails', { path: '/user/emails', scopes: ['user', 'user:email'] }, emailsOf);
}
