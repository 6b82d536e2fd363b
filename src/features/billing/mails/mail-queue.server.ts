import { site } from '#content/site.ts';
import { seller } from '#features/credits/contract.ts';
import { config } from '#platform/config/config.server.ts';
import { type Database, database } from '#platform/database/database.server.ts';
import { sql } from '#platform/database/sql.server.ts';
import { enqueue, jobsAreRunning } from '#platform/job-queue.server.ts';
import { withLocale } from '#platform/locale.server.ts';
import { log } from '#platform/log.server.ts';
import { sendMail } from '#platform/mail/send-mail.server.ts';
import { baseLanguage, toLocale } from '#shared/language-path.ts';
import { cancelledMail } from './cancelled.mail.tsx';
import { disputedMail } from './disputed.mail.tsx';
import { endedMail } from './ended.mail.tsx';
import { type BillingMail, type MailLinks, mailFacts } from './mail-content.ts';
import { paymentFailedMail } from './payment-failed.mail.tsx';
import { receiptMail } from './receipt.mail.tsx';
import { refundMail } from './refund.mail.tsx';
import { resumedMail } from './resumed.mail.tsx';
import { twoPlansMail } from './two-plans.mail.tsx';

export const SEND_BILLING_MAILS = 'send-billing-mails';

/** Over 15 hours; then the mail is given up. */
export const maxMailAttempts = 8;
const BATCH_SIZE = 20;

/** @returns 0 when one of that key was written before, or its person is erased. */
function insertMail(
  tx: Database,
  mail: { key: string; userId: string; kind: string; facts: unknown },
): Promise<number> {
  return tx.run(sql`
    insert into billing_mails (key, user_id, kind, facts)
    select ${mail.key}, id, ${mail.kind}, ${JSON.stringify(mail.facts)}::jsonb
      from users where id = ${mail.userId} and erased_at is null
    on conflict (key) do nothing`);
}

async function writtenKeys(tx: Database, keys: string[]): Promise<string[]> {
  const rows = await tx.rows<{ key: string }>(
    sql`select key from billing_mails where key = any(${keys}::text[])`,
  );
  return rows.map(({ key }) => key);
}

interface OpenMail {
  key: string;
  user_id: string;
  kind: string;
  facts: unknown;
  email: string;
  language: string | null;
  attempts: number;
}

/**
 * Oldest first. The next try is put off by 2, 8, 32, 128 min, then 4 h, so that one that fails, or whose process ends,
 * waits for that, and no two processes send the same. None to a deleted account.
 */
function claimDueMails(
  db: Database,
  { tries, limit }: { tries: number; limit: number },
): Promise<OpenMail[]> {
  return db.rows<OpenMail>(sql`
    with due as (
      select m.key, u.email, u.language from billing_mails m join users u on u.id = m.user_id
       where m.sent_at is null and m.attempts < ${tries}::int and m.next_try_at <= app_now() and u.deleted_at is null
       order by m.next_try_at, m.key limit ${limit} for update of m skip locked)
    update billing_mails m set attempts = m.attempts + 1,
           next_try_at = app_now() + least(2 * 4 ^ m.attempts, 240) * interval '1 minute'
      from due where m.key = due.key
    returning m.key, m.user_id, m.kind, m.facts, due.email, due.language, m.attempts`);
}

async function markSent(db: Database, key: string): Promise<void> {
  await db.run(sql`update billing_mails set sent_at = app_now() where key = ${key}`);
}

/**
 * In the transaction of the fact that it tells of, once for a key; sent as soon as that commits, or by the minute's job
 * where this process runs no jobs. @returns whether it was written now.
 */
export async function queueMail(tx: Database, mail: BillingMail): Promise<boolean> {
  const written = await insertMail(tx, mail);
  if (written > 0 && jobsAreRunning()) await enqueue(SEND_BILLING_MAILS, {}, { tx });
  return written > 0;
}

export async function writtenMails(tx: Database, keys: string[]): Promise<(key: string) => boolean> {
  const written = new Set(keys.length > 0 ? await writtenKeys(tx, keys) : []);
  return (key) => written.has(key);
}

/** @throws ZodError for facts that an older build wrote otherwise. */
function rendered({ kind, facts }: OpenMail, places: MailLinks) {
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
    const content = withLocale(toLocale(mail.language) ?? baseLanguage, () => rendered(mail, places));
    await sendMail({ to: { address: mail.email }, ...content });
    await markSent(database(), mail.key);
  } catch (error) {
    if (mail.attempts >= maxMailAttempts)
      log.error({ ...about, error }, 'a mail about money could not be sent; it is given up');
    else log.warn({ ...about, attempt: mail.attempts, error }, 'a mail about money could not be sent yet');
  }
}

/** A mail that the server does not take keeps no other back. */
export async function sendOpenMails(): Promise<void> {
  for (;;) {
    const due = await claimDueMails(database(), { tries: maxMailAttempts, limit: BATCH_SIZE });
    await Promise.all(due.map(send));
    if (due.length < BATCH_SIZE) return;
  }
}
