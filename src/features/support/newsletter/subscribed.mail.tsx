import { m } from '#messages';
import { MailLayout, mailHtml, mailStyles } from '#platform/mail/mail-layout.tsx';

interface SubscribedMailFacts {
  brand: string;
  email: string;
  since: string;
  blog: string;
  leaveLink: string;
  /** The subscription already existed. */
  isRepeated: boolean;
}

export function subscribedMail({ brand, email, since, blog, leaveLink, isRepeated }: SubscribedMailFacts) {
  const { button, finePrint, paragraph } = mailStyles;
  const title = isRepeated ? m.mail_subscribed_already({ brand }) : m.mail_subscribed({ brand });
  const opening = isRepeated
    ? m.mail_subscribed_since({ email, since })
    : m.mail_subscribed_opening({ email });
  const html = mailHtml(
    <MailLayout title={title}>
      <p style={paragraph}>{opening}</p>
      <p style={{ margin: '0 0 28px' }}>
        <a href={blog} style={button}>
          {m.mail_subscribed_blog()}
        </a>
      </p>
      <p style={finePrint}>
        <a href={leaveLink} style={{ color: '#1c1b1a' }}>
          {m.newsletter_unsubscribe()}
        </a>
      </p>
    </MailLayout>,
  );
  const links = [`${m.mail_subscribed_blog()}:\n${blog}`, `${m.newsletter_unsubscribe()}:\n${leaveLink}`];
  return { subject: title, text: `${[title, opening, ...links].join('\n\n')}\n`, html };
}
