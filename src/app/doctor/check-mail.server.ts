import type { Config } from '#platform/config/config.server.ts';
import { emailAddress } from '#platform/mail/email-address.server.ts';
import { closeMail, MailError, sendMail, verifyMail } from '#platform/mail/send-mail.server.ts';
import { setting } from '#shared/settings.ts';
import { mailDomain } from './check-mail-domain.server.ts';
import { type Finding, notSet, ok, wrong } from './finding.ts';

const ABOUT = 'Mail';

const mending: Record<string, string> = {
  EDNS: 'the host in SMTP_URL cannot be found: correct the name.',
  ECONNECTION: 'nothing takes mail where SMTP_URL points: correct host and port, or open the firewall.',
  ETIMEDOUT:
    'nobody answers in time where SMTP_URL points: many hosts bar port 25, so try 587 (smtp://) or 465 (smtps://).',
  EAUTH: 'the server refuses the user or the password in SMTP_URL: correct them.',
  ENOAUTH: 'the server wants a user and a password: put them into SMTP_URL.',
  ETLS: 'the connection cannot be encrypted: use smtps:// for port 465 and smtp:// for 587.',
  ESOCKET:
    'the connection does not come about: correct host and port, and use smtps:// for port 465 and smtp:// for 587.',
  EENVELOPE: 'the server does not take this sender or recipient: MAIL_FROM must be an address it sends for.',
};

function refusal({ code = '', status }: MailError): string {
  const answered = status ? ` (${status})` : '';
  return `${mending[code] ?? 'the server does not take mail from us: look into its log.'}${answered}`;
}

const senderOf = (from: string) => emailAddress(/<([^<>]+)>\s*$/.exec(from)?.[1] ?? from);

async function sender({ MAIL_FROM, publicUrl, sandbox }: Config): Promise<Finding[]> {
  if (!MAIL_FROM) return sandbox ? [] : [wrong('Sender', 'MAIL_FROM is needed.')];
  const address = senderOf(MAIL_FROM);
  if (!address) return [wrong('Sender', 'MAIL_FROM holds no address: write it as Name <name@your.domain>.')];
  const domain = address.split('@')[1] ?? '';
  if (/(^|\.)example\.(com|org|net)$/.test(domain))
    return [wrong('Sender', 'MAIL_FROM is still an example: put an address of your own domain.')];
  const host = new URL(publicUrl).hostname;
  const own = host === domain || host.endsWith(`.${domain}`) || domain.endsWith(`.${host}`);
  return [
    ok('Sender', `${domain} sends the mails${own ? '' : `, while the site is ${host}`}.`),
    ...(await mailDomain(domain)),
  ];
}

async function testMail(address: string): Promise<Finding> {
  const to = emailAddress(address);
  if (!to) return wrong('Letter', 'The address after --mail is none.');
  try {
    const text = `This letter was sent by npm run doctor of ${setting('brand.name')}. That it is here shows that mail leaves the site.`;
    await sendMail({
      to: { address: to },
      subject: `${setting('brand.name')}: a test letter`,
      text,
      html: `<p>${text}</p>`,
    });
    return ok('Letter', 'The server took it; see whether it comes, and whether among the unwanted.');
  } catch (error) {
    if (!(error instanceof MailError)) throw error;
    return wrong('Letter', `It was not taken: ${refusal(error)}`);
  }
}

export async function mail(config: Config, letter: string | undefined): Promise<Finding[]> {
  if (!config.SMTP_URL)
    return [
      notSet(ABOUT, 'Sign-in mails land in the local mailbox; SMTP_URL and MAIL_FROM send them to people.'),
      ...(letter ? [notSet('Letter', 'No letter was sent: SMTP_URL is not set.')] : []),
    ];
  try {
    await verifyMail();
    const { host } = new URL(config.SMTP_URL);
    return [
      ok(ABOUT, `${host} answers and lets us in.`),
      ...(await sender(config)),
      ...(letter ? [await testMail(letter)] : []),
    ];
  } catch (error) {
    if (!(error instanceof MailError)) throw error;
    return [wrong(ABOUT, `SMTP_URL: ${refusal(error)}`), ...(await sender(config))];
  } finally {
    closeMail();
  }
}
