import { config } from '#platform/config/config.server.ts';
import { type Database, database } from '#platform/database/database.server.ts';
import { enqueue, jobsAreRunning } from '#platform/job-queue.server.ts';
import { withLocale } from '#platform/locale.server.ts';
import { log } from '#platform/log.server.ts';
import { sendMail } from '#platform/mail/send-mail.server.ts';
import { baseLanguage, toLocale } from '#shared/language-path.ts';
import { setting } from '#shared/settings.ts';
import { maxMailAttempts } from './contact-contract.ts';
import { claimDueMails, type DueMail, markSent } from './contact-mail-queue-store.server.ts';
import { supportMail } from './contact-message.mail.tsx';
import { receiptMail } from './contact-receipt.mail.tsx';

export const SEND_CONTACT_MAILS = 'send-contact-mails';

const BATCH_SIZE = 20;

/** Where this process runs no jobs, the minute's job of another sends it. */
export async function scheduleMails(tx: Database): Promise<void> {
  if (jobsAreRunning()) await enqueue(SEND_CONTACT_MAILS, {}, { tx });
}

function deliver(due: DueMail): Promise<void> {
  const support = { address: setting('contact.email') };
  const sender = { address: due.email };
  if (due.mail === 'support')
    return sendMail({
      to: support,
      replyTo: sender,
      ...withLocale(baseLanguage, () => supportMail(due, setting('brand.name'))),
    });
  const links = { brand: setting('brand.name'), home: config().publicUrl, supportEmail: support.address };
  const words = withLocale(toLocale(due.language) ?? baseLanguage, () => receiptMail(due, links));
  // An automatic answer, so that no holiday reply answers it (RFC 3834).
  return sendMail({ to: sender, replyTo: support, ...words, headers: { 'Auto-Submitted': 'auto-replied' } });
}

async function send(due: DueMail): Promise<void> {
  const about = { reference: due.reference, mail: due.mail, attempt: due.attempts };
  try {
    await deliver(due);
    await markSent(database(), due);
  } catch (error) {
    if (due.attempts >= maxMailAttempts)
      log.error({ ...about, error }, 'a mail of a message to support could not be sent; it is given up');
    else log.warn({ ...about, error }, 'a mail of a message to support could not be sent yet');
  }
}

/** A mail that the server does not take keeps no other back. */
export async function sendOpenMails(): Promise<void> {
  for (;;) {
    const due = await claimDueMails(database(), BATCH_SIZE);
    await Promise.all(due.map(send));
    if (due.length < BATCH_SIZE) return;
  }
}
