import { config } from '#platform/config/config.server.ts';
import { database, transaction } from '#platform/database/database.server.ts';
import { notFound } from '#platform/http/problem.server.ts';
import { log } from '#platform/log.server.ts';
import { type ProviderName, providerNames, restorePath } from '../contract.ts';
import { findOrCreateUserByProvider, IdentityLinkError } from '../identities/link-identity.server.ts';
import { providerLabels } from '../identities/provider-labels.ts';
import { safeReturnTo } from '../return-to.ts';
import { type Browser, completeSignIn } from '../sign-in/complete-sign-in.server.ts';
import { bindLogin, loginBindingHash } from '../sign-in/login-binding.server.ts';
import { limitOAuthCallbacks, limitOAuthStarts } from '../sign-in/sign-in-rate-limits.server.ts';
import { keyedHash, looksLikeToken, newToken } from '../tokens.server.ts';
import { github } from './github.adapter.server.ts';
import { google } from './google.adapter.server.ts';
import {
  callbackFailure,
  failurePath,
  invalidState,
  linkFailure,
  type OAuthFailure,
  providerFailure,
} from './oauth-failures.server.ts';
import { deleteOldAttempts, insertAttempt, takeAttempt } from './oauth-flow-store.server.ts';
import type { OAuthFlow, OAuthProvider, OAuthProviderError, ProviderProfile } from './oauth-provider.ts';
import { toOAuthProviderError } from './oauth-transport.server.ts';

const MINUTES = 10;

const providers: Record<ProviderName, OAuthProvider> = { google, github };

export function configuredProviders(): ProviderName[] {
  return providerNames.filter((name) => providers[name].configured());
}

export function providerOrigins(): string[] {
  return configuredProviders().flatMap((name) =>
    providers[name].endpoints().map((endpoint) => new URL(endpoint).origin),
  );
}

export function requireProvider(name: string): ProviderName {
  const found = configuredProviders().find((provider) => provider === name);
  if (!found) throw notFound();
  return found;
}

/** Derives verifier and nonce from the state with our keys, so that no secret is stored. */
function createFlow(provider: ProviderName, state: string): OAuthFlow {
  return {
    state,
    verifier: keyedHash('oauth-verifier', state).toString('base64url'),
    nonce: keyedHash('oauth-nonce', state).toString('base64url'),
    redirectUri: `${config().publicUrl}/api/auth/${provider}/callback`,
  };
}

export async function startOAuthFlow(
  input: { provider: ProviderName; next?: string | null | undefined },
  browser: Browser,
): Promise<{ url: string; cookie: string }> {
  const { provider } = input;
  await limitOAuthStarts(browser.address);
  const state = newToken();
  const { hash: browserHash, cookie } = bindLogin(browser.cookieHeader);
  const stateHash = keyedHash('oauth-state', state);
  const next = safeReturnTo(input.next);
  await insertAttempt(database(), { stateHash, provider, browserHash, next, minutes: MINUTES });
  return { url: providers[provider].authorizeUrl(createFlow(provider, state)), cookie };
}

export function returnPath(next: string | null): string {
  if (next === null) return '/auth/callback';
  return next.startsWith('/auth/callback?') ? next : `/auth/callback?${new URLSearchParams({ next })}`;
}

function failed(provider: ProviderName, failure: OAuthFailure, error?: OAuthProviderError) {
  const isSiteFault = error?.reason === 'misconfigured';
  const isProviderFault = error?.reason === 'unavailable' || error?.reason === 'untrusted';
  log[isSiteFault ? 'error' : isProviderFault ? 'warn' : 'info'](
    { provider, outcome: failure.error, error },
    'a sign-in with a provider failed',
  );
  return { location: failurePath(failure) };
}

export async function completeOAuthFlow(
  { provider, callback }: { provider: ProviderName; callback: URLSearchParams },
  browser: Browser,
): Promise<{ location: string; cookie?: string }> {
  const label = providerLabels[provider];
  const [state, browserHash] = [callback.get('state'), loginBindingHash(browser.cookieHeader)];
  if (!looksLikeToken(state) || browserHash === null) return failed(provider, invalidState());
  await limitOAuthCallbacks(browser.address);
  const attempt = await takeAttempt(database(), {
    stateHash: keyedHash('oauth-state', state),
    provider,
    browserHash,
  });
  if (!attempt) return failed(provider, invalidState());
  const errorName = callback.get('error');
  if (errorName !== null) return failed(provider, callbackFailure(errorName, label));
  if (!callback.get('code')) return failed(provider, providerFailure('code_refused', provider, label));
  let profile: ProviderProfile;
  try {
    profile = await providers[provider].profile(callback, createFlow(provider, state), attempt.now);
  } catch (error) {
    const refusal = toOAuthProviderError(error);
    return failed(provider, providerFailure(refusal.reason, provider, label), refusal);
  }
  const next = safeReturnTo(attempt.next);
  const result = await transaction(async (tx) =>
    completeSignIn(tx, await findOrCreateUserByProvider(tx, { provider, ...profile }), browser, next),
  ).catch((refusal: unknown) => {
    if (refusal instanceof IdentityLinkError) return linkFailure(refusal.reason, label);
    throw refusal;
  });
  if ('error' in result) return failed(provider, result);
  return { location: result.kind === 'deleted' ? restorePath : returnPath(next), cookie: result.cookie };
}

export function sweepAttempts(): Promise<number> {
  return deleteOldAttempts(database());
}
