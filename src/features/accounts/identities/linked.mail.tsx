import { MailFrame, mailHtml, mailStyles } from '../../../platform/mail/frame.tsx';

export interface LinkedMailFacts {
  brand: string;
  /** Name of the provider, as it writes itself. */
  provider: string;
  /** The settings, where it can be removed. */
  link: string;
}

function Body({ brand, provider, link }: LinkedMailFacts) {
  const { button, fine, paragraph } = mailStyles;
  return (
    <MailFrame title={`${provider} was linked to your ${brand} account`}>
      <p style={paragraph}>
        Somebody signed in with an account at {provider} that has this address. From now on it opens your{' '}
        {brand} account. You can remove it in the settings at any time.
      </p>
      <p style={{ margin: '0 0 28px' }}>
        <a href={link} style={button}>
          Open the settings
        </a>
      </p>
      <p style={fine}>
        If that was not you, remove {provider} there and end the sessions that you do not know.
      </p>
    </MailFrame>
  );
}

/** The mail that says that a provider was linked to an account, as HTML and as text. */
export function linkedMail(facts: LinkedMailFacts): { subject: string; text: string; html: string } {
  const { brand, provider, link } = facts;
  const subject = `${provider} was linked to your ${brand} account`;
  const text = `${subject}

Somebody signed in with an account at ${provider} that has this address. From now on it opens your ${brand} account. You can remove it in the settings at any time.
${link}

If that was not you, remove ${provider} there and end the sessions that you do not know.
`;
  return { subject, text, html: mailHtml(<Body {...facts} />) };
}
