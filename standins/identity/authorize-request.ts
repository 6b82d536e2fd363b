/** Authorization requests: RFC 6749 4.1.1, RFC 7636 4.3. */
import { createHash } from 'node:crypto';
import { HttpError, isLoopbackHost } from '../http.ts';

export class Refusal extends HttpError {
  constructor(code: string, message: string) {
    super(400, code, message);
  }
}

export type Params = ReadonlyMap<string, string>;

export interface AuthorizeRequest {
  clientId: string;
  /** Exactly as sent: the token request must repeat it. */
  redirectUri: string;
  state: string | null;
  scopes: string[];
  nonce: string | null;
  challenge: string | null;
  prompts: string[];
  hint: string | null;
  offline: boolean;
}

/** Ignores empty values and refuses repeated names (RFC 6749 3.1). @throws Refusal invalid_request. */
export function readParams(search: URLSearchParams): Params {
  const params = new Map<string, string>();
  const seen = new Set<string>();
  for (const [name, value] of search) {
    if (seen.has(name))
      throw new Refusal('invalid_request', `OAuth 2 parameters can only have a single value: ${name}`);
    seen.add(name);
    if (value !== '') params.set(name, value);
  }
  return params;
}

export function required(params: Params, name: string): string {
  const value = params.get(name);
  if (value === undefined) throw new Refusal('invalid_request', `Missing required parameter: ${name}`);
  return value;
}

export function words(value: string | undefined): string[] {
  return (value ?? '').split(' ').filter(Boolean);
}

/**
 * Returns the redirect_uri; all loopback URLs count as registered, and no others. @throws Refusal
 * redirect_uri_mismatch.
 */
export function redirectAddress(params: Params): string {
  const address = required(params, 'redirect_uri');
  const url = URL.parse(address);
  const isAllowed =
    url !== null &&
    /^https?:\/\/[\x21-\x7e]+$/.test(address) &&
    !address.includes('#') &&
    !address.includes('\\') &&
    url.username === '' &&
    url.password === '' &&
    isLoopbackHost(url.host);
  if (!isAllowed)
    throw new Refusal(
      'redirect_uri_mismatch',
      `The redirect_uri ${address} is not an http or https address of this machine, the only ones that are registered here.`,
    );
  return address;
}

/** Adds parameters and keeps the existing query (RFC 6749 3.1.2). */
export function withQuery(address: string, params: Record<string, string>): string {
  return `${address}${address.includes('?') ? '&' : '?'}${new URLSearchParams(params)}`;
}

/**
 * Returns the PKCE challenge; null without one. @throws Refusal for a method other than S256 or a malformed challenge.
 */
export function codeChallenge(params: Params): string | null {
  const challenge = params.get('code_challenge');
  const method = params.get('code_challenge_method');
  if (challenge === undefined) {
    if (method === undefined) return null;
    throw new Refusal('invalid_request', 'Missing required parameter: code_challenge');
  }
  // The default method is "plain" (RFC 7636 4.3).
  if (method !== 'S256')
    throw new Refusal(
      'invalid_request',
      `Invalid parameter value for code_challenge_method: ${method ?? 'plain'}`,
    );
  if (!/^[\w-]{43}$/.test(challenge))
    throw new Refusal('invalid_request', 'Invalid parameter value for code_challenge');
  return challenge;
}

/** Whether the verifier matches the challenge: RFC 7636 4.1. */
export function provesChallenge(verifier: string, challenge: string): boolean {
  return (
    /^[\w.~-]{43,128}$/.test(verifier) &&
    createHash('sha256').update(verifier).digest('base64url') === challenge
  );
}
