export interface OAuthFlow {
  state: string;
  /** PKCE code_verifier (RFC 7636), 43 characters. */
  verifier: string;
  nonce: string;
  redirectUri: string;
}

/** Whom a provider vouches for: its own unchanging id of the account, a verified address, a name as it is there. */
export interface ProviderProfile {
  subject: string;
  email: string;
  name: string | null;
}

export type OAuthErrorReason =
  /** It cannot be reached, is too slow, or answers with 5xx. */
  | 'unavailable'
  | 'code_refused'
  | 'misconfigured'
  | 'no_email'
  /** Its answer does not hold up: signature, issuer, audience, time, nonce, form. */
  | 'untrusted';

/** Thrown by a provider's client; the message is for the log and holds no code, token or address. */
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
  /** Addresses that this process calls; the authorize address is only for browsers. */
  endpoints(): string[];
  authorizeUrl(flow: OAuthFlow): string;
  /**
   * Exchanges the code of a callback for the person. `now` in seconds since 1970, by the clock that decides.
   * @throws OAuthProviderError
   */
  profile(callback: URLSearchParams, flow: OAuthFlow, now: number): Promise<ProviderProfile>;
}
