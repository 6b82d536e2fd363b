import type { IncomingMessage } from 'node:http';
import { type Call, HttpError, readForm, uriDecoded } from '../http.ts';
import { openEntry, type ProviderParts } from './authorize.ts';
import { type Params, provesChallenge, Refusal, readParams } from './authorize-request.ts';
import type { Failure } from './faults.ts';
import type { Grants, Issued } from './grants.ts';

const SECRET = 'stand-in';

const formDecoded = (text: string) => uriDecoded(text.replace(/\+/g, ' '));

function basicPair(req: IncomingMessage): [string, string] | null {
  const encoded = /^Basic\s+([\w+/=-]+)$/i.exec(req.headers.authorization ?? '')?.[1];
  if (encoded === undefined) return null;
  const [id = '', ...secret] = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  return [formDecoded(id), formDecoded(secret.join(':'))];
}

/** Accepts client_secret_post or client_secret_basic, never both (RFC 6749 2.3, 2.3.1). @throws Refusal. */
export function authenticatedClient(req: IncomingMessage, params: Params): string {
  const pair = basicPair(req);
  const posted = params.get('client_id');
  if (pair && (params.has('client_secret') || (posted !== undefined && posted !== pair[0])))
    throw new Refusal('invalid_request', 'The client authenticated in two ways.');
  const [id, secret] = pair ?? [posted, params.get('client_secret')];
  if (!id) throw new Refusal('invalid_request', 'Could not determine client ID from request.');
  if (!secret) throw new Refusal('invalid_request', 'client_secret is missing.');
  if (secret !== SECRET) throw new Refusal('invalid_client', 'Unauthorized');
  return id;
}

export function bearerToken(req: IncomingMessage, schemes = ['bearer']): string | null {
  const [scheme = '', token] = (req.headers.authorization ?? '').split(/\s+/);
  return token && schemes.includes(scheme.toLowerCase()) ? token : null;
}

/** Redeems a code. @throws Refusal invalid_grant or redirect_uri_mismatch. */
export function redeem(grants: Grants, clientId: string, params: Params, redirectUri?: string): Issued {
  const issued = grants.redeem(params.get('code') ?? '');
  if (issued === 'unknown') throw new Refusal('invalid_grant', 'Malformed auth code.');
  if (typeof issued === 'string') throw new Refusal('invalid_grant', `Bad Request: the code is ${issued}.`);
  const { request } = issued;
  if (request.clientId !== clientId) throw new Refusal('invalid_grant', 'The code is of another client.');
  if (request.redirectUri !== (params.get('redirect_uri') ?? redirectUri ?? request.redirectUri))
    throw new Refusal('redirect_uri_mismatch', 'Bad Request');
  if (request.challenge && !provesChallenge(params.get('code_verifier') ?? '', request.challenge))
    throw new Refusal('invalid_grant', 'Invalid code verifier.');
  return issued;
}

interface TokenRules {
  fail(call: Call): Failure;
  answer(call: Call, params: Params): void;
  /** Sends an error and returns its code; `code` is null when the form could not be read. */
  refuse(call: Call, code: string | null, message: string): string;
}

export function mountToken(parts: ProviderParts, path: string, rules: TokenRules): void {
  parts.router.on('POST', path, async (call) => {
    const search = await readForm(call.req).catch((error: unknown) => error);
    const entry = openEntry(parts, call, 'token', search instanceof URLSearchParams ? search : []);
    if (await parts.faults.interrupted(call.res, 'token', rules.fail(call))) return;
    const { detail } = entry.view;
    try {
      if (!(search instanceof URLSearchParams)) throw search;
      rules.answer(call, readParams(search));
      detail.outcome = 'granted';
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      detail.reason = error.message;
      detail.outcome = rules.refuse(call, error instanceof Refusal ? error.kind : null, error.message);
    }
  });
}
