import { type Database, database } from '../database/database.server.ts';
import { raw, type Statement, sql } from '../database/sql.server.ts';
import { canEnqueue, defineJob, enqueue } from '../job-queue.server.ts';
import { log } from '../log.server.ts';

/** Over 15 hours; then the mail is given up. */
export const maxMailAttempts = 8;
const BATCH_SIZE = 20;

/** Of a table of mails that a statement calls `m`. */
export const unsentMails: Statement = sql`m.sent_at is null and m.attempts < ${maxMailAttempts}::int`;

export const dueMails: Statement = sql`${unsentMails} and m.next_try_at <= app_now()`;

/**
 * The next try is put off by 2, 8, 32, 128 min, then 4 h, so that one that fails, or whose process ends, waits for
 * that, and no two processes send the same.
 */
export const countAttempt = raw(
  `attempts = m.attempts + 1, next_try_at = app_now() + least(2 * 4 ^ m.attempts, 240) * interval '1 minute'`,
);

interface MailQueue<Mail extends { attempts: number }> {
  job: string;
  /** In the log: 'a mail about money'. */
  name: string;
  claim(db: Database, limit: number): Promise<Mail[]>;
  deliver(mail: Mail): Promise<void>;
  markSent(db: Database, mail: Mail): Promise<unknown>;
  /** For the log. */
  about(mail: Mail): object;
}

async function send<Mail extends { attempts: number }>(queue: MailQueue<Mail>, mail: Mail): Promise<void> {
  try {
    await queue.deliver(mail);
    await queue.markSent(database(), mail);
  } catch (error) {
    const about = { ...queue.about(mail), attempt: mail.attempts, error };
    if (mail.attempts >= maxMailAttempts)
      log.error(about, `${queue.name} could not be sent and will not be retried`);
    else log.warn(about, `${queue.name} could not be sent yet; it will be retried`);
  }
}

/** A mail that the server does not take keeps no other back. */
export function defineMailJob<Mail extends { attempts: number }>(queue: MailQueue<Mail>): void {
  defineJob({
    name: queue.job,
    cron: '* * * * *',
    seconds: 300,
    async run() {
      for (;;) {
        const due = await queue.claim(database(), BATCH_SIZE);
        await Promise.all(due.map((mail) => send(queue, mail)));
        if (due.length < BATCH_SIZE) return;
      }
    },
  });
}

/** As soon as `tx` commits; before this process has its queue, the minute's job sends it. */
export async function sendSoon(tx: Database, job: string): Promise<void> {
  if (canEnqueue()) await enqueue(job, {}, { tx });
}
