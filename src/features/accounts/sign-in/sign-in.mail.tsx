import { m } from '#messages';
import { MailLayout, mailHtml, mailStyles } from '#platform/mail/mail-layout.tsx';

interface SignInMailFacts {
  brand: string;
  link: string;
  code: string;
  minutes: number;
}

const digits = {
  ...mailStyles.font,
  fontFamily: 'ui-monospace, Menlo, monospace',
  fontSize: '30px',
  letterSpacing: '6px',
  margin: '0 0 20px',
};

export function signInMail({ brand, link, code, minutes }: SignInMailFacts) {
  const { button, finePrint, paragraph } = mailStyles;
  const title = m.mail_sign_in_title({ brand });
  const valid = m.mail_sign_in_valid({ minutes });
  const html = mailHtml(
    <MailLayout title={title}>
      <p style={{ margin: '0 0 28px' }}>
        <a href={link} style={button}>
          {m.common_sign_in()}
        </a>
      </p>
      <p style={paragraph}>{m.mail_sign_in_code()}</p>
      <p style={digits}>{code}</p>
      <p style={paragraph}>{valid}</p>
      <p style={finePrint}>{m.mail_sign_in_fine()}</p>
    </MailLayout>,
  );
  const parts = [
    title,
    `${m.mail_sign_in_link()}\n${link}`,
    `${m.mail_sign_in_code()}\n${code}`,
    valid,
    m.mail_sign_in_fine(),
  ];
  return { subject: m.mail_sign_in_subject({ brand }), text: `${parts.join('\n\n')}\n`, html };
}
