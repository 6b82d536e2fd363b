/** What belongs to one journey to a provider and back. */
export interface Journey {
  state: string;
  /** PKCE code_verifier (RFC 7636), 43 characters. */
  verifier: string;
  /** OIDC nonce. */
  nonce: string;
  redirectUri: string;
}

/** Whom a provider vouches for: its own unchanging id of the account, a verified address, a name as it is there. */
export interface ProviderProfile {
  subject: string;
  email: string;
  name: string | null;
}

/** Why a provider vouches for nobody. */
export type RefusalReason =
  /** It cannot be reached, is too slow, or answers with 5xx. */
  | 'unavailable'
  /** It does not take the code. */
  | 'code_refused'
  /** It does not take our client id, secret or redirect address. */
  | 'misconfigured'
  /** It names no verified address. */
  | 'no_email'
  /** Its answer does not hold up: signature, issuer, audience, time, nonce, form. */
  | 'untrusted';

/** Thrown by a provider's client; the message is for the log and holds no code, token or address. */
export class ProviderRefusal extends Error {
  override readonly name = 'ProviderRefusal';
  readonly reason: RefusalReason;
  constructor(reason: RefusalReason, message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.reason = reason;
  }
}

/** The client of one provider. */
export interface Provider {
  /** True when the operator, or the sandbox, has set it up. */
  configured(): boolean;
  /** Addresses that this process calls; the authorize address is only for browsers. */
  endpoints(): string[];
  /** Where the browser goes to sign in. */
  authorizeUrl(journey: Journey): string;
  /**
   * Exchanges the code of a callback for the person. `now` in seconds since 1970, by the clock that decides.
   * @throws ProviderRefusal
   */
  profile(callback: URLSearchParams, journey: Journey, now: number): Promise<ProviderProfile>;
}
