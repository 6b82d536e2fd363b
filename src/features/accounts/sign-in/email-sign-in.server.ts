import { v7 as uuid } from 'uuid';
import { m } from '#messages';
import { config } from '#platform/config/config.server.ts';
import { type Database, database, transaction } from '#platform/database/database.server.ts';
import { Problem } from '#platform/http/problem.server.ts';
import { enqueue } from '#platform/job-queue.server.ts';
import { maskEmail } from '#platform/log.server.ts';
import { emailAddress } from '#platform/mail/email-address.server.ts';
import { sendMail } from '#platform/mail/send-mail.server.ts';
import { setting } from '#shared/settings.ts';
import { safeReturnTo } from '../return-to.ts';
import { readSession } from '../sessions/sessions.server.ts';
import { keyedHash, looksLikeToken, newCode, newToken, sameHash } from '../tokens.server.ts';
import { findOrCreateUserByEmail, hasAccount } from '../users/users.server.ts';
import { type Browser, completeSignIn, type SignInResult } from './complete-sign-in.server.ts';
import {
  consumeCode,
  consumeLink,
  countAttempt,
  deleteOldSignIns,
  findSignInByLink,
  insertSignIn,
  isCodeOfBrowser,
  issueSignInSecrets,
  type UsedSignIn,
} from './email-sign-in-store.server.ts';
import { bindLogin, deviceCookie, isDeviceOf, loginBindingHash } from './login-binding.server.ts';
import { signInMail } from './sign-in.mail.tsx';
import { limitCodeAttempts, limitSignInMails } from './sign-in-rate-limits.server.ts';

export const SEND_MAIL = 'send-sign-in-mail';
const MINUTES = 15;
const MAX_ATTEMPTS = 5;

function validAddress(text: string): string {
  const email = emailAddress(text);
  if (email === null) throw new Problem('bad_request', m.common_invalid_email());
  return email;
}

async function isKnown(email: string, { cookieHeader }: Browser): Promise<boolean> {
  const [account, actor] = await Promise.all([hasAccount(email), readSession(cookieHeader)]);
  return account || actor.kind === 'user';
}

/**
 * Leaves the mail to a job, so that known and unknown addresses get the same response in the same time. @returns the
 * Set-Cookie header by which the link recognizes this browser.
 */
export async function requestSignIn(
  input: { email: string; next?: string | undefined },
  browser: Browser,
): Promise<{ cookie: string }> {
  const email = validAddress(input.email);
  const known = await isKnown(email, browser);
  await limitSignInMails(email, browser.address, { known, device: isDeviceOf(browser.cookieHeader, email) });
  const { hash: browserHash, cookie } = bindLogin(browser.cookieHeader);
  const id = uuid();
  await transaction(async (tx) => {
    await insertSignIn(tx, { id, email, next: safeReturnTo(input.next), browserHash, minutes: MINUTES });
    await enqueue(SEND_MAIL, { signInId: id }, { tx });
  });
  return { cookie };
}

/** A retry creates a new link and a new code. */
export async function sendSignInMail({ signInId }: { signInId: string }): Promise<void> {
  const [token, code] = [newToken(), newCode()];
  const linkHash = keyedHash('link', token);
  const issued = await issueSignInSecrets(database(), {
    id: signInId,
    linkHash,
    codeHash: keyedHash('code', `${signInId}:${code}`),
  });
  if (!issued) return;
  const link = `${config().publicUrl}/sign-in/confirm?token=${token}`;
  const mail = signInMail({ brand: setting('brand.name'), link, code, minutes: issued.minutes });
  await sendMail({ to: { address: issued.email }, ...mail });
}

export async function linkPreview(
  token: unknown,
  cookieHeader: string | null,
): Promise<{ maskedEmail: string; sameBrowser: boolean } | null> {
  if (!looksLikeToken(token)) return null;
  const found = await findSignInByLink(database(), keyedHash('link', token));
  if (!found) return null;
  const browserHash = loginBindingHash(cookieHeader);
  const sameBrowser = browserHash !== null && sameHash(browserHash, found.browser_hash);
  return { maskedEmail: maskEmail(found.email), sameBrowser };
}

/** `deviceCookie` gives this browser a separate limit for mails to the address. */
type EmailSignInResult = SignInResult & { deviceCookie: string };

async function completeEmailSignIn(
  tx: Database,
  used: UsedSignIn,
  browser: Browser,
): Promise<EmailSignInResult> {
  const user = await findOrCreateUserByEmail(tx, used.email);
  const result = await completeSignIn(tx, user, browser, safeReturnTo(used.next));
  return { ...result, deviceCookie: deviceCookie(used.email) };
}

export async function signInWithLink(token: unknown, browser: Browser): Promise<EmailSignInResult | null> {
  if (!looksLikeToken(token)) return null;
  return transaction(async (tx) => {
    const used = await consumeLink(tx, keyedHash('link', token));
    return used && completeEmailSignIn(tx, used, browser);
  });
}

/**
 * Accepts the code that this browser requested, or the newest one. The requesting browser has 5 tries, all others
 * together another 5, so that guessing does not lock the owner out; the link of the same mail works in any case.
 */
export async function signInWithCode(
  input: { email: string; code: string },
  browser: Browser,
): Promise<EmailSignInResult> {
  const email = validAddress(input.email);
  const browserHash = loginBindingHash(browser.cookieHeader);
  const isRequestingBrowser = browserHash !== null && (await isCodeOfBrowser(database(), email, browserHash));
  await limitCodeAttempts(email, browser.address, isRequestingBrowser);
  const attempts = await countAttempt(database(), email, { browserHash, maxTries: MAX_ATTEMPTS });
  const code = input.code.replace(/\s/g, '');
  const match = attempts.find(({ id, code_hash }) => sameHash(keyedHash('code', `${id}:${code}`), code_hash));
  const result = match
    ? await transaction(async (tx) => {
        const used = await consumeCode(tx, match.id);
        return used && completeEmailSignIn(tx, used, browser);
      })
    : null;
  if (!result) throw new Problem('bad_request', m.sign_in_wrong_code());
  return result;
}

export function sweepSignIns(): Promise<number> {
  return deleteOldSignIns(database());
}
