import { type Database, database } from '../database/database.server.ts';
import { raw, type Statement, sql } from '../database/sql.server.ts';
import { canEnqueue, defineJob, enqueue } from '../job-queue.server.ts';
import { log } from '../log.server.ts';

/** Attempts over about 15 hours, after which a mail is given up. */
export const maxMailAttempts = 8;
const BATCH_SIZE = 20;

/** Condition for a table of mails with the alias `m`. */
export const unsentMails: Statement = sql`m.sent_at is null and m.attempts < ${maxMailAttempts}::int`;

export const dueMails: Statement = sql`${unsentMails} and m.next_try_at <= app_now()`;

/**
 * Postpones the next attempt by 2, 8, 32, 128 min, then 4 h, in the statement that claims the mail: a retry after a
 * failure or a crash waits that long, and no two processes send the same mail.
 */
export const countAttempt = raw(
  `attempts = m.attempts + 1, next_try_at = app_now() + least(2 * 4 ^ m.attempts, 240) * interval '1 minute'`,
);

interface MailQueue<Mail extends { attempts: number }> {
  job: string;
  /** Name in the log, such as 'a mail about money'. */
  name: string;
  claim(db: Database, limit: number): Promise<Mail[]>;
  deliver(mail: Mail): Promise<void>;
  markSent(db: Database, mail: Mail): Promise<unknown>;
  /** Fields for the log. */
  logFields(mail: Mail): object;
}

async function send<Mail extends { attempts: number }>(queue: MailQueue<Mail>, mail: Mail): Promise<void> {
  try {
    await queue.deliver(mail);
    await queue.markSent(database(), mail);
  } catch (error) {
    const fields = { ...queue.logFields(mail), attempt: mail.attempts, error };
    if (mail.attempts >= maxMailAttempts)
      log.error(fields, `${queue.name} could not be sent and will not be retried`);
    else log.warn(fields, `${queue.name} could not be sent yet; it will be retried`);
  }
}

/** A mail that the server rejects does not hold up the others. */
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

/** Sends once `tx` commits. If the queue has not started in this process, the job that runs each minute sends it. */
export async function sendSoon(tx: Database, job: string): Promise<void> {
  if (canEnqueue()) await enqueue(job, {}, { tx });
}
