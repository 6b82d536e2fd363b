import type { ProviderName } from '../../contract.ts';
import type { LinkRefusalReason } from '../../identities/service.server.ts';
import type { RefusalReason } from '../providers/provider.ts';

/** What the error page is told. */
export interface Failure {
  error: string;
  description: string;
  from: 'auth_callback' | 'compact_auth_modal';
}

const returned = (error: string, description: string): Failure => ({
  error,
  description,
  from: 'auth_callback',
});

/** A return that this browser did not set out for, set out for too long ago, or has made before. */
export const strangeState = returned(
  'invalid_request',
  'This sign-in took too long, was already used or began in another browser. Please start it again, with cookies allowed.',
);

/** For the errors that providers name on the way back (RFC 6749 4.1.2.1 and their own); their texts are not shown. */
export function namedByProvider(error: string, label: string): Failure {
  if (error === 'access_denied')
    return returned(error, `The sign-in with ${label} was not allowed. Nothing was changed.`);
  if (error === 'invalid_request')
    return returned(error, `${label} did not accept the request. Please start the sign-in again.`);
  if (error === 'server_error' || error === 'temporarily_unavailable')
    return returned(
      'server_error',
      `${label} login failed, please try again in a few minutes or sign in by email.`,
    );
  return returned(
    /^[a-z_]{1,60}$/.test(error) ? error : 'auth_error',
    `${label} ended the sign-in with an error. Please try again or sign in by email.`,
  );
}

/** For the reasons why a provider vouches for nobody. */
export function ofReason(reason: RefusalReason, provider: ProviderName, label: string): Failure {
  switch (reason) {
    case 'unavailable':
      return {
        error: `${provider}_auth_error`,
        description: `${label} login failed, please try again in a few minutes or sign in by email.`,
        from: 'compact_auth_modal',
      };
    case 'code_refused':
      return returned(
        'invalid_request',
        `${label} did not accept this sign-in; it may have been used before. Please start it again.`,
      );
    case 'misconfigured':
      return returned(
        'configuration_error',
        `Sign-in with ${label} is not set up correctly here. Please sign in by email for now.`,
      );
    case 'no_email':
      return returned(
        'email_not_verified',
        `${label} has no verified email address for you. Verify one there, or sign in here by email.`,
      );
    case 'untrusted':
      return returned('auth_error', `The answer of ${label} could not be verified. Please try again.`);
  }
}

/** For the reasons why an account at a provider lets nobody in. */
export function ofLink(reason: LinkRefusalReason, label: string): Failure {
  return reason === 'account_deleted'
    ? returned(
        reason,
        'This account was deleted. To restore it, sign in by mail with the address that it has here.',
      )
    : returned(
        reason,
        `Another ${label} account is linked to this address. Sign in by mail, then remove the old one in the settings.`,
      );
}

/** The address of the error page with a failure. */
export function failurePath({ error, description, from }: Failure): string {
  return `/error?${new URLSearchParams({ error, description, from })}`;
}
