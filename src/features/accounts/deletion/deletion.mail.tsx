import { MailFrame, mailHtml, mailStyles } from '../../../platform/mail/frame.tsx';

export interface DeletionMailFacts {
  brand: string;
  /** The last day on which the account can be restored, in words. */
  until: string;
  /** Where one signs in to restore it. */
  link: string;
}

function Body({ brand, until, link }: DeletionMailFacts) {
  const { button, fine, paragraph } = mailStyles;
  return (
    <MailFrame title={`Your ${brand} account was deleted`}>
      <p style={paragraph}>
        Nobody can sign in to it any more, on any device. Everything in it is erased on {until}.
      </p>
      <p style={paragraph}>
        A plan that was running is cancelled: nothing more is charged, and it ends with the period that is
        paid.
      </p>
      <p style={paragraph}>Until then you can have it back as it was: sign in again and press Restore.</p>
      <p style={{ margin: '0 0 28px' }}>
        <a href={link} style={button}>
          Sign in to restore
        </a>
      </p>
      <p style={fine}>
        If you did not delete the account, restore it and end the sessions that you do not know.
      </p>
    </MailFrame>
  );
}

/** The mail that confirms the deletion of an account, as HTML and as text. */
export function deletionMail(facts: DeletionMailFacts): { subject: string; text: string; html: string } {
  const { brand, until, link } = facts;
  const text = `Your ${brand} account was deleted

Nobody can sign in to it any more, on any device. Everything in it is erased on ${until}.

A plan that was running is cancelled: nothing more is charged, and it ends with the period that is paid.

Until then you can have it back as it was: sign in again and press Restore.
${link}

If you did not delete the account, restore it and end the sessions that you do not know.
`;
  return { subject: `Your ${brand} account was deleted`, text, html: mailHtml(<Body {...facts} />) };
}
