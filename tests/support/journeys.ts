import type { TestServer } from './server.ts';
import { network, type VisitorOptions } from './visitor.ts';

export type ProviderName = 'google' | 'github';

/** Fields of the provider's form: a test user, or `user: 'other'` with email, verified, name and subject. */
export type UserChoice = { user: string } & Record<string, string>;

/** Returns the form fields for any email address; verified by default. */
export const otherUser = (email: string, more: Record<string, string> = {}): UserChoice => ({
  user: 'other',
  email,
  verified: 'true',
  ...more,
});

/** A sign-in that has started: the URL of the provider's page, and the cookie that identifies the browser. */
export interface StartedSignIn {
  url: URL;
  browserCookie: string;
}

function pairOf(response: Response, name: string): string {
  const line = response.headers.getSetCookie().find((cookie) => cookie.startsWith(`${name}=`));
  return line?.split(';')[0] ?? '';
}

/** A browser's requests on a sign-in through a provider and back, to a server with TRUSTED_PROXIES=127.0.0.1. */
export function signInRequests(server: Pick<TestServer, 'url'>) {
  const get = (url: string, { from = network(), cookie = '', headers = {} }: VisitorOptions = {}) =>
    fetch(url, { redirect: 'manual', headers: { cookie, 'x-forwarded-for': from, ...headers } });

  /** Follows the plain sign-in link. */
  async function begin(
    provider: ProviderName,
    { next, ...from }: VisitorOptions & { next?: string | undefined } = {},
  ): Promise<StartedSignIn> {
    const query = next === undefined ? '' : `?next=${encodeURIComponent(next)}`;
    const answer = await get(`${server.url}/api/auth/${provider}${query}`, from);
    const location = answer.headers.get('location') ?? '';
    if (answer.status !== 302) throw new Error(`No journey began: ${answer.status} ${await answer.text()}`);
    return { url: new URL(location), browserCookie: pairOf(answer, 'sign-in') };
  }

  /** Submits the provider's form, and returns the URL that it sends the browser back to. */
  async function choose({ url }: StartedSignIn, choice: UserChoice): Promise<string> {
    const body = new URLSearchParams([...url.searchParams, ...Object.entries(choice)]);
    const answer = await fetch(url.origin + url.pathname, { method: 'POST', body, redirect: 'manual' });
    const location = answer.headers.get('location');
    if (!location) throw new Error(`The provider sent nobody back: ${answer.status} ${await answer.text()}`);
    return location;
  }

  /** Runs a whole sign-in, and returns the response of the callback. */
  async function signIn(
    provider: ProviderName,
    choice: UserChoice,
    options: VisitorOptions & { next?: string } = {},
  ): Promise<Response> {
    const started = await begin(provider, options);
    return get(await choose(started, choice), {
      ...options,
      cookie: `${options.cookie ?? ''}; ${started.browserCookie}`,
    });
  }
  return { get, begin, choose, signIn };
}

/**
 * Returns the error page's parameters after a refused sign-in; throws when the response is no refusal or sets a cookie.
 */
export function errorOf(response: Response): { error: string; description: string; from: string } {
  const location = new URL(response.headers.get('location') ?? '', 'http://site.test');
  const params = Object.fromEntries(location.searchParams) as Record<
    'error' | 'description' | 'from',
    string
  >;
  if (response.status !== 303 || location.pathname !== '/error')
    throw new Error(`It went on to ${response.status} ${location.pathname}.`);
  if (response.headers.getSetCookie().length > 0) throw new Error('A refused journey set a cookie.');
  if (!/^[A-Z][^<>]{20,198}\.$/.test(params.description))
    throw new Error(`No plain sentence: ${params.description}`);
  return params;
}
