import {
  allowInsecureRequests,
  type CustomFetchOptions,
  customFetch,
  OperationProcessingError,
  ResponseBodyError,
  UnsupportedOperationError,
  WWWAuthenticateChallengeError,
} from 'oauth4webapi';
import { isLoopbackHost } from '#platform/config/config.server.ts';
import { outbound } from '#platform/outbound/outbound.server.ts';
import { OutboundFailed, OutboundRefused } from '#platform/outbound/outbound-errors.ts';
import { type OAuthErrorReason, OAuthProviderError } from './oauth-provider.ts';

const MAX_BYTES = 64 * 1024;
const TIMEOUT_MS = 10_000;

type Options = CustomFetchOptions<string, unknown>;

export async function callProvider(url: string, { method, headers, body }: Options): Promise<Response> {
  const answer = await outbound(url, {
    method: method === 'POST' ? 'POST' : 'GET',
    headers,
    body: body === undefined || body === null ? undefined : String(body),
    firstByteMs: TIMEOUT_MS,
    totalMs: TIMEOUT_MS,
    maxBytes: MAX_BYTES,
  });
  const text = await answer.text();
  const { status } = answer;
  if (status >= 500 || status === 429) throw new OAuthProviderError('unavailable', `It answered ${status}`);
  const responseHeaders = Object.entries(answer.headers).flatMap(([name, value]) =>
    typeof value === 'string' ? [[name, value] as [string, string]] : [],
  );
  return new Response(status === 204 || status === 205 ? null : text, { status, headers: responseHeaders });
}

/** Allows plain http only to this machine. */
export function transport(url: string, call: typeof callProvider = callProvider) {
  return { [customFetch]: call, [allowInsecureRequests]: isLoopbackHost(new URL(url).hostname) };
}

/** Errors of RFC 6749 5.2 and of GitHub (docs.github.com, "Troubleshooting OAuth app access token request errors"). */
const tokenErrors = new Map<string, OAuthErrorReason>([
  ['invalid_grant', 'code_refused'],
  ['invalid_request', 'code_refused'],
  ['bad_verification_code', 'code_refused'],
  ['invalid_client', 'misconfigured'],
  ['unauthorized_client', 'misconfigured'],
  ['incorrect_client_credentials', 'misconfigured'],
  ['redirect_uri_mismatch', 'misconfigured'],
  ['application_suspended', 'misconfigured'],
  ['unverified_user_email', 'no_email'],
  ['server_error', 'unavailable'],
  ['temporarily_unavailable', 'unavailable'],
]);

/** Unknown errors fail closed, as `untrusted`. */
export function toOAuthProviderError(error: unknown): OAuthProviderError {
  if (error instanceof OAuthProviderError) return error;
  if (error instanceof OutboundFailed || error instanceof OutboundRefused)
    return new OAuthProviderError('unavailable', error.message, { cause: error });
  if (error instanceof ResponseBodyError) {
    const errorName = /^[a-z_]{1,60}$/.test(error.error) ? error.error : 'an error without a name';
    const reason = tokenErrors.get(error.error) ?? 'untrusted';
    return new OAuthProviderError(reason, `Its token endpoint said ${errorName}`, { cause: error });
  }
  if (error instanceof WWWAuthenticateChallengeError && error.status === 401)
    return new OAuthProviderError('misconfigured', 'It did not take our credentials', { cause: error });
  // Other errors may quote the provider's response.
  const known = error instanceof OperationProcessingError || error instanceof UnsupportedOperationError;
  return new OAuthProviderError('untrusted', known ? error.message : 'It cannot be read', { cause: error });
}
