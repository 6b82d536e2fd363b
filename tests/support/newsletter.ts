import { randomInt } from 'node:crypto';
import { eventually, type TestServer } from './server.ts';
import { network, newAddress } from './visitor.ts';

export interface ListMail {
  subject: string;
  text: string;
  html: string;
  headers: Record<string, string>;
  links: string[];
}

/** Returns all mails to an address, newest first, with their headers. */
export async function listMails(server: Pick<TestServer, 'standins'>, email: string): Promise<ListMail[]> {
  const response = await fetch(`${server.standins}/mail/messages?to=${encodeURIComponent(email)}`);
  return (await response.json()) as ListMail[];
}

/** Waits for a mail whose subject matches, and returns the newest. */
export function waitForMail(server: TestServer, email: string, subject: RegExp): Promise<ListMail> {
  return eventually(async () => (await listMails(server, email)).find((mail) => subject.test(mail.subject)));
}

/** Returns the token of the first link in a mail that leads to a path. */
export function tokenOf({ links }: ListMail, path: string): string {
  const link = links.find((each) => each.includes(path)) ?? '';
  return new URL(link).searchParams.get('token') ?? '';
}

/** Requests a subscription as the page's script does, from a new network; needs TRUSTED_PROXIES=127.0.0.1. */
export function requestSubscription(server: TestServer, body: unknown, headers: Record<string, string> = {}) {
  return fetch(`${server.url}/api/newsletter`, {
    method: 'POST',
    headers: {
      origin: server.url,
      'content-type': 'application/json',
      'x-forwarded-for': network(),
      ...headers,
    },
    body: JSON.stringify(body),
  });
}

/** Presses the button of a page with a token. */
export function press(server: TestServer, path: string, token: string, from = network()) {
  return fetch(server.url + path, {
    method: 'POST',
    redirect: 'manual',
    headers: { origin: server.url, 'x-forwarded-for': from },
    body: new URLSearchParams({ token }),
  });
}

/** Subscribes an address as a person does. @returns the token to unsubscribe. */
export async function subscribe(
  server: TestServer,
  email = newAddress(),
): Promise<{ email: string; unsubscribeToken: string }> {
  await requestSubscription(server, { email, source: '/blog' });
  const confirmation = await waitForMail(server, email, /^Confirm/);
  await press(server, '/newsletter/confirm', tokenOf(confirmation, '/newsletter/confirm'));
  const welcome = await waitForMail(server, email, /^You’re subscribed/);
  return { email, unsubscribeToken: tokenOf(welcome, '/newsletter/unsubscribe') };
}

/** Inserts many confirmed subscribers directly. @returns their addresses. */
export async function seedSubscribers({ database }: TestServer, count: number): Promise<string[]> {
  const tag = `s${randomInt(1e12)}`;
  const { rows } = await database.query<{ email: string }>(
    `insert into newsletter_subscribers (id, address_hash, email, leave_token, wording, source, asked_at, asked_network, confirmed_at, confirmed_network)
     select gen_random_uuid(), sha256(($1 || n)::bytea), $1 || '-' || n || '@example.com',
            translate(encode(sha256(($1 || 'leave' || n)::bytea), 'base64'), '+/=', '-_'), 1, '/blog', app_now(), 'x', app_now(), 'x'
       from generate_series(1, $2::int) n returning email`,
    [tag, count],
  );
  return rows.map(({ email }) => email);
}
