import { renderToStaticMarkup } from 'react-dom/server';

export interface SignInMailFacts {
  brand: string;
  link: string;
  /** Six digits. */
  code: string;
  /** How long both still work. */
  minutes: number;
}

const font = { fontFamily: 'system-ui, -apple-system, "Segoe UI", sans-serif', color: '#1c1b1a' };
const paragraph = { ...font, fontSize: '16px', lineHeight: '24px', margin: '0 0 20px' };
const button = {
  ...font,
  display: 'inline-block',
  padding: '12px 22px',
  borderRadius: '8px',
  background: '#1c1b1a',
  color: '#fffefc',
  fontSize: '16px',
  fontWeight: 600,
  textDecoration: 'none',
};
const digits = {
  ...font,
  fontFamily: 'ui-monospace, Menlo, monospace',
  fontSize: '30px',
  letterSpacing: '6px',
  margin: '0 0 20px',
};

function Body({ brand, link, code, minutes }: SignInMailFacts) {
  return (
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>{`Sign in to ${brand}`}</title>
      </head>
      <body style={{ margin: 0, padding: '32px 16px', background: '#f6f4f0' }}>
        <div
          style={{
            maxWidth: '480px',
            margin: '0 auto',
            padding: '32px',
            background: '#fffefc',
            borderRadius: '12px',
          }}
        >
          <h1
            style={{ ...font, fontSize: '22px', lineHeight: '28px', margin: '0 0 20px' }}
          >{`Sign in to ${brand}`}</h1>
          <p style={{ margin: '0 0 28px' }}>
            <a href={link} style={button}>
              Sign in
            </a>
          </p>
          <p style={paragraph}>Or type this code on the page where you asked for it:</p>
          <p style={digits}>{code}</p>
          <p style={paragraph}>{`Both work once, for the next ${lasting(minutes)}.`}</p>
          <p style={{ ...paragraph, fontSize: '14px', lineHeight: '20px', margin: 0 }}>
            If you did not ask for this mail, ignore it: nobody can sign in without it. Tell the code to
            nobody.
          </p>
        </div>
      </body>
    </html>
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
  const html = `<!doctype html>${renderToStaticMarkup(<Body {...facts} />)}`;
  return { subject: `Your ${brand} sign-in link and code`, text, html };
}
