import type { AddressInfo } from 'node:net';
import { SMTPServer, type SMTPServerDataStream } from 'smtp-server';
import { oneOf, orNull, type SwitchValues, shortText, startingAs } from '../control.ts';
import type { Mailbox } from './mailbox.ts';

const MAX_MAIL_BYTES = 5 * 1024 * 1024;

export const mailSwitches = {
  mode: startingAs('ok', oneOf(['ok', 'reject', 'defer', 'hang'] as const)),
  to: startingAs(null, orNull(shortText)),
};

type MailSwitches = SwitchValues<typeof mailSwitches>;

function smtpError(code: number, message: string): Error {
  return Object.assign(new Error(message), { responseCode: code });
}

function modeFor(switches: Readonly<MailSwitches>, addresses: string[]): MailSwitches['mode'] {
  const target = switches.to?.toLowerCase();
  return !target || addresses.some((address) => address.toLowerCase() === target) ? switches.mode : 'ok';
}

async function collect(stream: SMTPServerDataStream): Promise<Buffer | null> {
  const parts: Buffer[] = [];
  // Reads and discards what exceeds the limit: the client sends everything before it reads the response.
  for await (const part of stream as AsyncIterable<Buffer>) if (!stream.sizeExceeded) parts.push(part);
  return stream.sizeExceeded ? null : Buffer.concat(parts);
}

/** Starts the SMTP server. Mode reject refuses the recipient with 550, defer with 451; hang never answers the data. */
export async function startSmtp(
  port: number,
  mailbox: Mailbox,
  switches: () => Readonly<MailSwitches>,
): Promise<{ port: number; close(): Promise<void> }> {
  const server = new SMTPServer({
    name: 'localhost',
    banner: 'local stand-in',
    size: MAX_MAIL_BYTES,
    // The library would offer STARTTLS with an expired certificate that everybody knows (protocols.md 4).
    disabledCommands: ['AUTH', 'STARTTLS'],
    authOptional: true,
    // Sends no DNS query about clients.
    disableReverseLookup: true,
    logger: false,
    closeTimeout: 200,
    onRcptTo({ address }, _session, callback) {
      const mode = modeFor(switches(), [address]);
      if (mode === 'reject') callback(smtpError(550, 'No such mailbox (stand-in, mode reject).'));
      else if (mode === 'defer') callback(smtpError(451, 'Try again later (stand-in, mode defer).'));
      else callback();
    },
    onData(stream, session, callback) {
      const receive = async () => {
        const { mailFrom, rcptTo } = session.envelope;
        const raw = await collect(stream);
        const to = rcptTo.map(({ address }) => address);
        if (modeFor(switches(), to) === 'hang') return;
        if (!raw) throw smtpError(552, `The mail is over ${MAX_MAIL_BYTES} bytes.`);
        await mailbox.add(raw, { from: mailFrom ? mailFrom.address : '', to });
        callback();
      };
      receive().catch(callback);
    },
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      // A client that disconnects must not end the process.
      server.on('error', (error) => process.stderr.write(`stand-ins: smtp: ${error.message}\n`));
      resolve();
    });
  });
  const { port: actualPort } = server.server.address() as AddressInfo;
  return { port: actualPort, close: () => new Promise((resolve) => server.close(() => resolve())) };
}
