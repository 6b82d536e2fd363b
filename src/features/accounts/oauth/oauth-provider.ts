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
  /** Signature, issuer, audience, time, nonce or form do not hold up. */
  | 'untrusted';

/** The message is for the log and holds no code, token or address. */
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
  /** What this process calls; the authorize address is only for browsers. */
  endpoints(): string[];
  authorizeUrl(flow: OAuthFlow): string;
  /** `now` in seconds since 1970, by the database's clock. Whatever it throws is a refusal. */
  profile(callback: URLSearchParams, flow: OAuthFlow, now: number): Promise<ProviderProfile>;
}
