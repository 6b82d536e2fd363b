import { createHmac, randomBytes } from 'node:crypto';
import { v7 as uuid } from 'uuid';
import { site } from '../../../../content/site.ts';
import { config } from '../../../platform/config/config.server.ts';
import { type Database, database, transaction } from '../../../platform/database/database.server.ts';
import { shortAddress } from '../../../platform/http/client-address.server.ts';
import { Problem } from '../../../platform/http/problem.server.ts';
import { enqueue } from '../../../platform/jobs/jobs.server.ts';
import { maskEmail } from '../../../platform/log/log.server.ts';
import { emailAddress } from '../../../platform/mail/email-address.server.ts';
import { sendMail } from '../../../platform/mail/mail.server.ts';
import { formerMailbox } from '../../accounts/mailboxes/service.server.ts';
import { type AddressLimits, limitAddress } from '../../accounts/sign-in/limits/service.server.ts';
import { keyedHash, looksLikeToken, newToken } from '../../accounts/tokens/service.server.ts';
import { confirmMail } from './confirm.mail.tsx';
import { confirmDays, consentVersion, newsletterTexts, sourceOf } from './contract.ts';
import { confirmLink, leaveLink, listHeaders } from './links/service.server.ts';
import {
  armRequest,
  type Counts,
  countAll,
  deleteOldRequests,
  deleteRequest,
  type ExportRow,
  insertRequest,
  insertSubscriber,
  leave,
  openRequest,
  recipient,
  recipientsAfter,
  requestOfLink,
  type Subscriber,
  sharedValue,
  subscriberOfLink,
  takeRequest,
} from './store.server.ts';
import { subscribedMail } from './subscribed.mail.tsx';

/** Job that mails the link to confirm; its data is `{ requestId }`. */
export const SEND_REQUEST_MAIL = 'send-newsletter-request';
/** Job that mails that a subscription is there; its data is `{ subscriberId }`. */
export const SEND_WELCOME_MAIL = 'send-newsletter-welcome';

const hour = 3600;
const day = 24 * hour;
/** A link works for so long, so who has asked this often has one that works. */
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
  site: { busy: 500, quiet: 2, seconds: hour },
};

const inWords = (date: Date) => date.toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' });

/** What stands for an address of which nothing else may be kept. */
export async function addressHash(db: Database, email: string): Promise<Buffer> {
  const pepper = await sharedValue(db, 'newsletter_pepper', randomBytes(32).toString('base64url'));
  return createHmac('sha256', Buffer.from(pepper, 'base64url')).update(email).digest();
}

/** What stands for the mailbox of an address, however it is written. */
const mailboxHash = (db: Database, email: string) => addressHash(db, formerMailbox(email));

/**
 * Takes a wish to get the newsletter and leaves all that depends on the address to a job, so that every address gets the
 * same answer in the same time. What a program fills into the trap is taken for nothing.
 * @throws Problem bad_request for no plain address, rate_limited.
 */
export async function askForNewsletter(
  input: { email: string; source?: string | undefined; trap?: string | undefined },
  clientAddress: string,
): Promise<void> {
  const email = emailAddress(input.email);
  if (email === null) throw new Problem('bad_request', newsletterTexts.invalidEmail);
  if (input.trap) return;
  await limitAddress('newsletter', limits, email, clientAddress);
  const id = uuid();
  await transaction(async (tx) => {
    await insertRequest(tx, {
      id,
      email,
      wording: consentVersion,
      source: sourceOf(input.source),
      network: shortAddress(clientAddress),
      days: confirmDays,
    });
    await enqueue(SEND_REQUEST_MAIL, { requestId: id }, { tx });
  });
}

async function mailSubscribed(
  { email, leave_token, confirmed_at }: Subscriber,
  again: boolean,
): Promise<void> {
  const { publicUrl } = config();
  const mail = subscribedMail({
    brand: site.name,
    email,
    since: inWords(confirmed_at),
    blog: `${publicUrl}/blog`,
    leaveLink: leaveLink(leave_token),
    again,
  });
  await sendMail({ to: { address: email }, ...mail, headers: listHeaders(leave_token) });
}

/**
 * Mails the link of a request; to who is subscribed already, that they are. Nothing where the request is open no more,
 * or its owner has left and was asked this week. @throws MailError.
 */
export async function mailRequest({ requestId }: { requestId: string }): Promise<void> {
  const db = database();
  const open = await openRequest(db, requestId);
  if (!open) return;
  const known = await recipient(db, { email: open.email });
  if (known) {
    await mailSubscribed(known, true);
    return deleteRequest(db, requestId);
  }
  const token = newToken();
  const armed = await armRequest(db, {
    id: requestId,
    tokenHash: keyedHash('newsletter', token),
    addressHash: await addressHash(db, open.email),
    mailboxHash: await mailboxHash(db, open.email),
  });
  if (!armed) return;
  const mail = confirmMail({
    brand: site.name,
    host: new URL(config().publicUrl).host,
    email: armed.email,
    asked: inWords(armed.created_at),
    link: confirmLink(token),
  });
  await sendMail({ to: { address: armed.email }, ...mail });
}

/** What the page of a link may show before its button is pressed; null for one that was used or has run out. */
export async function requestPreview(token: unknown): Promise<{ maskedEmail: string } | null> {
  if (!looksLikeToken(token)) return null;
  const found = await requestOfLink(database(), keyedHash('newsletter', token));
  return found && { maskedEmail: maskEmail(found.email) };
}

/** Uses up a link and subscribes its address. @returns false for a link that was used or has run out. */
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

/** Mails that a subscription is there, unless it is gone again. @throws MailError. */
export async function mailWelcome({ subscriberId }: { subscriberId: string }): Promise<void> {
  const subscriber = await recipient(database(), { id: subscriberId });
  if (subscriber) await mailSubscribed(subscriber, false);
}

/** Whose subscription a link ends: masked, null once it has ended; undefined for a link of none. */
export async function leavePreview(token: unknown): Promise<{ maskedEmail: string | null } | undefined> {
  if (!looksLikeToken(token)) return undefined;
  const found = await subscriberOfLink(database(), token);
  return found ? { maskedEmail: found.email && maskEmail(found.email) } : undefined;
}

/** Ends the subscription of a link; again it changes nothing. @returns false for a link of none. */
export async function leaveByLink(token: unknown): Promise<boolean> {
  return looksLikeToken(token) && transaction((tx) => leave(tx, { leaveToken: token }));
}

/** Ends the subscription of an address, for who asks by another way. @returns false where there is none. */
export async function leaveByAddress(text: string): Promise<boolean> {
  const email = emailAddress(text);
  return email !== null && transaction((tx) => leave(tx, { email }));
}

/** Removes requests that were not confirmed in their week. @returns their number. */
export function sweepRequests(): Promise<number> {
  return deleteOldRequests(database());
}

/** Everybody who gets the newsletter, by address, each with the link to leave. */
export async function* everySubscriber(): AsyncGenerator<ExportRow & { leaveLink: string }> {
  const page = 500;
  for (let after = ''; ; ) {
    const rows = await recipientsAfter(database(), after, page);
    for (const row of rows) yield { ...row, leaveLink: leaveLink(row.leave_token) };
    after = rows.at(-1)?.email ?? after;
    if (rows.length < page) return;
  }
}

/** How many get the newsletter, have been asked and not answered, and have left. */
export function newsletterCounts(): Promise<Counts> {
  return countAll(database());
}
