import { randomInt } from 'node:crypto';
import { mailTo } from './mailbox.ts';
import { client } from './people.ts';
import type { TestServer } from './server.ts';

export interface VisitorOptions {
  /** Sent as X-Forwarded-For; the server must trust 127.0.0.1. */
  from?: string;
  cookie?: string;
  headers?: Record<string, string>;
}

/** Returns an email address that nobody has used. */
export const newAddress = () => `p${randomInt(1e12)}@example.com`;

const NETWORKS = 15 * 65_536;
let lastNetwork = randomInt(NETWORKS);
/**
 * Returns a new network for each visitor, so that tests do not share rate limits. It is from the block that RFC 1112
 * reserves: the blocks for documentation are so small that two visitors would share a network.
 */
export function network(): string {
  lastNetwork = (lastNetwork + 1) % NETWORKS;
  return `${240 + (lastNetwork >> 16)}.${(lastNetwork >> 8) & 255}.${lastNetwork & 255}.77`;
}

/** Returns the session cookie that a response sets, as `name=value`. */
export function sessionCookie(response: Response): string {
  const line = response.headers.getSetCookie().find((cookie) => cookie.startsWith('session='));
  return line?.split(';')[0] ?? '';
}

/** Sets the site's clock to `ms` milliseconds ahead of the real one. */
export async function moveClock(server: TestServer, ms: number): Promise<void> {
  await server.database.query('update app_clock set offset_ms = $1', [ms]);
}

/** Requests of a visitor without a session, to a server with TRUSTED_PROXIES=127.0.0.1. */
export function visitor(server: TestServer) {
  const post = (
    path: string,
    body: unknown,
    { from = network(), cookie = '', headers = {} }: VisitorOptions = {},
  ) => client(server, cookie).send('POST', path, body, { 'x-forwarded-for': from, ...headers });
  const form = (
    path: string,
    fields: Record<string, string>,
    { from = network(), cookie = '' }: VisitorOptions = {},
  ) =>
    fetch(server.url + path, {
      method: 'POST',
      redirect: 'manual',
      headers: { origin: server.url, cookie, 'x-forwarded-for': from },
      body: new URLSearchParams(fields),
    });
  const ask = (email: unknown, options?: VisitorOptions & { next?: string }) =>
    post('/api/sign-in/email', { email, next: options?.next }, options);
  const press = (token: string, options?: VisitorOptions) => form('/sign-in/confirm', { token }, options);
  return {
    post,
    form,
    /** Requests a sign-in mail. */
    ask,
    /** Presses the button on the page of a sign-in link. */
    press,
    /** Requests a mail, waits for mail number `count`, and presses the button of its link. */
    async signIn(email: string, options: VisitorOptions & { count?: number } = {}) {
      await ask(email, options);
      const { token } = await mailTo(server, email, options.count);
      const cookie = sessionCookie(await press(token, options));
      return { cookie, ...client(server, cookie) };
    },
  };
}
