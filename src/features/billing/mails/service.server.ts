import { site } from '../../../../content/site.ts';
import { config } from '../../../platform/config/config.server.ts';
import { type Database, database } from '../../../platform/database/database.server.ts';
import { enqueue, jobsAreRunning } from '../../../platform/jobs/jobs.server.ts';
import { log } from '../../../platform/log/log.server.ts';
import { sendMail } from '../../../platform/mail/mail.server.ts';
import { seller } from '../../credits/contract.ts';
import { cancelledMail } from './cancelled.mail.tsx';
import { type BillingMail, type MailPlaces, mailFacts } from './contract.ts';
import { disputedMail } from './disputed.mail.tsx';
import { endedMail } from './ended.mail.tsx';
import { paymentFailedMail } from './payment-failed.mail.tsx';
import { receiptMail } from './receipt.mail.tsx';
import { refundMail } from './refund.mail.tsx';
import { resumedMail } from './resumed.mail.tsx';
import { insertMail, markSent, type OpenMail, takeDue, writtenKeys } from './store.server.ts';
import { twoPlansMail } from './two-plans.mail.tsx';

/** Name of the job that sends what is open; it takes no data. */
export const SEND_BILLING_MAILS = 'send-billing-mails';

/** Tries of a mail, over 15 hours; then it is given up. */
export const mailTries = 8;
const AT_ONCE = 20;

/**
 * Writes a mail about money in the transaction of the fact that it tells of, once for a key. It is sent as soon as that
 * commits; by the minute's job where this process runs no jobs.
 * @returns whether it was written now.
 */
export async function queueMail(tx: Database, mail: BillingMail): Promise<boolean> {
  const written = await insertMail(tx, mail);
  if (written > 0 && jobsAreRunning()) await enqueue(SEND_BILLING_MAILS, {}, { tx });
  return written > 0;
}

/** Whether a mail was written under a key, sent or not; asked for all keys at once. */
export async function writtenMails(tx: Database, keys: string[]): Promise<(key: string) => boolean> {
  const written = new Set(keys.length > 0 ? await writtenKeys(tx, keys) : []);
  return (key) => written.has(key);
}

/** @throws ZodError for facts that an older build wrote otherwise, Error for an unknown kind. */
function rendered({ kind, facts }: OpenMail, places: MailPlaces) {
  switch (kind) {
    case 'receipt':
      return receiptMail(mailFacts.receipt.parse(facts), places);
    case 'payment_failed':
      return paymentFailedMail(mailFacts.payment_failed.parse(facts), places);
    case 'cancelled':
      return cancelledMail(mailFacts.cancelled.parse(facts), places);
    case 'refund':
      return refundMail(mailFacts.refund.parse(facts), places);
    case 'resumed':
      return resumedMail(mailFacts.resumed.parse(facts), places);
    case 'ended':
      return endedMail(mailFacts.ended.parse(facts), places);
    case 'disputed':
      return disputedMail(mailFacts.disputed.parse(facts), places);
    case 'two_plans':
      return twoPlansMail(mailFacts.two_plans.parse(facts), places);
    default:
      throw new Error(`There is no mail of the kind ${kind}.`);
  }
}

async function send(mail: OpenMail): Promise<void> {
  const about = { mail: mail.key, kind: mail.kind, userId: mail.user_id };
  try {
    const places = {
      brand: site.name,
      dashboard: `${config().publicUrl}/dashboard`,
      supportEmail: site.supportEmail,
      provider: seller,
    };
    await sendMail({ to: { address: mail.email }, ...rendered(mail, places) });
    await markSent(database(), mail.key);
  } catch (error) {
    if (mail.attempts >= mailTries)
      log.error({ ...about, error }, 'a mail about money could not be sent; it is given up');
    else log.warn({ ...about, attempt: mail.attempts, error }, 'a mail about money could not be sent yet');
  }
}

/** Sends every mail about money that is due; one that the server does not take keeps no other back. */
export async function sendOpenMails(): Promise<void> {
  for (;;) {
    const due = await takeDue(database(), { tries: mailTries, limit: AT_ONCE });
    await Promise.all(due.map(send));
    if (due.length < AT_ONCE) return;
  }
}
