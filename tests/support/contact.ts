import { eventually, type TestServer } from './server.ts';

/** A mail as the stand-in stores it. */
export interface ReceivedMail {
  subject: string;
  text: string;
  html: string;
  /** Envelope recipients. */
  to: string[];
  /** Names are in lower case. */
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

/** Returns the reference in the form's redirect; empty for any other response. */
export const referenceOf = (response: Response): string =>
  response.status === 303
    ? (/^(?:\/[a-z]{2})?\/contact\?received=(C-\w{4}-\w{4})$/.exec(
        response.headers.get('location') ?? '',
      )?.[1] ?? '')
    : '';

/** Returns mails to an address that contain a reference in their subject. */
export async function mailsOf(server: TestServer, to: string, reference: string): Promise<ReceivedMail[]> {
  const response = await fetch(`${server.standins}/mail/messages?to=${encodeURIComponent(to)}`);
  return ((await response.json()) as ReceivedMail[]).filter(({ subject }) => subject.includes(reference));
}

/** Waits until all mails of a message are sent, and returns the number of attempts by kind. */
export async function waitForMails(server: TestServer, reference: string): Promise<Record<string, number>> {
  return eventually(async () => {
    const { rows } = await server.database.query<{ kind: string; attempts: number; sent: boolean }>(
      `select m.kind, m.attempts, m.sent_at is not null as sent from contact_mails m
         join contact_messages c on c.id = m.message_id where c.reference = $1`,
      [reference],
    );
    const sent = rows.length > 0 && rows.every((row) => row.sent);
    return sent && Object.fromEntries(rows.map(({ kind, attempts }) => [kind, attempts]));
    // A server that has just started leaves the mails to the job that runs each minute.
  }, 80_000);
}
