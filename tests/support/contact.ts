import { eventually, type TestServer } from './server.ts';

/** A mail as the stand-in holds it. */
export interface ReceivedMail {
  subject: string;
  text: string;
  html: string;
  /** Envelope recipients. */
  to: string[];
  /** Names in lower case. */
  headers: Record<string, string>;
}

/** The fields of a form that was opened ten seconds ago. */
export const contactForm = (more: Record<string, string> = {}): Record<string, string> => ({
  kind: 'question',
  name: 'Ada',
  email: 'ada@example.com',
  message: 'How do I print a chat?',
  homepage: '',
  opened: String(Date.now() - 10_000),
  ...more,
});

/** The reference that an answer to the form leads to; empty for any other answer. */
export const referenceOf = (response: Response): string =>
  response.status === 303
    ? (/^(?:\/[a-z]{2})?\/contact\?received=(C-\w{4}-\w{4})$/.exec(
        response.headers.get('location') ?? '',
      )?.[1] ?? '')
    : '';

/** Mails to an address that name a reference. */
export async function mailsOf(server: TestServer, to: string, reference: string): Promise<ReceivedMail[]> {
  const response = await fetch(`${server.standins}/mail/messages?to=${encodeURIComponent(to)}`);
  return ((await response.json()) as ReceivedMail[]).filter(({ subject }) => subject.includes(reference));
}

/** Waits until no mail of a message is open, and how often each was tried. */
export async function mailed(server: TestServer, reference: string): Promise<Record<string, number>> {
  return eventually(async () => {
    const { rows } = await server.database.query<{ kind: string; attempts: number; sent: boolean }>(
      `select m.kind, m.attempts, m.sent_at is not null as sent from contact_mails m
         join contact_messages c on c.id = m.message_id where c.reference = $1`,
      [reference],
    );
    const sent = rows.length > 0 && rows.every((row) => row.sent);
    return sent && Object.fromEntries(rows.map(({ kind, attempts }) => [kind, attempts]));
    // A server that has just started leaves them to the job of each minute.
  }, 80_000);
}
