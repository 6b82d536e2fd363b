/** GitHub's OAuth app flow: the rules of its authorization endpoint, and access_token. The API: github-api.ts. */
import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { type Call, HttpError, readForm, sendJson } from '../http.ts';
import { type AuthorizeRules, mountAuthorize, opened, type ProviderParts } from './authorize.ts';
import { provenClient } from './client.ts';
import { mountGitHubApi } from './github-api.ts';
import type { Grants, Issued } from './grants.ts';
import {
  type AuthorizeRequest,
  codeChallenge,
  type Params,
  provesChallenge,
  Refusal,
  readParams,
  redirectAddress,
  required,
  words,
} from './request.ts';

const CARRIED = [
  ...['allow_signup', 'client_id', 'code_challenge', 'code_challenge_method', 'login', 'prompt'],
  ...['redirect_uri', 'response_type', 'scope', 'state'],
];
const DOCS = 'https://docs.github.com/apps/managing-oauth-apps';
const AT_AUTHORIZE = `${DOCS}/troubleshooting-authorization-request-errors/`;
const AT_TOKEN = `${DOCS}/troubleshooting-oauth-app-access-token-request-errors/`;

/** The errors of access_token as its documentation words them. */
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
    // GitHub knows select_account only, which the page does anyway.
    prompts: [],
    hint: params.get('login') ?? null,
    offline: false,
  };
}

const RULES: AuthorizeRules = {
  carried: CARRIED,
  read,
  granted: (scopes) => [...new Set(scopes)],
  newCode: () => randomBytes(10).toString('hex'),
  extras: (_base, _request, error): Record<string, string> => {
    if (error !== 'access_denied') return {};
    return {
      error_description: 'The user has denied your application access.',
      error_uri: `${AT_AUTHORIZE}#access-denied`,
    };
  },
};

/** Sends in the format that Accept asks for; a form where it asks for nothing that is known. */
function send({ req, res }: Call, answer: Record<string, string>): void {
  const caching = { 'cache-control': 'max-age=0, private, must-revalidate, no-store' };
  if (/\bapplication\/json\b/i.test(req.headers.accept ?? '')) {
    sendJson(res, 200, answer, caching);
    return;
  }
  const body = Buffer.from(String(new URLSearchParams(answer)));
  res.writeHead(200, {
    'content-type': 'application/x-www-form-urlencoded; charset=utf-8',
    'content-length': body.length,
    ...caching,
  });
  res.end(body);
}

/** GitHub answers errors of the protocol with status 200. */
function sendError(call: Call, code: string): void {
  const [description, uri] = ERRORS[code] ?? ['The request was refused.', AT_TOKEN];
  send(call, { error: code, error_description: description, error_uri: uri });
}

/** The grant of a token request, used up. Throws Refusal with one of GitHub's codes. */
function grantOf(grants: Grants, clientId: string, params: Params): Issued {
  const issued = grants.take(params.get('code') ?? '');
  if (typeof issued === 'string') throw new Refusal('bad_verification_code', issued);
  const { request } = issued;
  if (request.clientId !== clientId)
    throw new Refusal('bad_verification_code', 'The code is of another client.');
  // It may be left out here; where it stands it must be the one that the code was sent to.
  if (request.redirectUri !== (params.get('redirect_uri') ?? request.redirectUri))
    throw new Refusal('redirect_uri_mismatch', 'Another address than the one of the code.');
  if (request.challenge && !provesChallenge(params.get('code_verifier') ?? '', request.challenge))
    throw new Refusal('bad_verification_code', 'The verifier does not prove the challenge.');
  return issued;
}

function sendStatus(res: ServerResponse, status: number): void {
  sendJson(res, status, { message: 'Server Error' });
}

async function answerToken(parts: ProviderParts, call: Call): Promise<void> {
  const search = await readForm(call.req).catch((error: unknown) => error);
  const entry = opened(parts, call, 'token', search instanceof URLSearchParams ? search : []);
  const interrupted = await parts.faults.interrupted(call.res, 'token', (status, code) =>
    code ? sendError(call, code) : sendStatus(call.res, status),
  );
  if (interrupted) return;
  try {
    if (!(search instanceof URLSearchParams)) throw search;
    const params = readParams(search);
    const proof = provenClient(call.req, params);
    if (!('id' in proof)) throw new Refusal('incorrect_client_credentials', proof.refused);
    const issued = grantOf(parts.grants, proof.id, params);
    const token = parts.grants.access(issued, 'gho_', null);
    send(call, { access_token: token, scope: issued.scopes.join(','), token_type: 'bearer' });
    entry.view.detail.outcome = 'granted';
  } catch (error) {
    if (!(error instanceof Refusal || error instanceof HttpError)) throw error;
    const code = error instanceof Refusal ? error.code : 'bad_verification_code';
    entry.view.detail.outcome = code;
    entry.view.detail.reason = error.message;
    sendError(call, code);
  }
}

/** Mounts everything under /github. */
export function mountGitHub(parts: ProviderParts): void {
  mountAuthorize(parts, RULES);
  parts.router.on('POST', '/github/login/oauth/access_token', (call) => answerToken(parts, call));
  mountGitHubApi(parts);
}
