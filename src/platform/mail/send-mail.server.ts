import type { Transporter } from 'nodemailer';
import { config, isLoopbackHost } from '../config/config.server.ts';
import { maskEmail } from '../log.server.ts';
import { countMail } from '../metrics/counters.server.ts';
import { traced } from '../tracing/tracing.server.ts';
import { emailAddress } from './email-address.server.ts';

export interface Mail {
  to: { address: string };
  replyTo?: { address: string };
  subject: string;
  text: string;
  html?: string;
  headers?: Record<string, string>;
}

export class MailError extends Error {
  override name = 'MailError';
  readonly code: string | undefined;
  readonly status: number | undefined;
  /** The mail was certainly not sent: the server refused it, or was never reached. */
  readonly notSent: boolean;
  constructor(message: string, code?: string, status?: number, notTaken = false) {
    super(message);
    this.code = code;
    this.status = status;
    this.notSent = notTaken;
  }
}

const SANDBOX_SENDER = 'Sandbox <hello@localhost.test>';

let transport: Promise<Transporter> | undefined;

async function openTransport(url: string): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  return createTransport(
    {
      url,
      pool: true,
      maxConnections: 3,
      // Mails contain sign-in links, so they require TLS; `?requireTLS=false` in SMTP_URL overrides this.
      requireTLS: !isLoopbackHost(new URL(url).hostname),
      disableFileAccess: true,
      disableUrlAccess: true,
      dnsTimeout: 5_000,
      connectionTimeout: 10_000,
      greetingTimeout: 10_000,
      socketTimeout: 20_000,
    },
    { disableFileAccess: true, disableUrlAccess: true },
  );
}

async function currentTransport(): Promise<Transporter> {
  const url = config().SMTP_URL;
  if (!url) throw new MailError('SMTP_URL is not set.', 'ECONFIG', undefined, true);
  transport ??= openTransport(url);
  return transport;
}

function asMailError(error: unknown): MailError {
  const { message, code, responseCode, syscall } = error as {
    message?: string;
    code?: string;
    responseCode?: number;
    syscall?: string;
  };
  const description = (message ?? 'unknown').replace(/[^\s<>"'@]+@[^\s<>"'@]+/g, maskEmail).slice(0, 300);
  // If the connection breaks later, the server may already have accepted the mail.
  const notTaken = responseCode !== undefined || syscall === 'connect' || code === 'EDNS' || code === 'EAUTH';
  return new MailError(`The mail server rejected the email: ${description}`, code, responseCode, notTaken);
}

export async function sendMail({ to, replyTo, subject, text, html, headers }: Mail): Promise<void> {
  if (emailAddress(to.address) !== to.address)
    throw new MailError('The recipient address of an email is not valid.', 'EENVELOPE', undefined, true);
  const from = config().MAIL_FROM ?? SANDBOX_SENDER;
  if (replyTo && emailAddress(replyTo.address) !== replyTo.address)
    throw new MailError('The reply address of an email is not valid.', 'EENVELOPE');
  try {
    const mail = {
      from,
      to: { name: '', address: to.address },
      replyTo: replyTo && { name: '', address: replyTo.address },
      subject: subject.replace(/[\r\n]+/g, ' '),
      text,
      html,
      // Keeps out-of-office programs from replying (RFC 3834).
      headers: { 'Auto-Submitted': 'auto-generated', ...headers },
    };
    await traced('send mail', { kind: 'client' }, async () => (await currentTransport()).sendMail(mail));
    countMail('sent');
  } catch (error) {
    const failure = error instanceof MailError ? error : asMailError(error);
    countMail(failure.code === 'EENVELOPE' || failure.code === 'EMESSAGE' ? 'rejected' : 'failed');
    throw failure;
  }
}

export async function verifyMail(): Promise<void> {
  try {
    await (await currentTransport()).verify();
  } catch (error) {
    throw error instanceof MailError ? error : asMailError(error);
  }
}

/** Mails that are waiting for a connection fail; their jobs retry them. */
export function closeMail(): void {
  void transport?.then((open) => open.close());
  transport = undefined;
}
