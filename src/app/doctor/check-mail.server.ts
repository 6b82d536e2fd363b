import type { Config } from '#platform/config/config.server.ts';
import { emailAddress } from '#platform/mail/email-address.server.ts';
import { closeMail, MailError, sendMail, verifyMail } from '#platform/mail/send-mail.server.ts';
import { setting } from '#shared/settings.ts';
import { checkMailDomain } from './check-mail-domain.server.ts';
import { type Finding, notSet, ok, wrong } from './finding.ts';

const ABOUT = 'Mail';

const fixes: Record<string, string> = {
  EDNS: 'the host was not found. Check the host name.',
  ECONNECTION: 'nothing accepts mail there. Fix the host and port, or open the firewall.',
  ETIMEDOUT:
    'the server did not respond in time. Many hosts block port 25, so try 587 (smtp://) or 465 (smtps://).',
  EAUTH: 'the server rejected the username or password. Fix them.',
  ENOAUTH: 'the server requires a username and a password. Add them.',
  ETLS: "the connection can't be encrypted. Use smtps:// for port 465 and smtp:// for 587.",
  ESOCKET: 'the connection failed. Fix the host and port, and use smtps:// for port 465 and smtp:// for 587.',
  EENVELOPE: 'the server rejected the sender or the recipient. MAIL_FROM must be an address it sends for.',
};

function describeFailure({ code = '', status }: MailError): string {
  const statusNote = status ? ` (${status})` : '';
  return `${fixes[code] ?? 'the server does not accept mail from this site. Check its log.'}${statusNote}`;
}

const parseSender = (from: string) => emailAddress(/<([^<>]+)>\s*$/.exec(from)?.[1] ?? from);

async function checkSender({ MAIL_FROM, publicUrl, sandbox }: Config): Promise<Finding[]> {
  if (!MAIL_FROM) return sandbox ? [] : [wrong('Sender', 'MAIL_FROM is required.')];
  const address = parseSender(MAIL_FROM);
  if (!address)
    return [wrong('Sender', 'MAIL_FROM has no email address. Write it as Name <name@your.domain>.')];
  const domain = address.split('@')[1] ?? '';
  if (/(^|\.)example\.(com|org|net)$/.test(domain))
    return [wrong('Sender', 'MAIL_FROM is still a placeholder. Use an address at your own domain.')];
  const host = new URL(publicUrl).hostname;
  const isSameDomain = host === domain || host.endsWith(`.${domain}`) || domain.endsWith(`.${host}`);
  return [
    ok('Sender', `Emails come from ${domain}${isSameDomain ? '' : `, but the site is at ${host}`}.`),
    ...(await checkMailDomain(domain)),
  ];
}

async function sendTestMail(address: string): Promise<Finding> {
  const to = emailAddress(address);
  if (!to) return wrong('Test email', 'The address after --mail is not a valid email address.');
  try {
    const text = `This is a test email from npm run doctor on ${setting('brand.name')}. If you can read it, the site can send email.`;
    await sendMail({
      to: { address: to },
      subject: `${setting('brand.name')}: test email`,
      text,
      html: `<p>${text}</p>`,
    });
    return ok('Test email', 'Sent. Check that it arrived, and that it is not in spam.');
  } catch (error) {
    if (!(error instanceof MailError)) throw error;
    return wrong('Test email', `Not sent: ${describeFailure(error)}`);
  }
}

export async function checkMail(config: Config, testMailTo: string | undefined): Promise<Finding[]> {
  if (!config.SMTP_URL)
    return [
      notSet(
        ABOUT,
        'Sign-in emails go to the local mailbox. To send them to people, set SMTP_URL and MAIL_FROM.',
      ),
      ...(testMailTo ? [notSet('Test email', 'Not sent: SMTP_URL is not set.')] : []),
    ];
  try {
    await verifyMail();
    const { host } = new URL(config.SMTP_URL);
    return [
      ok(ABOUT, `Connected to ${host}.`),
      ...(await checkSender(config)),
      ...(testMailTo ? [await sendTestMail(testMailTo)] : []),
    ];
  } catch (error) {
    if (!(error instanceof MailError)) throw error;
    return [wrong(ABOUT, `SMTP_URL: ${describeFailure(error)}`), ...(await checkSender(config))];
  } finally {
    closeMail();
  }
}
