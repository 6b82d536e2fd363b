import { createHash } from 'node:crypto';
import { validate as isUuid, v7 as uuid } from 'uuid';
import { config } from '#platform/config/config.server.ts';
import { type Database, database } from '#platform/database/database.server.ts';
import { jobsAreStopping } from '#platform/job-queue.server.ts';
import { log } from '#platform/log.server.ts';
import { emailAddress } from '#platform/mail/email-address.server.ts';
import { MailError, sendMail } from '#platform/mail/send-mail.server.ts';
import { hasOperatorAddresses } from '#shared/operator-addresses.ts';
import { setting } from '#shared/settings.ts';
import { issueMail, withAbsoluteLinks } from './issue.mail.tsx';
import {
  claimDueDeliveries,
  type Delivery,
  deleteTestDeliveries,
  type IssueFigures,
  insertTestDelivery,
  issueFigures,
  issueText,
  markSent,
  releaseIssue,
  requeueDelivery,
  saveIssue,
} from './issue-store.server.ts';
import { listHeaders, unsubscribeLink } from './newsletter-links.server.ts';
import { newsletterCounts } from './newsletter-subscription.server.ts';

export const SEND_ISSUES = 'send-newsletter-issues';

/** As few as the mail server's connections: after a crash, at most this many mails are in doubt. */
const BATCH_SIZE = 3;
/** Over about 11 hours. */
const MAX_ATTEMPTS = 6;
const MAX_CHARACTERS = 200_000;

/** Its message is a single line for the operator. */
export class IssueError extends Error {}

export interface Issue {
  subject: string;
  body: string;
}

/** Normalizes line endings, so that the same text is the same issue. */
const normalizeBody = (body: string) =>
  body
    .replace(/^\ufeff/, '')
    .replace(/\r\n?/g, '\n')
    .trim();
const hashOf = (body: string) => createHash('sha256').update(body).digest();

function checkIssue({ subject, body }: Issue): Issue {
  const issue = { subject: subject.trim(), body: normalizeBody(body) };
  if (issue.subject === '' || issue.subject.length > 150 || /\p{Cc}/u.test(issue.subject))
    throw new IssueError('Add a one-line subject of up to 150 characters: --subject "..."');
  if (issue.body === '' || issue.body.length > MAX_CHARACTERS || issue.body.includes('\0'))
    throw new IssueError('The file is empty, too long, or not text.');
  return issue;
}

function renderIssue({ subject, body }: Issue, leaveToken: string | null) {
  return issueMail({
    brand: setting('brand.name'),
    subject,
    body,
    publicUrl: config().publicUrl,
    leaveLink: leaveToken === null ? null : unsubscribeLink(leaveToken),
    sender: [setting('brand.name'), ...setting('contact.address')],
  });
}

export async function previewIssue(input: Issue): Promise<{
  subject: string;
  markdown: string;
  text: string;
  subscribers: number;
  before: IssueFigures | null;
}> {
  const issue = checkIssue(input);
  const [before = null] = await issueFigures(database(), { bodyHash: hashOf(issue.body) });
  const { subscribers } = await newsletterCounts();
  const markdown = withAbsoluteLinks(issue.body, config().publicUrl);
  return { subject: issue.subject, markdown, text: renderIssue(issue, null).text, subscribers, before };
}

const toNewIssue = (issue: Issue) => ({ ...issue, id: uuid(), bodyHash: hashOf(issue.body) });

/** Runs in the caller's transaction; a job sends the mail. */
export async function sendTestIssue(tx: Database, input: Issue, to: string): Promise<void> {
  const issue = checkIssue(input);
  const address = emailAddress(to);
  if (address === null) throw new IssueError(`"${to}" is not a valid email address.`);
  const { id } = await saveIssue(tx, toNewIssue(issue));
  await insertTestDelivery(tx, id, address);
}

/**
 * Runs in the caller's transaction; a job sends the mails. A text is sent only once, also by concurrent commands.
 * @returns the number of mails; null if the text was sent before.
 */
export async function sendIssue(tx: Database, input: Issue): Promise<number | null> {
  // Issues end with the sender's postal address, which laws on email advertising require.
  if (!config().sandbox && !hasOperatorAddresses())
    throw new IssueError(
      'The support or postal address is still a placeholder. Set contact.email and contact.address with npm run settings.',
    );
  const issue = checkIssue(input);
  const { id, released_at } = await saveIssue(tx, toNewIssue(issue));
  return released_at === null ? releaseIssue(tx, id) : null;
}

export async function findIssue(id: string): Promise<Issue | null> {
  return isUuid(id) ? issueText(database(), id) : null;
}

export function listIssues(): Promise<IssueFigures[]> {
  return issueFigures(database(), { limit: 20 });
}

/** Minutes until the next try; null: give up; undefined: the server may have accepted the mail. */
function retryMinutes(error: unknown, attempts: number): number | null | undefined {
  if (!(error instanceof MailError) || !error.notSent) return undefined;
  const isPermanent = error.status !== undefined && error.status >= 500;
  return isPermanent || attempts >= MAX_ATTEMPTS ? null : 2 * 4 ** (attempts - 1);
}

async function deliver({ id, trial, attempts, leave_token, email, ...issue }: Delivery): Promise<void> {
  try {
    const mail = renderIssue(issue, leave_token);
    await sendMail({
      to: { address: email },
      ...mail,
      subject: trial ? `[Trial] ${mail.subject}` : mail.subject,
      headers: leave_token === null ? {} : listHeaders(leave_token),
    });
  } catch (error) {
    const minutes = retryMinutes(error, attempts);
    log.warn({ error, delivery: id, attempt: attempts }, 'a newsletter email was not sent');
    if (minutes !== undefined) await requeueDelivery(database(), id, minutes);
    return;
  }
  await markSent(database(), id);
}

/**
 * Sends each mail at most once: a delivery is claimed for good before the mail server gets it, and requeued only if the
 * server says that it did not accept the mail.
 */
export async function sendIssues(): Promise<void> {
  while (!jobsAreStopping()) {
    const due = await claimDueDeliveries(database(), BATCH_SIZE);
    await Promise.all(due.map(deliver));
    if (due.length < BATCH_SIZE) return;
  }
}

export function deleteOldTestDeliveries(): Promise<number> {
  return deleteTestDeliveries(database());
}
