import type { TestServer } from './server.ts';
import { type From, network } from './visitor.ts';

export type ProviderName = 'google' | 'github';

/** Fields of the provider's page: a test user, or `user: 'other'` with email, verified, name and subject. */
export type Choice = { user: string } & Record<string, string>;

/** Anybody by address, as the provider's page takes it; verified unless told. */
export const anybody = (email: string, more: Record<string, string> = {}): Choice => ({
  user: 'other',
  email,
  verified: 'true',
  ...more,
});

/** A journey that has begun: where the provider's page is, and the cookie by which the browser is known again. */
export interface Begun {
  url: URL;
  mark: string;
}

function pairOf(response: Response, name: string): string {
  const line = response.headers.getSetCookie().find((cookie) => cookie.startsWith(`${name}=`));
  return line?.split(';')[0] ?? '';
}

/** What a browser does on a journey to a provider and back, on a server with TRUSTED_PROXIES=127.0.0.1. */
export function travels(server: Pick<TestServer, 'url'>) {
  const get = (url: string, { from = network(), cookie = '', headers = {} }: From = {}) =>
    fetch(url, { redirect: 'manual', headers: { cookie, 'x-forwarded-for': from, ...headers } });

  /** Follows the plain link. */
  async function begin(
    provider: ProviderName,
    { next, ...from }: From & { next?: string | undefined } = {},
  ): Promise<Begun> {
    const query = next === undefined ? '' : `?next=${encodeURIComponent(next)}`;
    const answer = await get(`${server.url}/api/auth/${provider}${query}`, from);
    const location = answer.headers.get('location') ?? '';
    if (answer.status !== 302) throw new Error(`No journey began: ${answer.status} ${await answer.text()}`);
    return { url: new URL(location), mark: pairOf(answer, 'sign-in') };
  }

  /** Sends the form of the provider's page; the address to which it sends the browser back. */
  async function choose({ url }: Begun, choice: Choice): Promise<string> {
    const body = new URLSearchParams([...url.searchParams, ...Object.entries(choice)]);
    const answer = await fetch(url.origin + url.pathname, { method: 'POST', body, redirect: 'manual' });
    const location = answer.headers.get('location');
    if (!location) throw new Error(`The provider sent nobody back: ${answer.status} ${await answer.text()}`);
    return location;
  }

  /** A whole journey: the answer of the callback. */
  async function journey(
    provider: ProviderName,
    choice: Choice,
    options: From & { next?: string } = {},
  ): Promise<Response> {
    const begun = await begin(provider, options);
    return get(await choose(begun, choice), { ...options, cookie: `${options.cookie ?? ''}; ${begun.mark}` });
  }
  return { get, begin, choose, journey };
}

/** What a refused journey tells the error page; fails for an answer that is none, or that brings a session. */
export function errorOf(response: Response): { error: string; description: string; from: string } {
  const location = new URL(response.headers.get('location') ?? '', 'http://site.test');
  const told = Object.fromEntries(location.searchParams) as Record<'error' | 'description' | 'from', string>;
  if (response.status !== 303 || location.pathname !== '/error')
    throw new Error(`It went on to ${response.status} ${location.pathname}.`);
  if (response.headers.getSetCookie().length > 0) throw new Error('A refused journey set a cookie.');
  if (!/^[A-Z][^<>]{20,198}\.$/.test(told.description))
    throw new Error(`No plain sentence: ${told.description}`);
  return told;
}
