import { config } from '../../../platform/config/config.server.ts';
import { database, transaction } from '../../../platform/database/database.server.ts';
import { notFound } from '../../../platform/http/problem.server.ts';
import { log } from '../../../platform/log/log.server.ts';
import { type ProviderName, providerNames, restorePath } from '../contract.ts';
import { type Browser, enter } from '../entry/service.server.ts';
import { providerLabels } from '../identities/contract.ts';
import { LinkRefusal, personOf } from '../identities/service.server.ts';
import { browserMark, markBrowser } from '../marks/service.server.ts';
import { limitReturns, limitStarts } from '../sign-in/limits/service.server.ts';
import { keyedHash, looksLikeToken, newToken } from '../tokens/service.server.ts';
import { wayOn } from '../way-on/contract.ts';
import {
  type Failure,
  failurePath,
  namedByProvider,
  ofLink,
  ofReason,
  strangeState,
} from './failures/service.server.ts';
import { github } from './providers/github.adapter.server.ts';
import { google } from './providers/google.adapter.server.ts';
import type { Journey, Provider, ProviderProfile } from './providers/provider.ts';
import { ProviderRefusal } from './providers/provider.ts';
import { deleteOldAttempts, insertAttempt, takeAttempt } from './store.server.ts';

/** How long a journey to a provider and back may take. */
const MINUTES = 10;

const providers: Record<ProviderName, Provider> = { google, github };

/** The providers that one can sign in with here, in the order in which they are offered. */
export function configuredProviders(): ProviderName[] {
  return providerNames.filter((name) => providers[name].configured());
}

/** Origins that the sign-in with providers calls. */
export function providerOrigins(): string[] {
  return configuredProviders().flatMap((name) =>
    providers[name].endpoints().map((endpoint) => new URL(endpoint).origin),
  );
}

/** The provider of this name. @throws Problem not_found when there is none, or it is not set up. */
export function providerOf(name: string): ProviderName {
  const found = configuredProviders().find((provider) => provider === name);
  if (!found) throw notFound();
  return found;
}

/** PKCE verifier and nonce follow from the state under keys of ours, so nothing secret is stored. */
function journeyOf(provider: ProviderName, state: string): Journey {
  return {
    state,
    verifier: keyedHash('oauth-verifier', state).toString('base64url'),
    nonce: keyedHash('oauth-nonce', state).toString('base64url'),
    redirectUri: `${config().publicUrl}/api/auth/${provider}/callback`,
  };
}

/**
 * Begins a journey to a provider; nothing of the provider is called.
 * @returns where the browser goes, and the Set-Cookie line by which it is known again.
 * @throws Problem rate_limited
 */
export async function startJourney(
  input: { provider: ProviderName; next?: string | null | undefined },
  browser: Browser,
): Promise<{ url: string; cookie: string }> {
  const { provider } = input;
  await limitStarts(browser.address);
  const state = newToken();
  const { hash: browserHash, cookie } = markBrowser(browser.cookieHeader);
  const stateHash = keyedHash('oauth-state', state);
  const next = wayOn(input.next);
  await insertAttempt(database(), { stateHash, provider, browserHash, next, minutes: MINUTES });
  return { url: providers[provider].authorizeUrl(journeyOf(provider, state)), cookie };
}

/** Where a person who has come in goes on: the page that shows the return, which takes `next` from there. */
export function returnPath(next: string | null): string {
  if (next === null) return '/auth/callback';
  return next.startsWith('/auth/callback?') ? next : `/auth/callback?${new URLSearchParams({ next })}`;
}

function failed(provider: ProviderName, failure: Failure, error?: ProviderRefusal): { location: string } {
  const ours = error?.reason === 'misconfigured';
  const theirs = error?.reason === 'unavailable' || error?.reason === 'untrusted';
  log[ours ? 'error' : theirs ? 'warn' : 'info'](
    { provider, outcome: failure.error, error },
    'a sign-in with a provider failed',
  );
  return { location: failurePath(failure) };
}

/**
 * Ends a journey: uses up its state, then exchanges the code, finds or makes the person and lets them in.
 * @returns where to go on, /error for every failure, and the Set-Cookie line of who came in.
 * @throws Problem rate_limited
 */
export async function endJourney(
  { provider, callback }: { provider: ProviderName; callback: URLSearchParams },
  browser: Browser,
): Promise<{ location: string; cookie?: string }> {
  const label = providerLabels[provider];
  const [state, browserHash] = [callback.get('state'), browserMark(browser.cookieHeader)];
  if (!looksLikeToken(state) || browserHash === null) return failed(provider, strangeState);
  await limitReturns(browser.address);
  const attempt = await takeAttempt(database(), {
    stateHash: keyedHash('oauth-state', state),
    provider,
    browserHash,
  });
  if (!attempt) return failed(provider, strangeState);
  const error = callback.get('error');
  if (error !== null) return failed(provider, namedByProvider(error, label));
  if (!callback.get('code')) return failed(provider, ofReason('code_refused', provider, label));
  let profile: ProviderProfile;
  try {
    profile = await providers[provider].profile(callback, journeyOf(provider, state), attempt.now);
  } catch (refusal) {
    if (!(refusal instanceof ProviderRefusal)) throw refusal;
    return failed(provider, ofReason(refusal.reason, provider, label), refusal);
  }
  const next = wayOn(attempt.next);
  const entry = await transaction(async (tx) =>
    enter(tx, await personOf(tx, { provider, ...profile }), browser, next),
  ).catch((refusal: unknown) => {
    if (refusal instanceof LinkRefusal) return ofLink(refusal.reason, label);
    throw refusal;
  });
  if ('error' in entry) return failed(provider, entry);
  return { location: entry.kind === 'deleted' ? restorePath : returnPath(next), cookie: entry.cookie };
}

/** Removes journeys that ran out more than a day ago. @returns their number. */
export function sweepAttempts(): Promise<number> {
  return deleteOldAttempts(database());
}
