export interface OAuthFlow {
  state: string;
  /** PKCE code_verifier (RFC 7636), 43 characters. */
  verifier: string;
  nonce: string;
  redirectUri: string;
}

export interface ProviderProfile {
  subject: string;
  email: string;
  name: string | null;
}

export type OAuthErrorReason =
  /** Unreachable, too slow, or 5xx. */
  | 'unavailable'
  | 'code_refused'
  | 'misconfigured'
  | 'no_email'
  /** Signature, issuer, audience, time, nonce or format is not valid. */
  | 'untrusted';

/** The message is for the log and contains no code, token or email address. */
export class OAuthProviderError extends Error {
  override readonly name = 'OAuthProviderError';
  readonly reason: OAuthErrorReason;
  constructor(reason: OAuthErrorReason, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.reason = reason;
  }
}

export interface OAuthProvider {
  configured(): boolean;
  /** URLs that this process calls; only browsers open the authorize URL. */
  endpoints(): string[];
  authorizeUrl(flow: OAuthFlow): string;
  /** `now` in seconds since 1970, by the database's clock. Any error that it throws is a refusal. */
  profile(callback: URLSearchParams, flow: OAuthFlow, now: number): Promise<ProviderProfile>;
}
