import { MailFrame, mailHtml, mailStyles } from '../../../platform/mail/frame.tsx';

export interface SubscribedMailFacts {
  brand: string;
  email: string;
  /** Since when, in words. */
  since: string;
  blog: string;
  leaveLink: string;
  /** It was asked for by somebody who has it already. */
  again: boolean;
}

function words({ brand, email, since, again }: SubscribedMailFacts) {
  return {
    title: again ? `You have the ${brand} newsletter already` : `You get the ${brand} newsletter`,
    opening: again
      ? `Somebody, probably you, asked for it once more. There is nothing to do: ${email} is subscribed since ${since}.`
      : `Thank you for confirming. The next issue comes to ${email}. What was written before is in the blog.`,
    out: 'You can unsubscribe whenever you like, with one press of a button:',
  };
}

function Body(facts: SubscribedMailFacts) {
  const { button, fine, paragraph } = mailStyles;
  const { title, opening, out } = words(facts);
  return (
    <MailFrame title={title}>
      <p style={paragraph}>{opening}</p>
      <p style={{ margin: '0 0 28px' }}>
        <a href={facts.blog} style={button}>
          Open the blog
        </a>
      </p>
      <p style={fine}>
        {`${out} `}
        <a href={facts.leaveLink} style={{ color: '#1c1b1a' }}>
          Unsubscribe
        </a>
      </p>
    </MailFrame>
  );
}

/** The mail after a confirmation, or in place of a second one. */
export function subscribedMail(facts: SubscribedMailFacts): { subject: string; text: string; html: string } {
  const { title, opening, out } = words(facts);
  const text = `${title}

${opening}

Open the blog:
${facts.blog}

${out}
${facts.leaveLink}
`;
  return { subject: title, text, html: mailHtml(<Body {...facts} />) };
}
