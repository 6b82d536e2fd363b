import { seller } from '#features/credits/contract.ts';
import { config } from '#platform/config/config.server.ts';
import type { Database } from '#platform/database/database.server.ts';
import { sql } from '#platform/database/sql.server.ts';
import { withLocale } from '#platform/locale.server.ts';
import { countAttempt, defineMailJob, dueMails, sendSoon } from '#platform/mail/mail-queue.server.ts';
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

const SEND_BILLING_MAILS = 'send-billing-mails';

interface DueMail {
  key: string;
  user_id: string;
  kind: MailKind;
  facts: unknown;
  email: string;
  language: string | null;
  attempts: number;
}

/** Oldest first; skips deleted accounts. */
const claim = (db: Database, limit: number) =>
  db.rows<DueMail>(sql`
    with due as (
      select m.key, u.email, u.language from billing_mails m join users u on u.id = m.user_id
       where ${dueMails} and u.deleted_at is null
       order by m.next_try_at, m.key limit ${limit} for update of m skip locked)
    update billing_mails m set ${countAttempt} from due where m.key = due.key
    returning m.key, m.user_id, m.kind, m.facts, due.email, due.language, m.attempts`);

/** Writes a mail once per key, in the transaction of the fact that it reports. @returns whether it was written now. */
export async function queueMail(tx: Database, mail: BillingMail): Promise<boolean> {
  const written = await tx.run(sql`
    insert into billing_mails (key, user_id, kind, facts)
    select ${mail.key}, id, ${mail.kind}, ${JSON.stringify(mail.facts)}::jsonb
      from users where id = ${mail.userId} and erased_at is null
    on conflict (key) do nothing`);
  if (written > 0) await sendSoon(tx, SEND_BILLING_MAILS);
  return written > 0;
}

export async function writtenMails(tx: Database, keys: string[]): Promise<Set<string>> {
  if (keys.length === 0) return new Set();
  const rows = await tx.rows<{ key: string }>(
    sql`select key from billing_mails where key = any(${keys}::text[])`,
  );
  return new Set(rows.map(({ key }) => key));
}

/** Parses the stored facts, because an older build may have written another shape. */
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

async function deliver(mail: DueMail): Promise<void> {
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
}

export function defineBillingMailJob(): void {
  defineMailJob({
    job: SEND_BILLING_MAILS,
    name: 'a billing email',
    claim,
    deliver,
    markSent: (db, { key }) => db.run(sql`update billing_mails set sent_at = app_now() where key = ${key}`),
    logFields: ({ key, kind, user_id }) => ({ mail: key, kind, userId: user_id }),
  });
}
