import { v7 as uuid } from 'uuid';
import { site } from '../../../../content/site.ts';
import { config } from '../../../platform/config/config.server.ts';
import { type Database, database, transaction } from '../../../platform/database/database.server.ts';
import { Problem } from '../../../platform/http/problem.server.ts';
import { enqueue } from '../../../platform/jobs/jobs.server.ts';
import { maskEmail } from '../../../platform/log/log.server.ts';
import { emailAddress } from '../../../platform/mail/email-address.server.ts';
import { sendMail } from '../../../platform/mail/mail.server.ts';
import { signInTexts } from '../contract.ts';
import { type Browser, type Entry, enter } from '../entry/service.server.ts';
import { browserMark, markBrowser } from '../marks/service.server.ts';
import { readSession } from '../sessions/service.server.ts';
import { signInMail } from '../sign-in.mail.tsx';
import { keyedHash, looksLikeToken, newCode, newToken, sameHash } from '../tokens/service.server.ts';
import { hasAccount, userOfProvenEmail } from '../users/service.server.ts';
import { wayOn } from '../way-on/contract.ts';
import { limitMails, limitTries } from './limits/service.server.ts';
import {
  armSignIn,
  countTry,
  deleteOldSignIns,
  insertSignIn,
  isCodeOfBrowser,
  signInOfLink,
  type UsedSignIn,
  useCode,
  useLink,
  voidOpen,
} from './store.server.ts';

/** Name of the job that makes the secrets and sends the mail; its data is `{ signInId }`. */
export const SEND_MAIL = 'send-sign-in-mail';
const MINUTES = 15;
const MAX_TRIES = 5;

function proveAddress(text: string): string {
  const email = emailAddress(text);
  if (email === null) throw new Problem('bad_request', signInTexts.invalidEmail);
  return email;
}

/** Whether the address has an account, or the browser the session of one. */
async function isKnown(email: string, { cookieHeader }: Browser): Promise<boolean> {
  const [account, actor] = await Promise.all([hasAccount(email), readSession(cookieHeader)]);
  return account || actor.kind === 'user';
}

/**
 * Takes a wish to sign in and leaves the mail to a job, so that known and unknown addresses get the same answer in
 * the same time.
 * @returns the Set-Cookie line that lets the link recognise this browser.
 * @throws Problem bad_request for no plain address, rate_limited.
 */
export async function requestSignIn(
  input: { email: string; next?: string | undefined },
  browser: Browser,
): Promise<{ cookie: string }> {
  const email = proveAddress(input.email);
  await limitMails(email, browser.address, await isKnown(email, browser));
  const { hash: browserHash, cookie } = markBrowser(browser.cookieHeader);
  const id = uuid();
  await transaction(async (tx) => {
    await insertSignIn(tx, { id, email, next: wayOn(input.next), browserHash, minutes: MINUTES });
    await enqueue(SEND_MAIL, { signInId: id }, { tx });
  });
  return { cookie };
}

/**
 * Makes the link and the code of a sign-in and mails them; nothing when it is open no more. A repeated run makes
 * new ones.
 * @throws MailError when the mail server does not take it.
 */
export async function deliverSignIn({ signInId }: { signInId: string }): Promise<void> {
  const [token, code] = [newToken(), newCode()];
  const linkHash = keyedHash('link', token);
  const armed = await armSignIn(database(), {
    id: signInId,
    linkHash,
    codeHash: keyedHash('code', `${signInId}:${code}`),
  });
  if (!armed) return;
  const link = `${config().publicUrl}/sign-in/confirm?token=${token}`;
  const mail = signInMail({ brand: site.name, link, code, minutes: armed.minutes });
  await sendMail({ to: { address: armed.email }, ...mail });
}

/** What the page of a link may show before its button is pressed; null for a link that was used or has run out. */
export async function linkPreview(
  token: unknown,
  cookieHeader: string | null,
): Promise<{ maskedEmail: string; sameBrowser: boolean } | null> {
  if (!looksLikeToken(token)) return null;
  const found = await signInOfLink(database(), keyedHash('link', token));
  if (!found) return null;
  const mark = browserMark(cookieHeader);
  const sameBrowser = mark !== null && sameHash(mark, found.browser_hash);
  return { maskedEmail: maskEmail(found.email), sameBrowser };
}

async function complete(tx: Database, used: UsedSignIn, browser: Browser): Promise<Entry> {
  return enter(tx, await userOfProvenEmail(tx, used.email), browser, wayOn(used.next));
}

/** Uses up a link; of parallel calls one signs in. Null when it was used or has run out. */
export async function signInWithLink(token: unknown, browser: Browser): Promise<Entry | null> {
  if (!looksLikeToken(token)) return null;
  return transaction(async (tx) => {
    const used = await useLink(tx, keyedHash('link', token));
    return used && complete(tx, used, browser);
  });
}

/**
 * Uses up the newest code of an address. The browser that asked for it has 5 tries, all others together have 5 more, so
 * that nobody's guessing keeps its owner out; the link of the same mail works whatever was tried.
 * @throws Problem bad_request for a wrong or dead code, rate_limited.
 */
export async function signInWithCode(
  input: { email: string; code: string },
  browser: Browser,
): Promise<Entry> {
  const email = proveAddress(input.email);
  const mark = browserMark(browser.cookieHeader);
  const asked = mark !== null && (await isCodeOfBrowser(database(), email, mark));
  await limitTries(email, browser.address, asked);
  const found = await countTry(database(), email, { mark, maxTries: MAX_TRIES });
  const given = keyedHash('code', `${found?.id}:${input.code.replace(/\s/g, '')}`);
  const right = sameHash(given, found?.code_hash ?? keyedHash('code', newToken()));
  const done =
    found && right
      ? await transaction(async (tx) => {
          const used = await useCode(tx, found.id);
          return used && complete(tx, used, browser);
        })
      : null;
  if (!done) throw new Problem('bad_request', signInTexts.wrongCode);
  return done;
}

/** Voids every open link and code of an address. */
export function voidSignIns(tx: Database, email: string): Promise<number> {
  return voidOpen(tx, email);
}

/** Removes sign-ins that ran out more than a day ago. @returns their number. */
export function sweepSignIns(): Promise<number> {
  return deleteOldSignIns(database());
}
