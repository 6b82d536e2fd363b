import { config } from '#platform/config/config.server.ts';
import { withLocale } from '#platform/locale.server.ts';
import { defineMailJob } from '#platform/mail/mail-queue.server.ts';
import { sendMail } from '#platform/mail/send-mail.server.ts';
import { baseLanguage, toLocale } from '#shared/language-path.ts';
import { setting } from '#shared/settings.ts';
import { supportMail } from './contact-message.mail.tsx';
import { receiptMail } from './contact-receipt.mail.tsx';
import { claimDueMails, type DueMail, markSent } from './message-store.server.ts';

export const SEND_CONTACT_MAILS = 'send-contact-mails';

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
  const content = withLocale(toLocale(due.language) ?? baseLanguage, () => receiptMail(due, links));
  // Marked as automatic, so that no out-of-office reply answers it (RFC 3834).
  return sendMail({
    to: sender,
    replyTo: support,
    ...content,
    headers: { 'Auto-Submitted': 'auto-replied' },
  });
}

export function defineContactMailJob(): void {
  defineMailJob({
    job: SEND_CONTACT_MAILS,
    name: 'an email for a support message',
    claim: claimDueMails,
    deliver,
    markSent,
    logFields: ({ reference, mail }) => ({ reference, mail }),
  });
}
