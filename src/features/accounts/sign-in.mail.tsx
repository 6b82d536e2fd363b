import { MailFrame, mailHtml, mailStyles } from '../../platform/mail/frame.tsx';

export interface SignInMailFacts {
  brand: string;
  link: string;
  /** Six digits. */
  code: string;
  /** How long both still work. */
  minutes: number;
}

const digits = {
  ...mailStyles.font,
  fontFamily: 'ui-monospace, Menlo, monospace',
  fontSize: '30px',
  letterSpacing: '6px',
  margin: '0 0 20px',
};

function Body({ brand, link, code, minutes }: SignInMailFacts) {
  const { button, fine, paragraph } = mailStyles;
  return (
    <MailFrame title={`Sign in to ${brand}`}>
      <p style={{ margin: '0 0 28px' }}>
        <a href={link} style={button}>
          Sign in
        </a>
      </p>
      <p style={paragraph}>Or type this code on the page where you asked for it:</p>
      <p style={digits}>{code}</p>
      <p style={paragraph}>{`Both work once, for the next ${lasting(minutes)}.`}</p>
      <p style={fine}>
        If you did not ask for this mail, ignore it: nobody can sign in without it. Tell the code to nobody.
      </p>
    </MailFrame>
  );
}

function lasting(minutes: number): string {
  return minutes === 1 ? 'minute' : `${minutes} minutes`;
}

/** The mail with the sign-in link and the code, as HTML and as text. */
export function signInMail(facts: SignInMailFacts): { subject: string; text: string; html: string } {
  const { brand, link, code, minutes } = facts;
  const text = `Sign in to ${brand}

Open this link and press the button:
${link}

Or type this code on the page where you asked for it:
${code}

Both work once, for the next ${lasting(minutes)}.

If you did not ask for this mail, ignore it: nobody can sign in without it. Tell the code to nobody.
`;
  const html = mailHtml(<Body {...facts} />);
  return { subject: `Your ${brand} sign-in link and code`, text, html };
}
