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
  /** The mail has certainly not gone out: it was refused, or never reached the server. */
  readonly notTaken: boolean;
  constructor(message: string, code?: string, status?: number, notTaken = false) {
    super(message);
    this.code = code;
    this.status = status;
    this.notTaken = notTaken;
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
      // Links in these mails sign people in, so they do not travel in clear; `?requireTLS=false` in SMTP_URL overrides.
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
  const told = (message ?? 'unknown').replace(/[^\s<>"'@]+@[^\s<>"'@]+/g, maskEmail).slice(0, 300);
  // A connection that breaks later may break after the server has taken the mail.
  const notTaken = responseCode !== undefined || syscall === 'connect' || code === 'EDNS' || code === 'EAUTH';
  return new MailError(`The mail server rejected the email: ${told}`, code, responseCode, notTaken);
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
      // Keeps holiday replies from answering (RFC 3834).
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

/** Mails that wait for a connection fail and are tried again by their jobs. */
export function closeMail(): void {
  void transport?.then((open) => open.close());
  transport = undefined;
}
