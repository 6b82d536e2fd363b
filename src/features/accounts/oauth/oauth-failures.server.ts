import { m } from '#messages';
import type { ProviderName } from '../contract.ts';
import type { IdentityLinkErrorReason } from '../identities/link-identity.server.ts';
import { bannedText } from '../users/account-ban.server.ts';
import type { OAuthErrorReason } from './oauth-provider.ts';

export interface OAuthFailure {
  error: string;
  description: string;
  from: 'auth_callback' | 'compact_auth_modal';
}

const authFailure = (error: string, description: string): OAuthFailure => ({
  error,
  description,
  from: 'auth_callback',
});

export const invalidState = () => authFailure('invalid_request', m.oauth_invalid_state());

/** Errors of RFC 6749 4.1.2.1 and of the providers, whose texts are not shown. */
export function callbackFailure(error: string, label: string): OAuthFailure {
  if (error === 'access_denied') return authFailure(error, m.oauth_denied({ provider: label }));
  if (error === 'invalid_request') return authFailure(error, m.oauth_request_refused({ provider: label }));
  if (error === 'server_error' || error === 'temporarily_unavailable')
    return authFailure('server_error', m.oauth_unavailable({ provider: label }));
  return authFailure(/^[a-z_]{1,60}$/.test(error) ? error : 'auth_error', m.oauth_other({ provider: label }));
}

export function providerFailure(
  reason: OAuthErrorReason,
  provider: ProviderName,
  label: string,
): OAuthFailure {
  switch (reason) {
    case 'unavailable':
      return {
        error: `${provider}_auth_error`,
        description: m.oauth_unavailable({ provider: label }),
        from: 'compact_auth_modal',
      };
    case 'code_refused':
      return authFailure('invalid_request', m.oauth_code_refused({ provider: label }));
    case 'misconfigured':
      return authFailure('configuration_error', m.oauth_misconfigured({ provider: label }));
    case 'no_email':
      return authFailure('email_not_verified', m.oauth_no_email({ provider: label }));
    case 'untrusted':
      return authFailure('auth_error', m.oauth_untrusted({ provider: label }));
  }
}

export function linkFailure(reason: IdentityLinkErrorReason, label: string): OAuthFailure {
  if (reason === 'account_banned') return authFailure(reason, bannedText());
  return reason === 'account_deleted'
    ? authFailure(reason, m.oauth_account_deleted())
    : authFailure(reason, m.oauth_not_linked({ provider: label }));
}

export function failurePath({ error, description, from }: OAuthFailure): string {
  return `/error?${new URLSearchParams({ error, description, from })}`;
}
