import { createHmac, randomBytes } from 'node:crypto';
import { v7 as uuid } from 'uuid';
import {
  type AddressLimits,
  keyedHash,
  legacyCanonicalEmail,
  limitAddress,
  looksLikeToken,
  newToken,
} from '#features/accounts/service.server.ts';
import { m } from '#messages';
import { config } from '#platform/config/config.server.ts';
import { type Database, database, transaction } from '#platform/database/database.server.ts';
import { instanceValue } from '#platform/database/instance-values.server.ts';
import { shortAddress } from '#platform/http/client-address.server.ts';
import { Problem } from '#platform/http/problem.server.ts';
import { enqueue } from '#platform/job-queue.server.ts';
import { maskEmail } from '#platform/log.server.ts';
import { emailAddress } from '#platform/mail/email-address.server.ts';
import { sendMail } from '#platform/mail/send-mail.server.ts';
import { utcDate } from '#shared/format-date.ts';
import { setting } from '#shared/settings.ts';
import type { TokenView } from '../web/newsletter/token-page.tsx';
import { confirmMail } from './confirm-subscription.mail.tsx';
import { consentVersion } from './consent-wordings.ts';
import { confirmDays, validSource } from './newsletter-contract.ts';
import { confirmLink, listHeaders, unsubscribeLink } from './newsletter-links.server.ts';
import { subscribedMail } from './subscribed.mail.tsx';
import {
  type Counts,
  countAll,
  deleteOldRequests,
  deleteRequest,
  deleteSubscriber,
  type ExportRow,
  findOpenRequest,
  findRequestByLink,
  findSubscriber,
  findSubscriberByLink,
  insertRequest,
  insertSubscriber,
  issueRequestToken,
  recipientsAfter,
  type Subscriber,
  takeRequest,
} from './subscriber-store.server.ts';

export const SEND_REQUEST_MAIL = 'send-newsletter-request';
export const SEND_WELCOME_MAIL = 'send-newsletter-welcome';

const hour = 3600;
const day = 24 * hour;
/** Lifetime of a link: whoever has reached the limit still has a link that works. */
const week = confirmDays * day;

const limits: AddressLimits = {
  customer: [
    { max: 50, seconds: hour },
    { max: 150, seconds: day },
  ],
  network: [
    { max: 20, seconds: hour },
    { max: 60, seconds: day },
  ],
  address: [{ max: 3, seconds: week }],
  pair: [{ max: 2, seconds: day }],
  mailbox: [{ max: 5, seconds: week }],
  site: { busy: 500, perNetwork: 2, seconds: hour },
};

export async function addressHash(db: Database, email: string): Promise<Buffer> {
  const pepper = await instanceValue(db, 'newsletter_pepper', randomBytes(32).toString('base64url'));
  return createHmac('sha256', Buffer.from(pepper, 'base64url')).update(email).digest();
}

const mailboxHash = (db: Database, email: string) => addressHash(db, legacyCanonicalEmail(email));

/** Leaves work that depends on the address to a job, so that every address gets the same response in the same time. */
export async function requestSubscription(
  input: { email: string; source?: string | undefined; trap?: string | undefined },
  clientAddress: string,
): Promise<void> {
  const email = emailAddress(input.email);
  if (email === null) throw new Problem('bad_request', m.common_invalid_email());
  if (input.trap) return;
  await limitAddress('newsletter', limits, email, clientAddress);
  const id = uuid();
  await transaction(async (tx) => {
    await insertRequest(tx, {
      id,
      email,
      wording: consentVersion,
      source: validSource(input.source),
      network: shortAddress(clientAddress),
      days: confirmDays,
    });
    await enqueue(SEND_REQUEST_MAIL, { requestId: id }, { tx });
  });
}

async function mailSubscribed(
  { email, leave_token, confirmed_at }: Subscriber,
  isRepeated: boolean,
): Promise<void> {
  const { publicUrl } = config();
  const mail = subscribedMail({
    brand: setting('brand.name'),
    email,
    since: utcDate(confirmed_at),
    blog: `${publicUrl}/blog`,
    leaveLink: unsubscribeLink(leave_token),
    isRepeated,
  });
  await sendMail({ to: { address: email }, ...mail, headers: listHeaders(leave_token) });
}

/** Notifies subscribers that they are already subscribed; people who left and got a mail this week get none. */
export async function mailRequest({ requestId }: { requestId: string }): Promise<void> {
  const db = database();
  const request = await findOpenRequest(db, requestId);
  if (!request) return;
  const subscriber = await findSubscriber(db, { email: request.email });
  if (subscriber) {
    await mailSubscribed(subscriber, true);
    return deleteRequest(db, requestId);
  }
  const token = newToken();
  const issued = await issueRequestToken(db, {
    id: requestId,
    tokenHash: keyedHash('newsletter', token),
    addressHash: await addressHash(db, request.email),
    mailboxHash: await mailboxHash(db, request.email),
  });
  if (!issued) return;
  const mail = confirmMail({
    brand: setting('brand.name'),
    host: new URL(config().publicUrl).host,
    email: issued.email,
    requestedOn: utcDate(issued.created_at),
    link: confirmLink(token),
  });
  await sendMail({ to: { address: issued.email }, ...mail });
}

export async function viewRequest(token: string): Promise<TokenView | null> {
  if (!looksLikeToken(token)) return null;
  const found = await findRequestByLink(database(), keyedHash('newsletter', token));
  return found && { state: 'open', token, maskedEmail: maskEmail(found.email) };
}

export async function confirmRequest(token: unknown, clientAddress: string): Promise<boolean> {
  if (!looksLikeToken(token)) return false;
  return transaction(async (tx) => {
    const request = await takeRequest(tx, keyedHash('newsletter', token));
    if (!request) return false;
    const subscriberId = await insertSubscriber(tx, {
      ...request,
      id: uuid(),
      addressHash: await addressHash(tx, request.email),
      mailboxHash: await mailboxHash(tx, request.email),
      leaveToken: newToken(),
      confirmedNetwork: shortAddress(clientAddress),
    });
    if (subscriberId !== null) await enqueue(SEND_WELCOME_MAIL, { subscriberId }, { tx });
    return true;
  });
}

export async function mailWelcome({ subscriberId }: { subscriberId: string }): Promise<void> {
  const subscriber = await findSubscriber(database(), { id: subscriberId });
  if (subscriber) await mailSubscribed(subscriber, false);
}

export async function viewSubscription(token: string): Promise<TokenView | null> {
  const found = looksLikeToken(token) && (await findSubscriberByLink(database(), token));
  if (!found) return null;
  return found.email ? { state: 'open', token, maskedEmail: maskEmail(found.email) } : { state: 'done' };
}

export async function unsubscribeByLink(token: unknown): Promise<boolean> {
  return looksLikeToken(token) && transaction((tx) => deleteSubscriber(tx, { leaveToken: token }));
}

export async function unsubscribeByAddress(text: string): Promise<boolean> {
  const email = emailAddress(text);
  return email !== null && transaction((tx) => deleteSubscriber(tx, { email }));
}

export function sweepRequests(): Promise<number> {
  return deleteOldRequests(database());
}

export async function* everySubscriber(): AsyncGenerator<ExportRow & { leaveLink: string }> {
  const page = 500;
  for (let after = ''; ; ) {
    const rows = await recipientsAfter(database(), after, page);
    for (const row of rows) yield { ...row, leaveLink: unsubscribeLink(row.leave_token) };
    after = rows.at(-1)?.email ?? after;
    if (rows.length < page) return;
  }
}

export function newsletterCounts(): Promise<Counts> {
  return countAll(database());
}
