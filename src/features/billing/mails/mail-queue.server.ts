import { seller } from '#features/credits/contract.ts';
import { config } from '#platform/config/config.server.ts';
import { type Database, database } from '#platform/database/database.server.ts';
import { sql } from '#platform/database/sql.server.ts';
import { enqueue, jobsAreRunning } from '#platform/job-queue.server.ts';
import { withLocale } from '#platform/locale.server.ts';
import { log } from '#platform/log.server.ts';
import { sendMail } from '#platform/mail/send-mail.server.ts';
import { baseLanguage, toLocale } from '#shared/language-path.ts';
import { setting } from '#shared/settings.ts';
import {
  cancelledMail,
  disputedMail,
  endedMail,
  paymentFailedMail,
  receiptMail,
  refundMail,
  resumedMail,
  twoPlansMail,
} from './billing.mail.tsx';
import { creditsDisputedMail, creditsReceiptMail, creditsRefundMail } from './credits.mail.tsx';
import { type BillingMail, type MailKind, type MailLinks, mailFacts } from './mail-content.ts';

export const SEND_BILLING_MAILS = 'send-billing-mails';

/** Over 15 hours; then the mail is given up. */
export const maxMailAttempts = 8;
const BATCH_SIZE = 20;

interface OpenMail {
  key: string;
  user_id: string;
  kind: MailKind;
  facts: unknown;
  email: string;
  language: string | null;
  attempts: number;
}

/**
 * Oldest first. The next try is put off by 2, 8, 32, 128 min, then 4 h, so that one that fails, or whose process ends,
 * waits for that, and no two processes send the same. None to a deleted account.
 */
function claimDueMails(): Promise<OpenMail[]> {
  return database().rows<OpenMail>(sql`
    with due as (
      select m.key, u.email, u.language from billing_mails m join users u on u.id = m.user_id
       where m.sent_at is null and m.attempts < ${maxMailAttempts}::int and m.next_try_at <= app_now() and u.deleted_at is null
       order by m.next_try_at, m.key limit ${BATCH_SIZE} for update of m skip locked)
    update billing_mails m set attempts = m.attempts + 1,
           next_try_at = app_now() + least(2 * 4 ^ m.attempts, 240) * interval '1 minute'
      from due where m.key = due.key
    returning m.key, m.user_id, m.kind, m.facts, due.email, due.language, m.attempts`);
}

/**
 * In the transaction of the fact that it tells of, once for a key; sent as soon as that commits, or by the minute's job
 * where this process runs no jobs. @returns whether it was written now.
 */
export async function queueMail(tx: Database, mail: BillingMail): Promise<boolean> {
  const written = await tx.run(sql`
    insert into billing_mails (key, user_id, kind, facts)
    select ${mail.key}, id, ${mail.kind}, ${JSON.stringify(mail.facts)}::jsonb
      from users where id = ${mail.userId} and erased_at is null
    on conflict (key) do nothing`);
  if (written > 0 && jobsAreRunning()) await enqueue(SEND_BILLING_MAILS, {}, { tx });
  return written > 0;
}

export async function writtenMails(tx: Database, keys: string[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set();
  const rows = await tx.rows<{ key: string }>(
    sql`select key from billing_mails where key = any(${keys}::text[])`,
  );
  return new Set(rows.map(({ key }) => key));
}

/** Parses the stored facts: an older build may have written them otherwise. */
const templates: Record<MailKind, (facts: unknown, links: MailLinks) => ReturnType<typeof receiptMail>> = {
  receipt: (facts, links) => receiptMail(mailFacts.receipt.parse(facts), links),
  payment_failed: (facts, links) => paymentFailedMail(mailFacts.payment_failed.parse(facts), links),
  cancelled: (facts, links) => cancelledMail(mailFacts.cancelled.parse(facts), links),
  refund: (facts, links) => refundMail(mailFacts.refund.parse(facts), links),
  resumed: (facts, links) => resumedMail(mailFacts.resumed.parse(facts), links),
  ended: (facts, links) => endedMail(mailFacts.ended.parse(facts), links),
  disputed: (facts, links) => disputedMail(mailFacts.disputed.parse(facts), links),
  credits_receipt: (facts, links) => creditsReceiptMail(mailFacts.credits_receipt.parse(facts), links),
  credits_refund: (facts, links) => creditsRefundMail(mailFacts.credits_refund.parse(facts), links),
  credits_disputed: (facts, links) => creditsDisputedMail(mailFacts.credits_disputed.parse(facts), links),
  two_plans: (facts, links) => twoPlansMail(mailFacts.two_plans.parse(facts), links),
};

async function send(mail: OpenMail): Promise<void> {
  const about = { mail: mail.key, kind: mail.kind, userId: mail.user_id };
  try {
    const links = {
      brand: setting('brand.name'),
      dashboard: `${config().publicUrl}/dashboard`,
      supportEmail: setting('contact.email'),
      provider: seller,
    };
    const content = withLocale(toLocale(mail.language) ?? baseLanguage, () =>
      templates[mail.kind](mail.facts, links),
    );
    await sendMail({ to: { address: mail.email }, ...content });
    await database().run(sql`update billing_mails set sent_at = app_now() where key = ${mail.key}`);
  } catch (error) {
    if (mail.attempts >= maxMailAttempts)
      log.error({ ...about, error }, 'a mail about money could not be sent; it is given up');
    else log.warn({ ...about, attempt: mail.attempts, error }, 'a mail about money could not be sent yet');
  }
}

/** A mail that the server does not take keeps no other back. */
export async function sendOpenMails(): Promise<void> {
  for (;;) {
    const due = await claimDueMails();
    await Promise.all(due.map(send));
    if (due.length < BATCH_SIZE) return;
  }
}
